/**
 * What happens on the main branch: runs that are kept, figures over time, a release. Real git, branches on a
 * disk.
 */

import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { after, before, test } from 'node:test';
import { parse } from 'yaml';
import { unpack } from '../actions/unpack.js';
import { openWorkshop, readRecipe } from '../actions/workshop.js';
import { startGitHub } from '../api/github.js';
import { gitIn, ROOT, runTool, toolEnvironment, withOf } from '../tools.js';
import { scratchFolder } from '../../scratch.js';

const TREND = 'benchmark-action/github-action-benchmark';
const PERF_YML =
  'servers: [./app]\nload: { connections: 8, rate: 100, duration: 1s, warmup: 0s }\nrounds: 1\nreference: off\nfailOn: never\n';

const SCRATCH = scratchFolder();
/** Where GitHub would keep the repository. */
const REMOTE = join(SCRATCH, 'octo/app.git');
/** @type {Awaited<ReturnType<typeof openWorkshop>>} */
let workshop;

/**
 * @param {string} cwd
 * @param {string[]} args
 */
const git = (cwd, ...args) => gitIn(cwd)(...args);

before(async () => {
  workshop = await openWorkshop();
  writeFileSync(join(workshop.repository, 'perf.yml'), PERF_YML);
  await git(workshop.repository, 'add', '.');
  await git(workshop.repository, 'commit', '-q', '-m', 'configuration');
  await git(SCRATCH, 'clone', '-q', '--bare', workshop.repository, REMOTE);
});
after(() => {
  workshop.remove();
});

/** Git goes to the disk for what is GitHub's. */
const TO_DISK = {
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: `url.file://${SCRATCH}/.insteadOf`,
  GIT_CONFIG_VALUE_0: 'https://github.com/',
};

/**
 * @param {object} workflow
 * @param {string} apiUrl
 */
async function push(workflow, apiUrl) {
  const sha = await git(workshop.repository, 'rev-parse', 'HEAD');
  const event = {
    ref: 'refs/heads/main',
    after: sha,
    head_commit: { id: sha, message: 'a change', author: { username: 'ann' } },
    repository: { full_name: 'octo/app', default_branch: 'main' },
  };
  return workshop.runWorkflow({ workflow, on: 'push', event, apiUrl, env: TO_DISK });
}

/** The action in one job. @param {Record<string, string>} inputs */
function oneJob(inputs) {
  const checkout = readRecipe('main.yml').jobs.trend.steps[0];
  const steps = [checkout, { uses: 'org/perf-action@v1', with: withOf(inputs) }];
  return { on: 'push', jobs: { perf: { 'runs-on': 'ubuntu-latest', steps } } };
}

test('a push is kept as a baseline and drawn by a job that measured nothing; no checkout is touched', async () => {
  const github = await startGitHub();
  try {
    const job = await push(readRecipe('main.yml'), github.url);
    assert.equal(job.code, 0, job.log);
    const stored = await git(REMOTE, 'ls-tree', '-r', '--name-only', 'perf-baselines');
    assert.equal(stored.split('\n').filter((file) => file.endsWith('.json')).length, 1);
    const drawn = job.called.filter(({ name }) => name === TREND).map(({ given }) => given);
    assert.deepEqual(
      drawn.map((given) => [given.tool, given['auto-push'], given['output-file-path']?.split('/').at(-1)]),
      [
        ['customBiggerIsBetter', 'true', 'throughput.json'],
        ['customSmallerIsBetter', 'true', 'p99.json'],
      ],
    );
    assert.equal(await git(workshop.repository, 'status', '--porcelain'), '');
  } finally {
    github.close();
  }
});

test('another machine finds what a job keeps in GitHub’s cache', async () => {
  const github = await startGitHub();
  const home = join(SCRATCH, 'home');
  mkdirSync(home);
  const env = { ...TO_DISK, HOME: home, npm_config_cache: join(homedir(), '.npm') };
  const userconfig = join(homedir(), '.npmrc');
  /** @type {Record<string, string>} */
  const settings = existsSync(userconfig) ? { npm_config_userconfig: userconfig } : {};
  try {
    const push = async (/** @type {string} */ run) => {
      const job = await workshop.runWorkflow({
        workflow: oneJob({ 'baseline-store': 'cache', 'comment-key': 'perf-api' }),
        on: 'push',
        event: { ref: 'refs/heads/main', repository: { full_name: 'octo/app', default_branch: 'main' } },
        apiUrl: github.url,
        env: { ...env, ...settings, GITHUB_RUN_ID: run },
      });
      assert.equal(job.code, 0, job.log);
      // A hosted machine has nothing of the one before.
      rmSync(join(home, '.cache/perf-action/baselines'), { recursive: true });
      return job.log;
    };
    assert.doesNotMatch(await push('1'), /Compared with/);
    assert.match(await push('2'), /Compared with/);
  } finally {
    github.close();
  }
});

