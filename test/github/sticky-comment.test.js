/** The comment against an API that checks every request and answer by GitHub's own description. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { postComment } from '../../scripts/github/comment/sticky-comment.js';
import { withGitHub } from '../e2e/api/github.js';

const MARKER = '<!-- perf-action:perf -->';
const PLACE = { repository: 'octo/app', pullRequest: 7, token: 'x' };

/**
 * @param {string} apiUrl
 * @param {string} text after the marker
 * @param {{ marker?: string, head?: string }} [more]
 */
const post = (apiUrl, text, { marker = MARKER, ...more } = {}) =>
  postComment({ ...PLACE, marker, write: () => `${marker} ${text}`, apiUrl, ...more });

/**
 * @param {number} id
 * @param {string} body
 * @param {'Bot' | 'User'} type
 */
const written = (id, body, type) => ({
  id,
  body,
  type,
  login: type === 'Bot' ? 'github-actions[bot]' : 'mallory',
});

test('the first run writes a comment, the second updates it in place', () =>
  withGitHub({}, async ({ url, comments }) => {
    assert.deepEqual(await post(url, 'one'), await post(url, 'two'));
    assert.deepEqual(
      comments.map(({ body }) => body),
      [`${MARKER} two`],
    );
  }));

test('the comment is found beyond the first page of a long discussion', () => {
  const talk = Array.from({ length: 500 }, (_, index) => written(index + 1, 'words', 'User'));
  const own = written(999, `${MARKER} old`, 'Bot');
  return withGitHub({ comments: [...talk, own] }, async ({ url, comments }) => {
    await post(url, 'new');
    assert.equal(comments.length, 501);
    assert.equal(comments.at(-1)?.body, `${MARKER} new`);
  });
});

test('a person’s comment that quotes the marker is left alone', () =>
  withGitHub({ comments: [written(1, `${MARKER} mine`, 'User')] }, async ({ url, comments }) => {
    await post(url, 'new');
    assert.deepEqual(
      comments.map(({ body }) => body),
      [`${MARKER} mine`, `${MARKER} new`],
    );
  }));

test('another key has another comment', () =>
  withGitHub({}, async ({ url, comments }) => {
    await post(url, 'a');
    await post(url, 'b', { marker: '<!-- perf-action:nightly -->' });
    assert.equal(comments.length, 2);
  }));

test('a read-only token gives a reason, and nothing fails', () =>
  withGitHub({ mayWrite: false }, async ({ url }) => {
    const posted = await post(url, 'a');
    assert.deepEqual(posted, {
      denied: 'the token has no permission to comment (403: Resource not accessible by integration)',
    });
  }));

test('the stand-in refuses what GitHub would refuse', () =>
  withGitHub({}, async ({ url }) => {
    const at = `${url}/repos/octo/app/issues/7/comments`;
    /** @param {object} body */
    const post = (body) => fetch(at, { method: 'POST', body: JSON.stringify(body) });
    assert.equal((await post({ text: 'wrong field' })).status, 422);
    assert.equal((await post({ body: 7 })).status, 422);
    assert.equal((await fetch(`${url}/no/such/thing`)).status, 422);
    assert.equal((await post({ body: 'right' })).status, 201);
    assert.equal((await fetch(`${at}?per_pages=100`)).status, 422);
    assert.equal((await fetch(`${at}?per_page=many`)).status, 422);
    assert.equal((await fetch(`${at}?per_page=100`)).status, 200);
  }));

test('a person’s token finds that person’s comment, not a bot’s', () => {
  const comments = [
    written(1, `${MARKER} a bot's`, 'Bot'),
    { ...written(2, `${MARKER} mine`, 'User'), login: 'octo' },
  ];
  return withGitHub({ login: 'octo', comments }, async ({ url }) => {
    await post(url, 'new');
    assert.deepEqual(
      comments.map(({ body }) => body),
      [`${MARKER} a bot's`, `${MARKER} new`],
    );
  });
});

test('another bot’s comment is left alone, whatever its first line, and an app finds its own', () => {
  const comments = [
    { ...written(1, `${MARKER} renovate's`, 'Bot'), login: 'renovate[bot]' },
    written(2, `${MARKER} a workflow's`, 'Bot'),
    { ...written(3, `${MARKER} an app's`, 'Bot'), login: 'perf-app[bot]' },
  ];
  const bodies = () => comments.map(({ body }) => body);
  return withGitHub({ comments }, async ({ url }) => {
    await post(url, 'new');
    assert.deepEqual(bodies(), [`${MARKER} renovate's`, `${MARKER} new`, `${MARKER} an app's`]);
    await withGitHub({ comments, login: 'perf-app[bot]' }, async (other) => {
      await post(other.url, 'newer');
      assert.deepEqual(bodies(), [`${MARKER} renovate's`, `${MARKER} new`, `${MARKER} newer`]);
    });
  });
});

