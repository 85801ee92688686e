/** Where the results go: the summary always, the pull request where there is one and it may be written to. */

import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { postResults } from '../../scripts/github/comment/post.js';
import { scratch } from '../store/scratch.js';
import { job } from './job.js';

const RUN = fileURLToPath(new URL('../data/store/minimal-run.json', import.meta.url));
const MEASURED = JSON.parse(readFileSync(RUN, 'utf8'));
const PULL = { pull_request: { number: 7 } };

let dir = '';
beforeEach(() => {
  dir = scratch();
  cpSync(RUN, join(dir, 'run.json'));
});

/**
 * @param {object} event
 * @param {Partial<Parameters<typeof job>[1]>} [given]
 */
const post = (event, given) =>
  job(({ env }) => postResults({ dir, key: 'nightly', env }), { event, dir, ...given });

/** @param {object} changes */
const change = (changes) => writeFileSync(join(dir, 'run.json'), JSON.stringify({ ...MEASURED, ...changes }));

test('the pull request and the job summary get the same text', async () => {
  const { outputs, summary, bodies } = await post(PULL);
  assert.match(outputs.url, /pull\/7/);
  assert.match(bodies[0] ?? '', /^<!-- perf-action:nightly -->\n/);
  assert.equal(summary, `${bodies[0]}\n`);
});

test('only a run without a comparison gets the hint about against: base', async () => {
  const cases = MEASURED.cases.filter((/** @type {any} */ { trials }) => trials.length > 0);
  const trials = [{ round: 0, failure: { kind: 'never-ready', message: 'no answer' }, windows: [] }];
  const broken = cases.map((/** @type {object} */ measured) => ({ ...measured, trials }));
  /** @type {[event: object, changes: object, isHinted: boolean][]} */
  const runs = [
    [PULL, {}, true],
    [{ ref: 'refs/heads/main' }, {}, false],
    [PULL, { command: 'perf-action run --against=off' }, false],
    [PULL, { cases: broken }, false],
  ];
  for (const [event, changes, isHinted] of runs) {
    change({ cases, ...changes });
    const { summary } = await post(event);
    assert.equal(/`against: base`|baseline save/.test(summary), isHinted, JSON.stringify([event, changes]));
  }
});

test('a push, a plain issue and a missing token give a summary only, and the reason', async () => {
  /** @type {[event: object, env: NodeJS.ProcessEnv, reason: RegExp][]} */
  const jobs = [
    [{ ref: 'refs/heads/main' }, {}, /no pull request/],
    [{ issue: { number: 7 } }, {}, /no pull request/],
    [PULL, { PERF_GITHUB_TOKEN: '' }, /no token/],
  ];
  for (const [event, env, reason] of jobs) {
    const { outputs, summary, bodies } = await post(event, { env });
    assert.match(outputs.denied, reason);
    assert.match(summary, /^<!-- perf-action:nightly -->\n/);
    assert.deepEqual(bodies, []);
  }
});

/**
 * @param {object} base
 * @param {object} head
 * @param {object} rest
 */
const leaveComparison = (base, head, rest) =>
  writeFileSync(
    join(dir, 'comparison.json'),
    JSON.stringify({
      ...{ schema: 'perf-action/comparison@1', method: 'stored', warnings: [], base, head },
      ...rest,
    }),
  );

test('a comparison that an earlier run left in the folder is not reported', async () => {
  const side = { id: 'another', startedAt: '2026-11-01T00:00:00.000Z' };
  leaveComparison(side, side, { verdict: 'regressed', cases: [] });
  assert.doesNotMatch((await post(PULL)).summary, /Slower|Compared with/);
});

test('a case that only the base has is called by its name', async () => {
  const { id, startedAt, cases } = MEASURED;
  const gone = { ...cases[0], id: 'gone', serverName: 'Removed server' };
  mkdirSync(join(dir, 'base'));
  writeFileSync(join(dir, 'base/run.json'), JSON.stringify({ ...MEASURED, id: 'base', cases: [gone] }));
  const compared = { id: 'gone', verdict: 'unsure', only: 'base', metrics: [] };
  leaveComparison({ id: 'base', startedAt }, { id, startedAt }, { verdict: 'unsure', cases: [compared] });
  assert.match((await post(PULL)).bodies[0] ?? '', /- \*\*Removed server\*\*: removed/);
});

test('a skipped run updates an earlier comment, and creates one only on request', async () => {
  change({ revision: { sha: 'a'.repeat(40) } });
  const [body = ''] = (await post(PULL)).bodies;
  assert.match(body, /^<!-- perf-action:nightly -->\n<!-- of a{40} -->\n\n### /);
  change({ cases: [], warnings: [{ code: 'skipped', since: 'b'.repeat(40) }] });
  const none = await post(PULL);
  assert.match(none.outputs.denied, /nothing was measured/);
  assert.deepEqual(none.bodies, []);
  assert.match(none.summary, /### ⚪ Skipped: no changed file affects a server since commit bbbbbbbbbb\n$/);

  const type = /** @type {const} */ ('Bot');
  const comments = [{ id: 1, body, login: 'github-actions[bot]', type }];
  for (const _time of [1, 2]) {
    const { bodies } = await post(PULL, { comments });
    assert.match(bodies[0] ?? '', /⚪ Skipped: .*\n\nThe previous result here was for commit a{10}\.$/);
  }
  const asked = await post({ issue: { number: 7, pull_request: {} }, comment: { id: 3 } });
  assert.match(asked.bodies[0] ?? '', /^<!-- perf-action:nightly -->\n\n### ⚪ Skipped: [^\n]*$/);
});