/** Makes the only stored run so fast that no noise hides it. */
async function quickenStored() {
  const clone = mkdtempSync(join(SCRATCH, 'quicken-'));
  await git(SCRATCH, 'clone', '-q', '--branch', 'perf-baselines', REMOTE, clone);
  const [file = ''] = (await git(clone, 'ls-files', '*.json')).split('\n');
  const run = JSON.parse(readFileSync(join(clone, file), 'utf8'));
  const app = run.cases.find((/** @type {any} */ { server }) => server === 'app');
  for (const { windows } of app.trials) for (const window of windows) window.requests *= 1e6;
  writeFileSync(join(clone, file), JSON.stringify(run));
  await git(clone, 'commit', '-q', '-a', '-m', 'quicker');
  await git(clone, 'push', '-q', 'origin', 'HEAD:perf-baselines');
}

test('the next push, which is slower, fails its gate and is stored as such', async () => {
  const github = await startGitHub();
  try {
    await quickenStored();
    const inputs = { 'baseline-store': 'branch', rounds: '4', 'fail-on': 'regressed' };
    const job = await push(oneJob(inputs), github.url);
    assert.equal(job.code, 1, job.log);
    const results = await unpack(job.artifacts['perf-results-perf']);
    const run = JSON.parse(String(results['run.json']));
    assert.deepEqual(run.gate, { failed: [run.cases.at(-1).id] });
    const { base } = JSON.parse(String(results['comparison.json']));
    assert.deepEqual([base.stored.used.length, base.stored.left], [1, []]);
    const stored = await git(REMOTE, 'ls-tree', '-r', '--name-only', 'perf-baselines');
    assert.equal(stored.split('\n').filter((file) => file.endsWith('.json')).length, 2);
    assert.equal(await git(workshop.repository, 'status', '--porcelain'), '');
  } finally {
    github.close();
  }
});

/**
 * This project as a separate repository, its remote on the disk.
 * @param {string} name
 */
async function makeProject(name) {
  const project = join(SCRATCH, name);
  for (const file of ['package.json', 'package-lock.json', 'CHANGELOG.md', 'scripts', 'tools']) {
    mkdirSync(project, { recursive: true });
    cpSync(join(ROOT, file), join(project, file), { recursive: true });
  }
  writeFileSync(join(project, '.gitignore'), 'node_modules/\n');
  await git(project, 'init', '-q', '-b', 'main');
  await git(project, 'add', '.');
  const renamed = await runTool(['npm', 'run', 'name', '--', `octo/${name}`], { cwd: project });
  assert.equal(renamed.code, 0, renamed.output);
  await git(project, 'commit', '-q', '-a', '-m', 'all of it');
  const remote = join(SCRATCH, `octo/${name}.git`);
  await git(SCRATCH, 'clone', '-q', '--bare', project, remote);
  await git(project, 'remote', 'add', 'origin', `https://github.com/octo/${name}.git`);
  return { project, remote };
}

/**
 * @param {string} project
 * @param {string} version
 * @param {string} apiUrl
 */
function release(project, version, apiUrl) {
  const workflow = parse(readFileSync(join(ROOT, '.github/workflows/release.yml'), 'utf8'));
  return workshop.runWorkflow({
    workflow,
    on: 'workflow_dispatch',
    event: {
      ref: 'refs/heads/main',
      inputs: { version },
      repository: { full_name: 'octo/project', default_branch: 'main' },
    },
    apiUrl,
    checkout: project,
    // The site's own program stands on its runners: here it says what it was given, as far as that is there.
    env: { ...TO_DISK, BASH_ENV: ghIn(project) },
  });
}

/**
 * The workflow's step alone.
 * @param {string} project
 * @param {string} version
 * @param {NodeJS.ProcessEnv} env
 */
function releaseHere(project, version, env) {
  const event = join(SCRATCH, `${basename(project)}-event.json`);
  writeFileSync(event, JSON.stringify({ repository: { default_branch: 'main' } }));
  const step = {
    ...TO_DISK,
    GITHUB_EVENT_NAME: 'workflow_dispatch',
    GITHUB_EVENT_PATH: event,
    GITHUB_REF: 'refs/heads/main',
    GITHUB_REPOSITORY: 'octo/project',
    PERF_GITHUB_TOKEN: 'ghs_of-a-test',
  };
  const argv = [process.execPath, join(ROOT, 'tools/release.js'), version];
  return runTool(argv, { cwd: project, env: { ...toolEnvironment(), ...step, ...env } });
}

