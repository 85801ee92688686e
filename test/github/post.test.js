/** Where the results go: the summary always, the pull request where there is one and it may be written to. */

import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { postResults } from '../../scripts/github/comment/post.js';
import { startGitHub } from '../e2e/api/github.js';

const RUN = fileURLToPath(new URL('../data/store/minimal-run.json', import.meta.url));

let dir = '';
before(() => {
  dir = mkdtempSync(join(tmpdir(), 'perf-post-'));
  cpSync(RUN, join(dir, 'run.json'));
});
after(() => rmSync(dir, { recursive: true }));

/**
 * @param {object} event
 * @param {NodeJS.ProcessEnv} [env]
 * @param {import('../e2e/api/github.js').State['comments']} [comments]
 * @returns {Promise<{ posted: { url?: string, denied?: string }, summary: string, comments: { body: string }[] }>}
 */
async function post(event, env = { GITHUB_TOKEN: 'x' }, comments = []) {
  const github = await startGitHub({ comments });
  const summary = join(dir, 'summary.md');
  const file = join(dir, 'event.json');
  writeFileSync(file, JSON.stringify(event));
  const site = { GITHUB_API_URL: github.url, GITHUB_EVENT_PATH: file, GITHUB_STEP_SUMMARY: summary };
  try {
    const posted = await postResults({
      dir,
      key: 'nightly',
      env: { GITHUB_REPOSITORY: 'octo/app', ...site, ...env },
    });
    return { posted, summary: readFileSync(summary, 'utf8'), comments: github.comments };
  } finally {
    github.close();
    if (existsSync(summary)) rmSync(summary);
  }
}

test('the pull request and the job summary get the same text', async () => {
  const { posted, summary, comments } = await post({ pull_request: { number: 7 } });
  assert.match(posted.url ?? '', /pull\/7/);
  assert.match(comments[0]?.body ?? '', /^<!-- perf-action:nightly -->\n/);
  assert.equal(summary, `${comments[0]?.body}\n`);
});

test('only a run without a comparison gets the hint about against: base', async () => {
  const file = join(dir, 'run.json');
  const plain = readFileSync(file, 'utf8');
  const whole = JSON.parse(plain).cases.filter(
    (/** @type {{ trials: object[] }} */ { trials }) => trials.length > 0,
  );
  const summaryOf = async (/** @type {object} */ event, /** @type {object} */ changes = {}) => {
    writeFileSync(file, JSON.stringify({ ...JSON.parse(plain), cases: whole, ...changes }));
    return (await post(event)).summary;
  };
  const pull = { pull_request: { number: 7 } };
  assert.match(await summaryOf(pull), /`against: base`/);
  assert.doesNotMatch(await summaryOf({ ref: 'refs/heads/main' }), /against|baseline save/);
  assert.doesNotMatch(await summaryOf(pull, { command: 'perf-action run --against=off' }), /`against: base`/);
  const failure = { kind: 'never-ready', message: 'no answer' };
  const broken = whole.map((/** @type {object} */ measured) => ({
    ...measured,
    trials: [{ round: 0, failure, windows: [] }],
  }));
  assert.doesNotMatch(await summaryOf(pull, { cases: broken }), /`against: base`/);
  writeFileSync(file, plain);
});

test('a run that a comment requested is posted to its pull request', async () => {
  const { comments } = await post({ issue: { number: 7, pull_request: {} } });
  assert.equal(comments.length, 1);
});

test('a push, a plain issue and a missing token give a summary only, and the reason', async () => {
  const push = await post({ ref: 'refs/heads/main' });
  assert.match(push.posted.denied ?? '', /no pull request/);
  const issue = await post({ issue: { number: 7 } });
  assert.match(issue.posted.denied ?? '', /no pull request/);
  const tokenless = await post({ pull_request: { number: 7 } }, {});
  assert.match(tokenless.posted.denied ?? '', /no token/);
  for (const { summary, comments } of [push, issue, tokenless]) {
    assert.match(summary, /^<!-- perf-action:nightly -->\n/);
    assert.equal(comments.length, 0);
  }
});

