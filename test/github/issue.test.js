/** One issue for what got slower on the main branch: opened once, kept up to date, closed by people. */

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { tellIssue } from '../../scripts/github/issue.js';
import { stateIn } from '../../scripts/report/issue.js';
import { startGitHub, withGitHub } from '../e2e/api/github.js';
import { hostileComparison, hostileRun } from '../report/hostile.js';
import { sampleComparison, sampleRun } from '../report/sample.js';

/** @import { Comparison, Verdict } from '../../scripts/types.js' */

let dir = '';
before(() => {
  dir = mkdtempSync(join(tmpdir(), 'perf-issue-'));
});
after(() => rmSync(dir, { recursive: true }));

const BOT = 'github-actions[bot]';
const [FIRST = '', SECOND = '', THIRD = ''] = ['a', 'b', 'c'].map((digit) => digit.repeat(40));

/** @param {{ ref?: string, url: string }} site */
function surroundings({ ref = 'refs/heads/main', url }) {
  const file = join(dir, 'event.json');
  writeFileSync(file, JSON.stringify({ repository: { default_branch: 'main' } }));
  return {
    ...{ GITHUB_REPOSITORY: 'octo/app', GITHUB_API_URL: url, GITHUB_EVENT_PATH: file, GITHUB_REF: ref },
    ...{ GITHUB_EVENT_NAME: 'schedule', PERF_GITHUB_TOKEN: 'x' },
  };
}

/**
 * @param {Awaited<ReturnType<typeof startGitHub>>} github
 * @param {{ verdict: Verdict, sha: string, baseAt?: string, ref?: string }} night baseAt: when what it is compared with was measured
 */
async function tell(github, { verdict, sha, baseAt = '2000-01-01T00:00:00Z', ...site }) {
  const sample = sampleComparison();
  /** @type {Comparison} */
  const comparison = {
    ...{ ...sample, verdict, base: { ...sample.base, startedAt: baseAt } },
    cases: sample.cases.map((of) => ({ ...of, verdict })),
  };
  const run = { ...sampleRun(), revision: { sha } };
  const before = github.comments.length;
  const outputs = await tellIssue(
    { run, comparison },
    { key: 'perf', env: surroundings({ ...site, url: github.url }) },
  );
  return { outputs, said: github.comments.slice(before).map(({ body }) => body) };
}

const state = (/** @type {{ body: string } | undefined} */ issue) => stateIn(issue?.body ?? '');

