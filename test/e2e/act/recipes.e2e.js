/**
 * The recipes that measure the project's own branches, and what follows from their results: an issue, pages.
 */

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { keepRun } from '../../../scripts/history/past-runs.js';
import { unpack } from '../actions/unpack.js';
import { openWorkshop, readRecipe } from '../actions/workshop.js';
import { withGitHub } from '../api/github.js';
import { gitIn, ROOT, runTool, toolEnvironment } from '../tools.js';
import { scratchFolder } from '../../scratch.js';

const NAME = 'perf-results-perf';
const PERF_YML = `
servers: [./app]
load: { connections: 8, rate: 100, duration: 1s, warmup: 0s }
rounds: 2
reference: off
failOn: never
`;
const SCRATCH = scratchFolder();

/** @type {Awaited<ReturnType<typeof openWorkshop>>} */
let workshop;
/** @type {ReturnType<typeof gitIn>} */
let git;
let [base, head] = ['', ''];
before(async () => {
  workshop = await openWorkshop();
  git = gitIn(workshop.repository);
  base = await git('rev-parse', 'HEAD');
  writeFileSync(join(workshop.repository, 'perf.yml'), PERF_YML);
  await git('add', '.');
  await git('commit', '-q', '-m', 'configuration');
  head = await git('rev-parse', 'HEAD');
});
after(() => {
  workshop.remove();
});

/**
 * @param {string} file
 * @param {string} on
 * @param {object} event
 * @param {{ env?: Record<string, string>, artifacts?: string }} [more]
 */
const runRecipe = (file, on, event, more) =>
  withGitHub({ mayWrite: false }, async ({ url }) => {
    const job = await workshop.runWorkflow({ workflow: readRecipe(file), on, event, apiUrl: url, ...more });
    assert.equal(job.code, 0, job.log);
    return job;
  });

/**
 * @param {Awaited<ReturnType<typeof runRecipe>>} job
 * @param {string} [name]
 */
const resultsOf = async ({ artifacts }, name = NAME) => {
  const results = await unpack(artifacts[name]);
  const [run, comparison] = ['run.json', 'comparison.json'].map((name) =>
    JSON.parse(results[name] ?? 'null'),
  );
  assert.deepEqual(
    run.cases.map((/** @type {any} */ { server, trials }) => [server, trials.length]),
    [['app', 2]],
  );
  return { run, comparison };
};

/**
 * @param {{ run: string }} step
 * @param {Record<string, string>} env for `gh`, and its own
 * @param {string} [cwd]
 */
const runStep = ({ run }, env, cwd = SCRATCH) =>
  runTool(['bash', '-e', '-c', run], {
    cwd,
    env: { PATH: `${workshop.bin}:${toolEnvironment().PATH}`, GH_REPO: 'octo/app', GH_TOKEN: 'x', ...env },
  });

/** The pull request's run, and the folder that keeps its artifacts. */
const kept = join(SCRATCH, 'artifacts');
/** @type {any} */
let measured;
test('pull-request.yml compares a pull request with what it is merged into, and leaves its results', async () => {
  const event = { pull_request: { number: 7, head: { sha: head }, base: { sha: base } } };
  const { run, comparison } = await resultsOf(
    await runRecipe('pull-request.yml', 'pull_request', event, { artifacts: kept }),
  );
  assert.deepEqual([comparison.base.sha, comparison.head.sha], [base, head]);
  measured = run;
});

const releases = join(SCRATCH, 'releases.json');
writeFileSync(releases, JSON.stringify({ releases: ['v0.9.0', 'v1.0.0'] }));

test('release.yml finds the last release', async () => {
  const outputs = join(SCRATCH, 'outputs');
  const { code, output } = await runStep(readRecipe('release.yml').jobs.release.steps[0], {
    GITHUB_OUTPUT: outputs,
    STAND_IN_ISSUES: releases,
  });
  assert.equal(code, 0, output);
  assert.equal(readFileSync(outputs, 'utf8'), 'tag=v1.0.0\n');
});

test(
  'release.yml compares a pull request with the last release, beside the comparison with what it is merged into',
  { skip: !process.env.PERF_TEST_ALL },
  async () => {
    await git('tag', 'v1.0.0', base);
    const event = { pull_request: { number: 7, head: { sha: head }, base: { sha: head } } };
    const more = { env: { STAND_IN_ISSUES: releases } };
    const job = await runRecipe('release.yml', 'pull_request', event, more);
    const { comparison } = await resultsOf(job, 'perf-results-release');
    assert.deepEqual([comparison.base.sha, comparison.head.sha], [base, head]);
  },
);