test('a comparison that an earlier run left in the folder is not reported', async () => {
  const side = { id: 'another', startedAt: '2026-11-01T00:00:00.000Z' };
  const comparison = {
    schema: 'perf-action/comparison@1',
    verdict: 'regressed',
    base: side,
    head: side,
    method: 'stored',
    warnings: [],
    cases: [],
  };
  writeFileSync(join(dir, 'comparison.json'), JSON.stringify(comparison));
  const { summary } = await post({ pull_request: { number: 7 } });
  assert.doesNotMatch(summary, /Slower|Compared with/);
  rmSync(join(dir, 'comparison.json'));
});

test('a case that only the base has is called by its name', async () => {
  const run = JSON.parse(readFileSync(join(dir, 'run.json'), 'utf8'));
  const [first] = run.cases;
  const base = { ...run, id: 'base', cases: [{ ...first, id: 'gone', serverName: 'Removed server' }] };
  const sideOf = (/** @type {import('../../scripts/types.js').Run} */ { id, startedAt }) => ({
    id,
    startedAt,
  });
  const comparison = {
    schema: 'perf-action/comparison@1',
    verdict: 'unsure',
    base: sideOf(base),
    head: sideOf(run),
    method: 'stored',
    warnings: [],
    cases: [{ id: 'gone', verdict: 'unsure', only: 'base', metrics: [] }],
  };
  mkdirSync(join(dir, 'base'));
  writeFileSync(join(dir, 'base/run.json'), JSON.stringify(base));
  writeFileSync(join(dir, 'comparison.json'), JSON.stringify(comparison));
  const { comments } = await post({ pull_request: { number: 7 } });
  assert.match(comments[0]?.body ?? '', /- \*\*Removed server\*\*: removed/);
  for (const name of ['base', 'comparison.json']) rmSync(join(dir, name), { recursive: true });
});

test('a skipped run updates an earlier comment, and creates one only on request', async () => {
  const measured = readFileSync(join(dir, 'run.json'));
  const [pull_request, revision] = [{ number: 7 }, { sha: 'a'.repeat(40) }];
  const type = /** @type {const} */ ('Bot');
  try {
    writeFileSync(join(dir, 'run.json'), JSON.stringify({ ...JSON.parse(String(measured)), revision }));
    const first = await post({ pull_request });
    const [own] = first.comments;
    assert.match(own?.body ?? '', /^<!-- perf-action:nightly -->\n<!-- of a{40} -->\n\n### /);
    const warnings = [{ code: 'skipped', since: 'b'.repeat(40) }];
    writeFileSync(
      join(dir, 'run.json'),
      JSON.stringify({ ...JSON.parse(String(measured)), cases: [], warnings }),
    );
    const none = await post({ pull_request });
    assert.match(none.posted.denied ?? '', /nothing was measured/);
    assert.deepEqual(none.comments, []);
    assert.match(none.summary, /### ⚪ Skipped: no changed file affects a server since commit bbbbbbbbbb\n$/);

    const again = [{ id: 1, body: own?.body ?? '', login: 'github-actions[bot]', type }];
    for (const _time of [1, 2]) {
      await post({ pull_request }, { GITHUB_TOKEN: 'x' }, again);
      assert.match(
        again[0]?.body ?? '',
        /⚪ Skipped: .*\n\nThe previous result here was for commit a{10}\.$/,
      );
    }

    const asked = await post({ issue: { number: 7, pull_request: {} }, comment: { id: 3 } });
    assert.match(asked.comments[0]?.body ?? '', /^<!-- perf-action:nightly -->\n\n### ⚪ Skipped: [^\n]*$/);
  } finally {
    writeFileSync(join(dir, 'run.json'), measured);
  }
});
