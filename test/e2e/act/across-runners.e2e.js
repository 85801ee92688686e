/**
 * The reusable workflow as a caller starts it: jobs, matrix and artifacts by act, real servers, real load.
 */

import assert from 'node:assert/strict';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { stringify } from 'yaml';
import { mergeShards } from '../../../scripts/github/split-run.js';
import { unpack } from '../actions/unpack.js';
import { openWorkshop } from '../actions/workshop.js';
import { startGitHub } from '../api/github.js';
import { gitIn, ROOT, runTool, withOf } from '../tools.js';

/** Two cases, and the reference under each of their loads. */
const ASKED = {
  servers: './app',
  connections: '4,16',
  rate: '200',
  rounds: '1',
  duration: '1s',
  warmup: '0',
  seed: '5',
};

/** Whose head answers with errors now and then: a verdict that no machine is too slow or too busy for. */
const FAULTY = 'const refuse = () => (count += 1) > 50 && count % 3 === 0;\nlet count = 0;\n';

/** @type {Awaited<ReturnType<typeof openWorkshop>>} */
let workshop;
/** @type {Awaited<ReturnType<typeof startGitHub>>} */
let github;
/** Of the repository's two commits. */
let [base, head] = ['', ''];
before(async () => {
  workshop = await openWorkshop();
  const cwd = workshop.repository;
  const git = gitIn(cwd);
  base = await git('rev-parse', 'HEAD');
  const server = join(cwd, 'app/server.js');
  const text = readFileSync(server, 'utf8').replace('writeHead(200,', 'writeHead(refuse() ? 503 : 200,');
  writeFileSync(server, `${text}\n${FAULTY}`);
  await git('commit', '-q', '-a', '-m', 'faulty');
  head = await git('rev-parse', 'HEAD');
});
after(() => workshop.remove());

const eventOf = () => ({ pull_request: { number: 7, base: { sha: base }, head: { sha: head } } });

/**
 * @param {object} inputs
 * @param {{ event?: object, checkout?: string }} [site]
 */
async function callWith(inputs, site = {}) {
  const { pull_request: pull = eventOf().pull_request } = /** @type {any} */ (site.event ?? {});
  const pullRequests = [{ number: 7, sha: pull.head.sha, from: 'octo/app:faulty' }];
  github = await startGitHub({ pullRequests });
  const workflow = {
    on: 'pull_request',
    permissions: { contents: 'read', 'pull-requests': 'write' },
    jobs: {
      perf: {
        uses: 'org/perf-action/.github/workflows/perf.yml@v1',
        with: withOf({ 'action-ref': 'v1', ...inputs }),
      },
    },
  };
  try {
    const job = { workflow, on: 'pull_request', event: eventOf(), apiUrl: github.url };
    return await workshop.runWorkflow({ ...job, ...site });
  } finally {
    github.close();
  }
}

/** @typedef {Record<'run.json' | 'base/run.json' | 'comparison.json', any>} Results */

/**
 * @param {Record<string, string>} texts by file
 * @returns {Results}
 */
function parseAll(texts) {
  const parsed = Object.entries(texts).filter(([name]) => name.endsWith('.json'));
  return /** @type {Results} */ (Object.fromEntries(parsed.map(([name, text]) => [name, JSON.parse(text)])));
}

/** @param {{ artifacts: Record<string, string> }} job */
const resultsOf = async ({ artifacts }) => parseAll(await unpack(artifacts['perf-results-perf']));

/** @param {string} dir */
const resultsIn = (dir) =>
  parseAll(
    Object.fromEntries(
      ['run.json', 'base/run.json', 'comparison.json'].map((name) => [
        name,
        readFileSync(join(dir, name), 'utf8'),
      ]),
    ),
  );

/**
 * @param {Results} results what does not depend on how fast anything was, nor on which machine measured it
 */
const shapeOf = ({ 'run.json': run, 'base/run.json': other, 'comparison.json': comparison }) => ({
  sides: [other, run].map(({ revision, seed, cases }) => ({
    sha: revision.sha,
    seed,
    cases: cases.map((/** @type {any} */ { id, request, load, reference, trials }) => ({
      id,
      request,
      load,
      reference,
      rounds: [...new Set(trials.map((/** @type {any} */ { round }) => round))],
      failures: trials.filter((/** @type {any} */ { failure }) => failure),
    })),
  })),
  compared: [comparison.method, comparison.verdict, comparison.base.sha, comparison.head.sha],
  verdicts: comparison.cases.map((/** @type {any} */ { id, verdict }) => [id, verdict]),
});