test('schedule.yml opens an issue after a slower night', async () => {
  // So fast that no noise hides how much slower the night is.
  const { session: _, ...stored } = structuredClone(measured);
  for (const { windows } of stored.cases[0].trials) for (const window of windows) window.requests *= 1e6;
  delete stored.cases[0].summary;
  mkdirSync(join(workshop.repository, 'baselines'));
  writeFileSync(join(workshop.repository, 'baselines/nightly.json'), JSON.stringify(stored));
  try {
    await git('add', '.');
    await git('commit', '-q', '-m', 'baseline');
    const file = join(SCRATCH, 'night.json');
    const event = { schedule: '17 3 * * *' };
    const night = await runRecipe('schedule.yml', 'schedule', event, { env: { STAND_IN_ISSUES: file } });
    const { comparison } = await resultsOf(night);
    assert.deepEqual([comparison.base.id, comparison.method], [stored.id, 'stored']);
    assert.equal(comparison.verdict, 'regressed');
    const { issues } = JSON.parse(readFileSync(file, 'utf8'));
    assert.deepEqual(
      issues.map((/** @type {any} */ { state }) => state),
      ['open'],
      night.log,
    );
    assert.match(issues[0].bodies[0], /^https:\/\/github\.com\/octo\/app\/actions\/runs\/\d+$/);
  } finally {
    await git('reset', '-q', '--hard', head);
  }
});

test('one issue is open while nights are slower, and closed when they no longer are', async () => {
  const { issue } = readRecipe('schedule.yml').jobs;
  const file = join(SCRATCH, 'issues.json');
  const after = async (/** @type {string[]} */ ...verdicts) => {
    for (const VERDICT of verdicts) {
      const env = { RUN: 'the run', VERDICT, STAND_IN_ISSUES: file };
      const { code, output } = await runStep(issue.steps[0], env);
      assert.equal(code, 0, output);
    }
    return JSON.parse(readFileSync(file, 'utf8')).issues.map((/** @type {any} */ { state, bodies }) => [
      state,
      bodies.length,
    ]);
  };
  assert.deepEqual(await after('same'), []);
  assert.deepEqual(await after('regressed', 'regressed'), [['open', 2]]);
  assert.deepEqual(await after('improved', 'same'), [['closed', 3]]);
  assert.deepEqual(await after('regressed'), [
    ['closed', 3],
    ['open', 1],
  ]);
});

test('bisect.yml searches between two commits, and the job summary has the answer', async () => {
  const clone = join(SCRATCH, 'searched');
  await gitIn(SCRATCH)('clone', '-q', workshop.repository, clone);
  // No changed file affects a server, so nothing is measured.
  await gitIn(clone)('commit', '-q', '--allow-empty', '-m', 'nothing');
  const npx = `#!/bin/sh\nshift\nexec node '${ROOT}scripts/cli.js' "$@"\n`;
  writeFileSync(join(workshop.bin, 'npx'), npx, { mode: 0o755 });
  const summary = join(SCRATCH, 'summary.md');
  const [, search, summarize] = readRecipe('bisect.yml').jobs.bisect.steps;
  const env = { GOOD: 'HEAD~1', BAD: 'HEAD', RUNNER_TEMP: SCRATCH, GITHUB_STEP_SUMMARY: summary };
  const searched = await runStep(search, env, clone);
  assert.equal(searched.code, 3, searched.output);
  const summarized = await runStep(summarize, env, clone);
  assert.equal(summarized.code, 0, summarized.output);
  assert.match(readFileSync(summary, 'utf8'), /^    🟢 Nothing to find: the two commits are equally fast\./);
});

test('pages.yml publishes a page made of the figures, whatever page the run has left', async () => {
  await git('branch', 'gh-pages', base);
  // Days are compared beside a reference.
  const [ofApp] = measured.cases;
  await storeRun({ ...measured, cases: [ofApp, { ...ofApp, id: 'reference', reference: true }] });
  const ended = { id: 1, conclusion: 'success', event: 'pull_request', head_sha: head };
  await runRecipe('pages.yml', 'workflow_run', { workflow_run: ended }, { artifacts: kept });
  const report = await git('show', `gh-pages:reports/${head}/index.html`);
  assert.match(report, /^<!doctype html>[^]*app/i);
  assert.match(await git('show', 'gh-pages:trend.html'), /^<!doctype html>[^]*app/i);
  const published = await git('rev-parse', 'gh-pages');
  const failed = { ...ended, conclusion: 'failure' };
  const nothing = { artifacts: join(SCRATCH, 'no-artifacts') };
  const { log } = await runRecipe('pages.yml', 'workflow_run', { workflow_run: failed }, nothing);
  assert.match(log, /the run left no results, so no page is published/);
  assert.equal(await git('rev-parse', 'gh-pages'), published);
});

/** As `baseline-store: branch` does. @param {import('../../../scripts/types.js').Run} run */
async function storeRun(run) {
  const clone = join(SCRATCH, 'stored');
  await gitIn(SCRATCH)('clone', '-q', workshop.repository, clone);
  const inClone = gitIn(clone);
  await inClone('switch', '-q', '--orphan', 'perf-baselines');
  await keepRun(run, clone, 1);
  await inClone('add', '.');
  await inClone('commit', '-q', '-m', 'baseline');
  await inClone('push', '-q', 'origin', 'perf-baselines');
}
