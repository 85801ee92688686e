/** Who accepted a regression: on a pull request, and on the push that merged one. */

import assert from 'node:assert/strict';
import { inMarkdown } from '../../scripts/report/render/escape.js';
import { test } from 'node:test';
import { findAcceptance, LABEL, renderAcceptance } from '../../scripts/github/comment/accept.js';
import { STEPS } from '../../scripts/github/action/steps.js';
import { writeResults } from '../../scripts/session/results.js';
import { sampleRun } from '../report/sample.js';
import { scratch } from '../store/scratch.js';
import { job } from './job.js';

const [HEAD, MERGE, OTHER] = ['a', 'b', 'c'].map((digit) => digit.repeat(40));
const TRAILER = 'fix: round as the law says\n\nPerf-Accepted: parsing is exact now';
const MERGED = { number: 7, sha: String(HEAD), mergedAs: String(MERGE) };

/**
 * @param {Omit<Parameters<typeof job>[1], 'event'>} state
 * @param {object} event
 * @param {NodeJS.ProcessEnv} [env]
 */
async function find(state, event, env = {}) {
  /** @type {{ found?: Awaited<ReturnType<typeof findAcceptance>> }} */
  const done = {};
  const given = { GITHUB_SHA: String(MERGE), ...env };
  await job(async (context) => (done.found = await findAcceptance(context.env)), {
    event,
    env: given,
    ...state,
  });
  return done.found;
}

/** The commit names an author as it likes. */
const push = (message = 'Merge pull request #7') => ({
  after: MERGE,
  head_commit: { id: MERGE, message, author: { username: 'linus', name: 'Linus' } },
  sender: { login: 'ann' },
});

test('a label on the pull request accepts, in the name of whoever set it', async () => {
  const merges = [{ number: 7, sha: String(HEAD), labels: { [LABEL]: 'bob' } }];
  const event = { pull_request: { number: 7, head: { sha: HEAD } } };
  assert.deepEqual(await find({ merges }, event), { who: 'bob' });
  assert.equal(await find({ merges: [{ number: 7, sha: String(HEAD) }] }, event), undefined);
});

test('in a merge queue the label of the pull request whose group is measured accepts', async () => {
  const merges = [{ number: 7, sha: String(HEAD), labels: { [LABEL]: 'bob' } }];
  const group = (/** @type {number} */ number) => ({
    merge_group: { head_ref: `refs/heads/gh-readonly-queue/main/pr-${number}-${OTHER}` },
  });
  assert.deepEqual(await find({ merges }, group(7)), { who: 'bob' });
  assert.equal(await find({ merges: [{ number: 8, sha: String(HEAD) }] }, group(8)), undefined);
});

test('a trailer in the last commit message accepts', async () => {
  const event = { pull_request: { number: 7, head: { sha: HEAD } } };
  const found = await find({ messages: { [String(HEAD)]: TRAILER } }, event);
  assert.deepEqual(found, { where: HEAD, why: 'parsing is exact now' });
});

test('a trailer carries the name of whoever pushed it in this job, never of its claimed author', async () => {
  const messages = { [String(HEAD)]: TRAILER };
  const pull_request = { number: 7, head: { sha: HEAD } };
  const pushed = { action: 'synchronize', after: HEAD, sender: { login: 'mallory' }, pull_request };
  assert.equal((await find({ messages }, pushed))?.who, 'mallory');
  assert.equal((await find({ messages }, { ...pushed, after: OTHER }))?.who, undefined);
  // Whoever opens, labels or closes it need not have pushed.
  assert.equal((await find({ messages }, { ...pushed, action: 'opened' }))?.who, undefined);
});

test('the sentence names only people that GitHub vouches for', () => {
  const why = '[x](//evil.example) @all';
  const where = String(HEAD);
  const accepted = (/** @type {Parameters<typeof renderAcceptance>[0]} */ by) =>
    inMarkdown(renderAcceptance(by));
  assert.match(accepted({ who: 'bob' }), /: bob added the label `perf-accepted`\. The check passes/);
  assert.match(inMarkdown(renderAcceptance({ who: 'bob' }, 'ko')), /bob.*`perf-accepted`.*[가-힣]/);
  assert.match(accepted({}), /: the pull request has the label `perf-accepted`\./);
  assert.match(
    accepted({ where, why }),
    /: commit aaaaaaaaaa says “\\\[x\\\]\(\/\/evil\.example\) @\u200ball”\./,
  );
  assert.match(accepted({ who: 'bob', where, why }), /: commit aaaaaaaaaa, pushed by bob, says “/);
});

test('a push is accepted by its own message', async () => {
  assert.deepEqual(await find({}, push(TRAILER)), {
    who: 'ann',
    where: MERGE,
    why: 'parsing is exact now',
  });
  assert.equal(await find({}, push()), undefined);
});

test('a push that merged a pull request inherits its acceptance, and that of no other', async () => {
  const labels = { [LABEL]: 'bob' };
  assert.deepEqual(await find({ merges: [{ ...MERGED, labels }] }, push()), { who: 'bob' });
  const accepted = await find({ merges: [MERGED], messages: { [String(HEAD)]: TRAILER } }, push());
  assert.equal(accepted?.where, HEAD);
  // The pushed commit is the head of one that is not merged, or the merge of another branch.
  const open = { number: 8, sha: String(MERGE), labels };
  const elsewhere = { number: 9, sha: String(MERGE), mergedAs: String(OTHER), labels };
  assert.equal(await find({ merges: [open, elsewhere] }, push()), undefined);
});

test('a scheduled job asks the API for its commit', async () => {
  const found = await find({ messages: { [String(MERGE)]: TRAILER } }, { schedule: '17 3 * * *' });
  assert.equal(found?.where, MERGE);
});

test('after a request by comment, the measured commit accepts by its message', async () => {
  const dir = scratch();
  const run = sampleRun();
  await writeResults(dir, { run: { ...run, revision: { ...run.revision, sha: String(HEAD) } } });
  const issue = { number: 7, pull_request: {}, labels: [] };
  const { outputs } = await job(STEPS.comment, {
    event: { issue, comment: { id: 1, body: '/perf', user: { login: 'ann' } } },
    env: { GITHUB_SHA: String(MERGE), PERF_CODE: '1', PERF_OUT: dir },
    messages: { [String(HEAD)]: TRAILER },
    merges: [MERGED],
  });
  assert.match(outputs.accepted, /commit aaaaaaaaaa says “parsing is exact now”/);
});

test('without a token only the event counts', async () => {
  const merges = [{ ...MERGED, labels: { [LABEL]: 'bob' } }];
  assert.equal(await find({ merges }, push(), { PERF_GITHUB_TOKEN: '' }), undefined);
  assert.equal((await find({}, push(TRAILER), { PERF_GITHUB_TOKEN: '' }))?.who, 'ann');
});