/** @type {Results} */
let whole;
test('one machine finds what the head does wrong', async () => {
  const flags = Object.entries({ ...ASKED, against: base }).map(([name, value]) => `--${name}=${value}`);
  const cwd = workshop.repository;
  const out = join(cwd, '../whole');
  const argv = [process.execPath, join(ROOT, 'scripts/cli.js'), 'run', ...flags, `--out=${out}`];
  const { code, output } = await runTool(argv, { cwd });
  assert.equal(code, 1, output);
  whole = resultsIn(out);
  assert.deepEqual(shapeOf(whole).compared, ['side-by-side', 'regressed', base, head]);
});

/** The artifacts that two runners and the last job left. @type {Record<string, string>} */
let ofTwo = {};

// Two are dealt a case each; how more are dealt, test/plan/shard.test.js shows. What one alone adds, the
// tests of one runner below show.
for (const shards of [1, 2]) {
  test(`over ${shards} runners it is the same verdict, reported once, and the check is as red`, async () => {
    const job = await callWith({ ...ASKED, shards, against: 'base' });
    assert.equal(job.code, 1, job.log);
    if (shards === 2) ofTwo = job.artifacts;
    const results = await resultsOf(job);
    assert.deepEqual(shapeOf(results), shapeOf(whole));
    assert.match(job.log, /::error.*The caller's app, 16 connections/);

    const [own, ...others] = github.comments;
    assert.equal(others.length, 0);
    assert.match(own?.body ?? '', /🔴/);
    assert.match(own?.body ?? '', /\[The whole report\]\(https:.*\/actions\/runs\/\d+\/artifacts\/\d+\)/);
    assert.equal(job.log.match(/Summary - <!-- perf-action/g)?.length, 1);

    const numbers = Array.from({ length: shards }, (_, place) => place + 1);
    const ofReference = results['run.json'].cases.filter((/** @type {any} */ each) => each.reference);
    assert.equal(ofReference.length, 2);
    for (const { trials } of ofReference)
      assert.deepEqual(
        trials.map((/** @type {any} */ { block }) => block),
        numbers,
      );
    const brought = job.called.filter(({ given }) => given.repository === 'org/perf-action');
    assert.deepEqual(
      brought.map(({ given }) => given.ref),
      Array(shards + 2).fill('v1'),
    );
  });
}

test('two kinds of machine measure the same cases: one comment has a column for each, and a report of each is kept', async () => {
  const labels = ['ubuntu-latest', 'self-hosted'];
  const asked = { ...ASKED, connections: '16', machines: JSON.stringify(labels), against: 'base' };
  const job = await callWith(asked);
  assert.equal(job.code, 1, job.log);
  const [own, ...others] = github.comments;
  assert.equal(others.length, 0);
  const [head = '', , row = ''] = own?.body.match(/^\| Case.*\n.*\n.*$/m)?.[0].split('\n') ?? [];
  const cells = (/** @type {string} */ line) => line.split('|').map((cell) => cell.trim());
  assert.deepEqual(cells(head).slice(2, -1).toSorted(), labels.toSorted());
  for (const cell of cells(row).slice(2, -1)) assert.match(cell, /^regressed: Errors/);
  const files = await unpack(job.artifacts['perf-results-perf']);
  const runs = labels.map((label) => JSON.parse(files[`machines/${label}/run.json`] ?? '').id);
  assert.equal(new Set(runs).size, 2);
  assert.ok(runs.includes(JSON.parse(files['run.json'] ?? '').id));
});

test('one of two runners is lost: the other one’s figures are judged, and the check is red for both reasons', async () => {
  const cwd = workshop.repository;
  const temp = mkdtempSync(join(cwd, '../temp-'));
  const shards = join(temp, 'perf-shards');
  cpSync(String(ofTwo['perf-shard-perf@1']), join(shards, 'perf-shard-perf@1.zip'));
  const env = {
    PERF_INPUTS: JSON.stringify(withOf({ ...ASKED, against: 'base' })),
    PERF_SEED: ASKED.seed,
    PERF_COUNT: '2',
    PERF_SHARDS: shards,
    PERF_CHECKOUT: cwd,
    RUNNER_TEMP: temp,
    GITHUB_REPOSITORY: 'octo/app',
  };
  const outputs = await mergeShards({ env, cwd, signal: new AbortController().signal });
  assert.equal(outputs?.code, '1');
  const results = resultsIn(String(outputs?.['results-path']));
  const { 'run.json': run, 'comparison.json': comparison } = results;
  const lost = run.warnings.find((/** @type {any} */ { code }) => code === 'shards-missing');
  assert.deepEqual([lost.shards, lost.of], [[2], 2]);
  assert.match(lost.cases[0], /^app /);
  const verdicts = new Map(shapeOf(whole).verdicts);
  assert.ok(comparison.cases.length > 0 && comparison.cases.length < verdicts.size);
  for (const { id, verdict } of comparison.cases) assert.equal(verdict, verdicts.get(id));
  assert.deepEqual([comparison.base.sha, comparison.head.sha], [base, head]);
  assert.match(
    readFileSync(join(String(outputs?.['results-path']), 'report.md'), 'utf8'),
    /🔴[^]*shard 2 of 2 left no results/,
  );
});

/**
 * A pull request that tries to be run by the job that may comment: each way would leave its name in a folder.
 * @param {string} cwd a clone
 * @param {string} marks
 */
function trap(cwd, marks) {
  const mark = (/** @type {string} */ way) => `echo "$PWD" >> '${marks}/${way}'`;
  const scripts = {
    preinstall: mark('preinstall'),
    postinstall: mark('postinstall'),
    prepare: mark('prepare'),
  };
  writeFileSync(join(cwd, 'package.json'), JSON.stringify({ name: 'trap', scripts }));
  writeFileSync(
    join(cwd, 'evil.cjs'),
    `require('fs').appendFileSync('${marks}/required', process.argv.join(' '));`,
  );
  writeFileSync(join(cwd, '.npmrc'), 'node-options=--require ./evil.cjs\nscript-shell=./evil.sh\n');
  writeFileSync(join(cwd, 'evil.sh'), `#!/bin/sh\n${mark('shell')}\n`, { mode: 0o755 });
  writeFileSync(join(cwd, '.node-version'), '0.10\n');
  mkdirSync(join(cwd, '.perf-action/scripts/github'), { recursive: true });
  writeFileSync(join(cwd, '.perf-action/package.json'), JSON.stringify({ name: 'trap', scripts }));
  writeFileSync(join(cwd, '.perf-action/scripts/github/action.js'), `require('./../../../evil.cjs');`);
  // Where the action, the figures and the results would lie.
  for (const name of ['perf-shards', 'perf-shard-perf@1', 'measured'])
    symlinkSync('.perf-action', join(cwd, name));
  const server = { id: 'app', name: 'Trapped', start: 'node app/server.js', routes: [{ path: '/' }] };
  writeFileSync(join(cwd, 'perf.yml'), stringify({ servers: [{ ...server, install: mark('install') }] }));
}

test('the job that may comment merges and reports what one runner measured, and runs nothing of the pull request', async () => {
  const cwd = join(workshop.repository, '../trapped');
  const marks = join(workshop.repository, '../marks');
  mkdirSync(marks);
  const git = gitIn(cwd);
  await gitIn(workshop.repository)('clone', '-q', '.', cwd);
  await git('remote', 'set-url', 'origin', 'https://github.com/octo/app.git');
  await git('checkout', '-q', '-B', 'main', base);
  trap(cwd, marks);
  await git('add', '-f', '.');
  await git('commit', '-q', '-m', 'trapped');
  const sha = await git('rev-parse', 'HEAD');
  const pull_request = { number: 7, base: { sha: base }, head: { sha } };
  const { servers: _, ...load } = { ...ASKED, connections: '4' };
  const inputs = { ...load, against: 'off' };
  const job = await callWith(inputs, { checkout: cwd, event: { pull_request } });
  assert.equal(job.code, 0, job.log);
  assert.match(github.comments[0]?.body ?? '', /Trapped/);
  // Measuring installs, in a place of its own; nothing else of it is ever run, in any job.
  assert.deepEqual(readdirSync(marks), ['install'], job.log);
  const places = readFileSync(join(marks, 'install'), 'utf8').trim().split('\n');
  assert.equal(places.length, 1, places.join());
  const { 'run.json': run, 'comparison.json': comparison } = await resultsOf(job);
  assert.deepEqual(
    [run.cases.map((/** @type {any} */ { server }) => server), run.shard, comparison],
    [['node-http', 'app'], undefined, undefined],
  );
  assert.equal(job.log.match(/Summary - <!-- perf-action/g)?.length, 1);
});