// Each has a site of its own, whose throttling they need not wait for one after the other.
suite('the issue of the main branch', { concurrency: true }, () => {
  test('a regression opens one issue, later ones update it, and who follows it hears when it is over and when it is back', () =>
    withGitHub({}, async (github) => {
      const { issues } = github;
      const first = await tell(github, { verdict: 'regressed', sha: FIRST });
      assert.deepEqual(first, { outputs: { 'issue-url': 'https://github.com/octo/app/issues/1' }, said: [] });
      assert.match(issues[0]?.title ?? '', /^perf: 🔴 /);
      assert.match(
        issues[0]?.body ?? '',
        /^<!-- perf-action:perf\.issue -->\n[^]*First found at commit aaaaaaaaaa\./,
      );

      const next = await tell(github, { verdict: 'regressed', sha: SECOND });
      assert.deepEqual([next.said, issues.length], [[], 1]);
      assert.match(issues[0]?.body ?? '', new RegExp(`<!-- of ${SECOND} -->`));
      assert.deepEqual(state(issues[0]), { slower: true, since: FIRST });

      for (const verdict of /** @type {const} */ (['unsure', 'failed'])) {
        const unknown = await tell(github, { verdict, sha: SECOND });
        assert.deepEqual([unknown, state(issues[0])?.slower], [{ outputs: {}, said: [] }, true]);
      }

      const over = await tell(github, { verdict: 'same', sha: THIRD });
      assert.match(over.said.join(), /^🟢 No longer slower, at commit cccccccccc\. .* close this issue/);
      assert.deepEqual(
        [issues.length, issues[0]?.state ?? 'open', state(issues[0])?.slower],
        [1, 'open', false],
      );
      assert.deepEqual(await tell(github, { verdict: 'improved', sha: THIRD }), { outputs: {}, said: [] });

      const back = await tell(github, { verdict: 'regressed', sha: THIRD });
      assert.match(back.said.join(), /^🔴 Slower again, at commit cccccccccc/);
      assert.deepEqual([issues.length, state(issues[0])], [1, { slower: true, since: THIRD }]);
      assert.ok(github.seen.every((request) => !request.startsWith('DELETE')));
    }));

  test('where the stored runs have become as slow, it is not said to be over', () =>
    withGitHub({}, async (github) => {
      await tell(github, { verdict: 'regressed', sha: FIRST });
      const { said } = await tell(github, { verdict: 'same', sha: SECOND, baseAt: '2126-01-01T00:00:00Z' });
      assert.match(said.join(), /^🟡 At commit bbbbbbbbbb .* these are as slow by now/);
    }));

  test('an issue that somebody closed stays closed while it goes on; the next regression opens another one', () =>
    withGitHub({}, async (github) => {
      const { issues } = github;
      await tell(github, { verdict: 'regressed', sha: FIRST });
      Object.assign(issues[0] ?? {}, { state: 'closed' });
      assert.deepEqual((await tell(github, { verdict: 'regressed', sha: SECOND })).said, []);
      assert.deepEqual((await tell(github, { verdict: 'same', sha: SECOND })).said, []);
      assert.deepEqual([issues.length, issues[0]?.state], [1, 'closed']);
      await tell(github, { verdict: 'regressed', sha: THIRD });
      assert.deepEqual(
        [issues.length, issues[1]?.state ?? 'open', state(issues[1])?.since],
        [2, 'open', THIRD],
      );
      await tell(github, { verdict: 'regressed', sha: THIRD });
      assert.equal(issues.length, 2);
    }));

  test('an issue of somebody else, a pull request and a body that somebody rewrote are not ours; ours is found behind many', async () => {
    const body = `<!-- perf-action:perf.issue -->\n\nwords\n\n<!-- slower since ${FIRST} -->`;
    const updatedAt = '2026-11-20T00:00:00Z';
    const others = Array.from({ length: 150 }, (_, place) => ({
      number: place + 10,
      title: 'talk',
      updatedAt,
    }));
    /** @type {import('../e2e/api/issues.js').Issue[]} */
    const issues = [
      { number: 1, title: 'ours', body, login: BOT },
      ...others.map((each) => ({ ...each, body: 'words', login: BOT })),
      { number: 200, title: 'a copy', body, login: 'mallory', updatedAt },
      { number: 201, title: 'a pull request', body, login: BOT, isPull: true, updatedAt },
      {
        number: 202,
        title: 'rewritten',
        body: '<!-- perf-action:perf.issue --> mine now',
        login: BOT,
        updatedAt,
      },
    ];
    await withGitHub({ issues }, async (github) => {
      const { outputs } = await tell(github, { verdict: 'regressed', sha: SECOND });
      assert.deepEqual(outputs, { 'issue-url': 'https://github.com/octo/app/issues/1' });
      assert.equal(issues.length, 154);
      assert.deepEqual(state(issues[0]), { slower: true, since: FIRST });
    });
  });

  test('nothing is opened off the main branch, without a regression, or without the right to; the job goes on', async () => {
    await withGitHub({}, async (github) => {
      const branch = await tell(github, { verdict: 'regressed', sha: FIRST, ref: 'refs/heads/topic' });
      assert.deepEqual([branch.outputs, github.seen], [{}, []]);
      for (const verdict of /** @type {const} */ (['same', 'improved', 'unsure', 'failed']))
        assert.deepEqual((await tell(github, { verdict, sha: FIRST })).outputs, {});
      assert.deepEqual(github.issues, []);
    });
    await withGitHub({ mayWrite: false }, async (github) => {
      assert.deepEqual((await tell(github, { verdict: 'regressed', sha: FIRST })).outputs, {});
    });
    const gone = {
      to: 'POST',
      status: 410,
      body: { message: 'Issues has been disabled in this repository.' },
    };
    await withGitHub({ troubles: [gone] }, async (github) => {
      assert.deepEqual((await tell(github, { verdict: 'regressed', sha: FIRST })).outputs, {});
    });
  });

  test('names of a run cannot act in title or body, and both fit', () =>
    withGitHub({}, async (github) => {
      const run = { ...hostileRun(), revision: { sha: FIRST } };
      // One server failed, another one got slower.
      const comparison = { ...hostileComparison(), verdict: /** @type {const} */ ('failed') };
      await tellIssue({ run, comparison }, { key: 'perf', env: surroundings({ url: github.url }) });
      const [issue] = github.issues;
      assert.ok(issue, 'it is opened');
      assert.ok((issue?.title.length ?? 0) <= 256 && (issue?.body.length ?? 0) <= 65_536);
      assert.doesNotMatch(
        issue?.body.replace(/^(`{3,}).*\n[\s\S]*?\n\1$/gm, '') ?? '',
        /<(script|img)\b|@\w/i,
      );
    }));
});
