/** The reusable workflow passes on all inputs, and pins everything that it uses. */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { scratch } from '../store/scratch.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FOLDER = join(ROOT, '.github/workflows');
const FILES = ['action.yml', ...readdirSync(FOLDER).map((name) => `.github/workflows/${name}`)];
const TEXTS = FILES.map((name) => readFileSync(join(ROOT, name), 'utf8'));
const ACTION = parse(TEXTS[0] ?? '');
const PERF = parse(readFileSync(join(FOLDER, 'perf.yml'), 'utf8'));

/** @type {[string, { steps?: any[] }][]} */
const JOBS = FILES.flatMap((file, index) => {
  const { runs, jobs } = parse(TEXTS[index] ?? '');
  const name = file.split('/').at(-1);
  return runs ? [['action.yml', runs]] : Object.entries(jobs).map(([id, job]) => [`${name} ${id}`, job]);
});
/** @type {{ uses?: string, run?: string }[]} */
const STEPS = JOBS.flatMap(([, { steps = [] }]) => steps);

test('a shard gets all inputs, and by name those that expressions of the action read', () => {
  const { with: given } = PERF.jobs.measure.steps.find((/** @type {any} */ { id }) => id === 'measure');
  const { shard: _, options, ...named } = given;
  assert.match(
    options,
    /seed.*machine.*needs\.plan\.outputs\.seed, toJSON\(matrix\.machine\), toJSON\(toJSON\(inputs\)\)\) }}$/,
  );
  for (const [name, value] of Object.entries(named)) {
    assert.ok(name in ACTION.inputs && name in PERF.on.workflow_call.inputs, name);
    assert.equal(value, `\${{ inputs.${name} }}`);
  }
});

const RECIPES = join(ROOT, 'docs/recipes');
/** @param {string} name */
const workflow = (name) => parse(readFileSync(join(FOLDER, name), 'utf8'));

test('the workflow that comments takes every input that decides the gate', () => {
  const { inputs } = workflow('perf-comment.yml').on.workflow_call;
  for (const name of ['config', 'working-directory', 'margin', 'fail-on']) assert.ok(name in inputs, name);
});

test('main.yml draws figures of the artifact that a job has left', () => {
  const { trend } = parse(readFileSync(join(RECIPES, 'main.yml'), 'utf8')).jobs;
  const download = trend.steps.find((/** @type {any} */ { uses = '' }) => uses.includes('download-artifact'));
  assert.equal(download.with.name, '${{ needs.perf.outputs.artifact }}');
  assert.match(PERF.jobs.report.outputs.artifact, /steps\.keep\.outcome == 'success' && /);
});

