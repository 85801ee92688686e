/** A search for a commit in a job ends in time, and a stranger's result is posted as escaped text. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { defined } from '../../scripts/model/defined.js';
import { searchCommit } from '../../scripts/github/commands/bisect.js';
import { receive } from '../../scripts/github/comment/post-artifact.js';
import { STEPS } from '../../scripts/github/action/steps.js';
import { readSearch } from '../../scripts/session/experiments/bisect.js';
import { zip } from '../e2e/actions/zip.js';
import { run, runCase } from '../store/runs.js';
import { scratch } from '../store/scratch.js';
import { job } from './job.js';

/** @import { Bisection, BisectStep, Comparison } from '../../scripts/types.js' */

const [GOOD = '', PARENT = '', COMMIT = '', BAD = ''] = ['a', 'b', 'c', 'd'].map((digit) => digit.repeat(40));

/** @type {(commit: string, base: string, subject?: string) => BisectStep} */
const slower = (commit, base, subject = 'a change') => ({
  commit,
  base,
  subject,
  verdict: 'regressed',
  case: 'api',
  change: {
    metric: 'cpuPerRequest',
    verdict: 'regressed',
    effectPct: 5,
    ciPct: [4, 6],
    why: { code: 'changed', byPct: 5, halfIntervalPct: 1 },
  },
  promise: { falseAlarms: 0.01, outside: [] },
});

/** @type {Bisection} */
const FOUND = {
  schema: 'perf-action/bisection@1',
  good: GOOD,
  bad: BAD,
  out: 'perf-results',
  options: {},
  wanted: { id: 'api', leastPct: 4 },
  steps: [
    slower(BAD, GOOD),
    { commit: PARENT, base: GOOD, subject: 'fine', verdict: 'same' },
    slower(COMMIT, PARENT, 'slow it down'),
  ],
  outcome: { code: 'found', commit: COMMIT, parent: PARENT },
};
/** @type {Bisection} */
const { outcome: _, ...UNFINISHED } = { ...FOUND, steps: FOUND.steps.slice(0, 2) };

/** @param {string | undefined} search what the artifact holds as bisection.json @param {object} [last] as run.json */
function received(search, last = {}) {
  const bytes = zip([
    { name: 'run.json', data: JSON.stringify(last) },
    ...(search === undefined ? [] : [{ name: 'bisection.json', data: search }]),
  ]);
  const artifacts = [{ id: 5, run: 99, name: 'perf-results-perf', bytes }];
  const event = {
    issue: { number: 7, pull_request: {} },
    comment: { id: 3, body: '/perf bisect v1', user: { login: 'octo' } },
  };
  const env = { GITHUB_RUN_ID: '99', PERF_INPUTS: JSON.stringify({ sha: BAD }) };
  return job(receive, { event, env, artifacts: () => artifacts });
}