/** What makes a shell know `gh`. @type {(project: string) => string} */
function ghIn(project) {
  const file = join(SCRATCH, `${basename(project)}-gh.sh`);
  writeFileSync(file, `gh() { echo "gh $1 $2 $3"; for file in "\${@:4}"; do wc -c "$file"; done; }\n`);
  return file;
}

test('a release tags the commit of its changelog, moves v1, publishes the notes; twice the same is refused', async () => {
  const github = await startGitHub();
  try {
    const { project, remote } = await makeProject('project');
    await git(remote, 'tag', 'v1');
    const made = await release(project, '1.2.3', github.url);
    assert.equal(made.code, 0, made.log);
    const at = (/** @type {string} */ ref) => git(remote, 'rev-parse', `${ref}^{commit}`);
    assert.equal(await at('v1.2.3'), await at('main'));
    assert.equal(await at('v1'), await at('main'));
    assert.match(
      await git(remote, 'show', 'main:CHANGELOG.md'),
      /^## Unreleased\n\n## 1\.2\.3 \(\d{4}-\d\d-\d\d\)\n/m,
    );
    const versioned = JSON.parse(await git(remote, 'show', 'main:package-lock.json'));
    assert.deepEqual([versioned.version, versioned.packages[''].version], ['1.2.3', '1.2.3']);
    assert.equal(JSON.parse(await git(remote, 'show', 'main:package.json')).version, '1.2.3');
    assert.match(
      made.log,
      /Summary - .*\/releases\/.* is published\. Only a person can list it in the Marketplace/,
    );
    assert.match(made.log, /gh release upload v1\.2\.3\n[^]* [1-9]\d+ perf-action-1\.2\.3\.cdx\.json\n/);
    assert.match(made.log, / [1-9]\d+ perf-action-1\.2\.3\.tar\.gz\n/);
    const signed = made.called.filter(({ name }) => name === 'actions/attest-build-provenance');
    assert.deepEqual(
      signed.map(({ given }) => given['subject-path']),
      ['perf-action-*'],
    );
    const [published, ...others] = github.releases;
    assert.equal(others.length, 0);
    assert.equal(published?.tag_name, 'v1.2.3');
    assert.match(published?.body ?? '', /^- /);

    const refs = await git(remote, 'for-each-ref');
    /** @type {[version: string, env: NodeJS.ProcessEnv, message: RegExp][]} */
    const refusals = [
      ['1.2.3', {}, /^release: v1\.2\.3 already exists; choose a later version\n$/],
      ['1.1.9', {}, /^release: v1\.2\.3 already exists; choose a later version\n$/],
      ['1.2', {}, /^release: "1\.2" is not a version like 1\.2\.3\n$/],
      [
        '1.3.0',
        { GITHUB_REPOSITORY: 'ann/project' },
        /^release: package\.json names octo\/project, but this is ann\/project; run npm run name/,
      ],
      ['1.3.0', { GITHUB_REF: 'refs/heads/feature' }, /^release: releases are made from the default branch/],
    ];
    for (const [version, env, message] of refusals) {
      const { code, output } = await releaseHere(project, version, { GITHUB_API_URL: github.url, ...env });
      assert.equal(code, 2, output);
      assert.match(output, message);
    }
    assert.equal(await git(remote, 'for-each-ref'), refs);
    assert.equal(github.releases.length, 1);
  } finally {
    github.close();
  }
});

test('a release whose notes GitHub refuses says that the tag stands, and what publishes them', async () => {
  const github = await startGitHub({ mayWrite: false });
  try {
    const { project, remote } = await makeProject('refused');
    await git(remote, 'tag', 'v1.9.0');
    const env = { GITHUB_API_URL: github.url, GITHUB_REPOSITORY: 'octo/refused' };
    const { code, output } = await releaseHere(project, '1.10.0', env);
    assert.notEqual(code, 0);
    assert.match(
      output,
      /release: v1\.10\.0 is pushed, .*403.*gh release create v1\.10\.0 --notes-from-tag publishes them/,
    );
    assert.match(await git(remote, 'tag', '--list', '--format=%(contents)', 'v1.10.0'), /^- /m);
  } finally {
    github.close();
  }
});