test('three simultaneous jobs leave one comment with the text of the last writer', async () => {
  /** @type {(() => void)[]} */
  const waiting = [];
  // Nobody is answered before all of them have asked which comments there are.
  const before = (/** @type {string} */ request) =>
    new Promise((resolve) => {
      if (waiting.length === 3 || !/^GET .*\/comments$/.test(request)) return resolve(undefined);
      waiting.push(() => resolve(undefined));
      if (waiting.length === 3) for (const answer of waiting) answer();
    });
  await withGitHub({ before }, async ({ url, comments, seen }) => {
    const posted = await Promise.all(['a', 'b', 'c'].map((text) => post(url, text)));
    assert.equal(seen.filter((request) => /^POST .*comments$/.test(request)).length, 3);
    assert.equal(seen.filter((request) => request.startsWith('DELETE')).length, 2);
    assert.deepEqual([comments.length, comments[0]?.id], [1, 1000]);
    assert.match(comments[0]?.body ?? '', /^<!-- perf-action:perf --> [abc]$/);
    for (const each of posted) assert.match('url' in each ? each.url : '', /issuecomment-1000$/);
  });
});

test('nothing is written once the pull request has another head', async () => {
  const [measured = '', pushed = ''] = ['a', 'c'].map((digit) => digit.repeat(40));
  const pullRequests = [{ number: 7, sha: pushed, from: 'mallory/app:fast' }];
  for (const comments of [[], [written(1, `${MARKER} old`, 'Bot')]])
    await withGitHub({ pullRequests, comments: [...comments] }, async (github) => {
      assert.deepEqual(await post(github.url, 'new', { head: measured }), {
        denied: "the pull request's head is now cccccccccc; aaaaaaaaaa was measured",
        movedTo: pushed,
      });
      assert.deepEqual(github.comments, comments);
      assert.ok('url' in (await post(github.url, 'new', { head: pushed })));
      assert.equal(github.comments[0]?.body, `${MARKER} new`);
    });
});

test('a comment whose creation lost its answer is not created twice', () => {
  const troubles = [{ to: 'POST', status: 502, body: { message: 'Bad Gateway' }, done: true }];
  return withGitHub({ troubles }, async ({ url, comments }) => {
    const posted = await post(url, 'a');
    assert.match('url' in posted ? posted.url : '', /issuecomment-1000$/);
    assert.equal(comments.length, 1);
  });
});

const SECONDARY = 'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.';
const PRIMARY = 'API rate limit exceeded for installation.';
/**
 * @param {string} message
 * @param {Record<string, string>} headers
 */
const limited = (message, headers) => ({ to: 'POST', status: 403, body: { message }, headers });
const EXHAUSTED = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '0' };

for (const [name, limit, isLifted] of /** @type {const} */ ([
  ['a secondary rate limit', limited(SECONDARY, { 'retry-after': '1' }), true],
  ['an hourly rate limit', limited(PRIMARY, EXHAUSTED), true],
  ['a long secondary rate limit', limited(SECONDARY, { 'retry-after': '3600' }), false],
  ['a long hourly rate limit', limited(PRIMARY, { ...EXHAUSTED, 'x-ratelimit-reset': '2147483647' }), false],
]))
  test(`${name} ${isLifted ? 'is waited for, though it looks like a refusal' : 'fails at once'}`, () =>
    withGitHub({ troubles: [limit] }, async ({ url, comments, seen }) => {
      assert.equal('url' in (await post(url, 'a')), isLifted);
      assert.equal(comments.length, Number(isLifted));
      assert.equal(seen.filter((request) => /^POST .*comments$/.test(request)).length, isLifted ? 2 : 1);
    }));

test('a limit that is never lifted fails after three more tries', () => {
  const troubles = Array.from({ length: 9 }, () => ({ ...limited(PRIMARY, EXHAUSTED), to: 'PATCH' }));
  const comments = [written(1, `${MARKER} old`, 'Bot')];
  return withGitHub({ troubles, comments }, async ({ url, seen }) => {
    const posted = await post(url, 'a');
    assert.deepEqual(posted, { denied: `the token has no permission to comment (403: ${PRIMARY})` });
    assert.equal(seen.filter((request) => request.startsWith('PATCH')).length, 4);
  });
});

test('an API that stays down is reported, and the job goes on', () => {
  const troubles = Array.from({ length: 3 }, () => ({ to: 'POST', status: 503, body: { message: 'down' } }));
  return withGitHub({ troubles }, async ({ url }) => {
    const posted = await post(url, 'a');
    assert.deepEqual(posted, { denied: 'the API rejected it (503: down)' });
  });
});