test('the answer names the commit, its interval, the certainty and every try', async () => {
  const { outputs, bodies, summary } = await received(JSON.stringify(FOUND));
  assert.match(outputs['comment-url'], /pull\/7#issuecomment/);
  const [body = ''] = bodies;
  assert.equal(bodies.length, 1);
  assert.match(
    body,
    /^<!-- perf-action:perf\.bisect -->\n\n### 🔴 cccccccccc "slow it down" made api slower\.\n\n/,
  );
  assert.match(body, /_Searched by \[a run\]\(.*\/actions\/runs\/99\) .*, up to dddddddddd\._/);
  assert.match(
    body,
    /Compared with its parent bbbbbbbbbb: CPU per request \+5\.0\s% \(\+4\.0 to \+6\.0\s%\)\. False alarms: at most 1 /,
  );
  assert.match(
    body,
    /<summary>3 comparisons<\/summary>[^]*\| dddddddddd .*\n\| bbbbbbbbbb .*no change.*\n\| cccccccccc /,
  );
  assert.equal(summary, `${body.replace(/^.*\n\n/, '')}\n`);
});

test('the answer calls the case as a report does, where the artifact has the last run', async () => {
  const last = run({ cases: [{ ...runCase('api'), id: 'api', serverName: 'Orders @octo' }] });
  const [body = ''] = (await received(JSON.stringify(FOUND), last)).bodies;
  assert.match(body, /### 🔴 cccccccccc "slow it down" made Orders @\u200bocto slower\./);
});

test('an answer to an unfinished search says what is known and how to finish it', async () => {
  const [body = ''] = (await received(JSON.stringify(UNFINISHED))).bodies;
  assert.match(body, /### 🟡 The search ran out of time after 2 comparisons\n/);
  assert.match(body, /The commits after bbbbbbbbbb, up to dddddddddd, remain\./);
  assert.match(
    body,
    /\ngh run download 99 --repo octo\/app --name perf-results-perf --dir perf-results\nperf-action bisect --resume perf-results\n/,
  );
});

test('text from a search is escaped, and an oversized search is rejected', async () => {
  const evil = '<img src=x> @octo [x](http://evil) `$(id)`';
  const hostile = { ...FOUND, wanted: { id: evil, leastPct: 1 }, steps: [slower(COMMIT, PARENT, evil)] };
  const [body = ''] = (await received(JSON.stringify(hostile))).bodies;
  assert.match(body, /made &lt;img/);
  assert.doesNotMatch(
    body.replace(/^_Searched.*$|^\[The whole.*$/gm, ''),
    /<img|@octo|(?<!\\)\]\(|:\/\/|\$\(/,
  );

  /** @type {[search: string, reason: RegExp][]} */
  const refused = [
    [JSON.stringify({ ...FOUND, bad: GOOD }), /rejected: its search has 3 tries and ends at aaaa/],
    [
      JSON.stringify({ ...FOUND, steps: Array(101).fill(FOUND.steps[1]) }),
      /rejected: its search has 101 tries/,
    ],
    [JSON.stringify({ ...FOUND, more: 'x'.repeat(2 ** 20) }), /has more than 1048576 bytes/],
    [JSON.stringify({ ...FOUND, good: 'main; id' }), /good/],
    ['{', /not valid JSON/],
  ];
  for (const [search, reason] of refused) {
    const { outputs, bodies } = await received(search);
    assert.match(outputs.message, reason);
    assert.deepEqual(bodies, []);
  }
});

test('a job without a search result gets an answer in a separate comment', async () => {
  const [body = ''] = (await received(undefined)).bodies;
  assert.match(body, /^<!-- perf-action:perf\.bisect -->\n\nThe requested run left no results/);
});

test('the action writes the same text into the summary, and comments only if wanted', async () => {
  const dir = scratch();
  writeFileSync(join(dir, 'bisection.json'), JSON.stringify(FOUND));
  const event = { pull_request: { number: 7 } };
  const comment = (/** @type {object} */ inputs) =>
    job(STEPS.comment, { event, env: { PERF_OUT: dir, PERF_INPUTS: JSON.stringify(inputs) } });
  const silent = await comment({ bisect: GOOD, comment: 'false' });
  const told = await comment({ options: `{"bisect":"${GOOD}"}` });
  assert.deepEqual([silent.outputs, silent.bodies], [{}, []]);
  assert.match(told.outputs['comment-url'], /issuecomment/);
  for (const { summary } of [silent, told])
    assert.equal(summary.match(/### 🔴 cccccccccc "slow it down" made api slower\./g)?.length, 1);
});

test('a search ends when its time is up, and keeps every try', async () => {
  const dir = scratch();
  const git = (/** @type {string[]} */ ...args) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@localhost', ...args], {
      cwd: dir,
      encoding: 'utf8',
      stdio: 'pipe',
    }).trim();
  git('init', '--quiet');
  writeFileSync(join(dir, 'perf.yml'), 'servers: [{ id: api, start: node x, routes: [{ path: / }] }]');
  git('add', '--all');
  for (const name of ['one', 'two', 'three']) git('commit', '--quiet', '--allow-empty', '--message', name);
  const good = git('rev-parse', 'HEAD~2');
  let tries = 0;
  const time = new AbortController();
  const search = await readSearch({ good, bad: 'HEAD', options: {} }, dir);
  const outputs = await searchCommit(
    search,
    { env: {}, cwd: dir, signal: new AbortController().signal, stderr: { write: () => true } },
    {
      limit: time.signal,
      hold: async ({ answer }, { signal }) => {
        tries += 1;
        if (tries > 1) time.abort();
        const { verdict, change } = slower('', '');
        const side = { id: 'x', startedAt: '2026-01-01T00:00:00Z' };
        /** @type {Comparison} */
        const comparison = {
          schema: 'perf-action/comparison@1',
          verdict,
          base: side,
          head: side,
          method: 'side-by-side',
          promise: { falseAlarms: 0.01, outside: [] },
          warnings: [],
          cases: [
            {
              id: 'api',
              verdict,
              ...(change && { decisive: change.metric }),
              metrics: change ? [change] : [],
            },
          ],
        };
        const isCancelled = signal.aborted;
        return answer({ run: run(), comparison, code: 0, seconds: 0, isCancelled, text: () => '' });
      },
    },
  );
  assert.deepEqual(defined(outputs), { 'results-path': join(dir, 'perf-results') });
  const left = JSON.parse(readFileSync(join(dir, 'perf-results/bisection.json'), 'utf8'));
  assert.deepEqual([tries, left.steps.length, left.outcome], [2, 1, undefined]);
});