test('no script contains an expression, whose value would be executed', () => {
  for (const { run } of STEPS) assert.doesNotMatch(run ?? '', /\$\{\{/);
});

test("only GitHub's own actions are used, pinned by their full commit, with the version beside it", () => {
  const lines = TEXTS.flatMap((text) => text.match(/uses: (?!\.).*/g) ?? []);
  assert.ok(lines.length > 10);
  assert.equal(lines.length, STEPS.filter(({ uses = './' }) => !uses.startsWith('./')).length);
  for (const line of lines)
    assert.match(line, /^uses: actions(\/[\w-]+){1,2}@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

test('what was measured is checked out without links, by the runner’s own settings of git', async () => {
  const { steps } = PERF.jobs.report;
  const place = steps.findIndex((/** @type {any} */ { with: given }) => given?.path === 'measured');
  const cwd = scratch();
  const git = 'git -c user.name=a -c user.email=a@localhost';
  const run = (/** @type {string} */ script, /** @type {Record<string, string>} */ env = {}) =>
    promisify(execFile)('bash', ['-e', '-c', script], {
      cwd,
      env: { ...process.env, RUNNER_TEMP: cwd, ...env },
    });
  await run(`git init -q origin && cd origin && ln -s /etc link && git add . && ${git} commit -q -m links`);
  await run(steps[place - 1].run);
  const own = {
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: `url.file://${cwd}/origin.insteadOf`,
    GIT_CONFIG_VALUE_0: 'https://github.com/octo/app.git',
  };
  /** @type {Record<string, string>} */
  const given = steps[place].env;
  const env = Object.entries(given).map(([name, value]) => [
    name,
    value.replaceAll('${{ runner.temp }}', cwd),
  ]);
  // As actions/checkout does it.
  const checkout = 'git init -q measured && cd measured && git fetch -q https://github.com/octo/app.git HEAD';
  await run(`${checkout} && git checkout -q FETCH_HEAD`, { ...own, ...Object.fromEntries(env) });
  assert.equal(readFileSync(join(cwd, 'measured/link'), 'utf8'), '/etc');
});

test('uploads name the files that they take', () => {
  const { measure, report } = PERF.jobs;
  const uploads = [ACTION.runs, measure, report]
    .flatMap(({ steps }) => steps)
    .filter((/** @type {any} */ { uses }) => uses?.startsWith('actions/upload-artifact@'));
  const named = uploads.flatMap(({ with: given }) => String(given?.path).trim().split('\n'));
  assert.ok(named.length > 10);
  for (const path of named) assert.match(path, /\/[a-z]+\.(json|md|html)$/);
});

test('only the release workflow may sign, and it runs no package scripts', () => {
  const names = readdirSync(FOLDER);
  const signing = names.filter((name) =>
    /id-token|attestations/.test(readFileSync(join(FOLDER, name), 'utf8')),
  );
  assert.deepEqual(signing, ['release.yml']);
  const { permissions, jobs } = parse(readFileSync(join(FOLDER, 'release.yml'), 'utf8'));
  const rights = { contents: 'write', 'id-token': 'write', attestations: 'write' };
  assert.deepEqual([permissions, jobs.release.permissions], [{}, rights]);
  // Scripts of packages would have those rights.
  for (const { run = '' } of jobs.release.steps)
    if (/npm (ci|i\b)/.test(run)) assert.match(run, /--ignore-scripts/);
});

test('the SBOM of a release lists exactly the packages of the lock file', async () => {
  const { jobs } = parse(readFileSync(join(FOLDER, 'release.yml'), 'utf8'));
  const script = jobs.release.steps.find((/** @type {any} */ { run = '' }) => run.includes('npm sbom')).run;
  const cwd = scratch();
  for (const file of ['package.json', 'package-lock.json']) cpSync(join(ROOT, file), join(cwd, file));
  const commands = script.slice(script.indexOf('npm pkg'));
  await promisify(execFile)('bash', ['-e', '-c', commands], { cwd, env: { ...process.env, VERSION: '1' } });
  const stdout = readFileSync(join(cwd, 'perf-action-1.cdx.json'), 'utf8');
  const { components } = JSON.parse(stdout);
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  const locked = Object.entries(packages).filter(([place, { dev }]) => place !== '' && !dev);
  const named = locked.map(([place, { version }]) => `${place.split('node_modules/').at(-1)}@${version}`);
  const listed = components.map(
    (/** @type {any} */ { group, name, version }) => `${group ? `${group}/` : ''}${name}@${version}`,
  );
  assert.deepEqual([...new Set(listed)].sort(), [...new Set(named)].sort());
});

/** Actions whose input for a token has the job's as its default. */
const TAKES_TOKEN = /^actions\/(checkout|setup-\w+|attest-build-provenance)@|^\.\/$|^\.\/\.perf-action$/;

test('docs/security.md has every step of the action and of the workflows in one row, with the token where it gets one', () => {
  const [, table = ''] = readFileSync(join(ROOT, 'docs/security.md'), 'utf8').split('### Every step');
  const rows = table.match(/^\| \*\*.*$/gm)?.map((line) => line.split('|').map((cell) => cell.trim())) ?? [];
  const listed = rows.flatMap(([, cell = '', , holds = '']) => {
    const [, jobs = '', steps = ''] = /^(.*?): (.*)$/.exec(cell) ?? [];
    const names = steps.split('; ');
    return jobs.split(', ').flatMap((job) => names.map((name) => [job.replaceAll('**', ''), name, holds]));
  });
  const steps = JOBS.flatMap(([job, { steps = [] }]) =>
    steps.map(({ name, uses, run, env, with: given }) => {
      const isGiven = /github\.token|inputs\.github-token/.test(JSON.stringify([env, given]));
      const hasToken = isGiven || (TAKES_TOKEN.test(uses ?? '') && given?.token !== '');
      return { job, label: String(name ?? uses?.split('@')[0] ?? run), hasToken };
    }),
  );
  for (const { job, label, hasToken } of steps) {
    const found = listed.filter(([where, name]) => where === job && name === label);
    assert.equal(found.length, 1, `${job}: ${label}`);
    assert.equal(found[0]?.[2]?.startsWith('token'), hasToken, `${job}: ${label} holds ${found[0]?.[2]}`);
  }
  const known = new Set(steps.map(({ label }) => label));
  assert.deepEqual(
    listed.filter(([, name = '']) => !known.has(name)),
    [],
  );
});

test('jobs restore downloads and baselines alone, those of the tests also tools; beside them only the job that plans restores downloads', () => {
  const restored = JOBS.flatMap(([job, { steps = [] }]) =>
    steps
      .filter(({ uses = '' }) => uses.startsWith('actions/cache'))
      .map(({ with: { path } }) => ({ job, path })),
  ).filter(({ job }) => job !== 'ci.yml test');
  assert.ok(restored.length > 4);
  for (const { path } of restored) assert.match(path, /^~\/\.npm$|^~\/\.cache\/perf-action\/baselines\//);
  const downloads = restored.filter(({ path }) => path === '~/.npm').map(({ job }) => job);
  assert.deepEqual([...new Set(downloads)], ['action.yml', 'perf.yml plan']);
});
