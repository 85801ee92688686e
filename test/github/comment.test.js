/** The comment against an API that checks every request and answer by GitHub's own description. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { postComment } from '../../scripts/github/comment.js';
import { startGitHub } from '../e2e/api/github.js';

const MARKER = '<!-- perf-action:perf -->';
const WHAT = { marker: MARKER, repository: 'octo/app', pullRequest: 7, token: 'x' };

/** @param {Parameters<typeof startGitHub>[0]} state @param {(github: Awaited<ReturnType<typeof startGitHub>>) => Promise<void>} use */
async function withGitHub(state, use) {
  const github = await startGitHub(state);
  try {
    await use(github);
  } finally {
    github.close();
  }
}

/** @param {number} id @param {string} body @param {'Bot' | 'User'} type */
const written = (id, body, type) => ({
  id,
  body,
  type,
  login: type === 'Bot' ? 'github-actions[bot]' : 'mallory',
});

test('the first run writes a comment, the second updates it in place', () =>
  withGitHub({}, async ({ url, comments }) => {
    const first = await postComment({ ...WHAT, body: `${MARKER}\n\none`, apiUrl: url });
    const second = await postComment({ ...WHAT, body: `${MARKER}\n\ntwo`, apiUrl: url });
    assert.deepEqual(first, second);
    assert.deepEqual(
      comments.map(({ body }) => body),
      [`${MARKER}\n\ntwo`],
    );
  }));

test('it is found beyond the first page of a long discussion', () => {
  const talk = Array.from({ length: 250 }, (_, index) => written(index + 1, 'words', 'User'));
  const own = written(999, `${MARKER} old`, 'Bot');
  return withGitHub({ comments: [...talk, own] }, async ({ url, comments }) => {
    await postComment({ ...WHAT, body: `${MARKER} new`, apiUrl: url });
    assert.equal(comments.length, 251);
    assert.equal(comments.at(-1)?.body, `${MARKER} new`);
  });
});

test('a comment that quotes the marker but is a person’s is left alone', () =>
  withGitHub({ comments: [written(1, `${MARKER} mine`, 'User')] }, async ({ url, comments }) => {
    await postComment({ ...WHAT, body: `${MARKER} new`, apiUrl: url });
    assert.deepEqual(
      comments.map(({ body }) => body),
      [`${MARKER} mine`, `${MARKER} new`],
    );
  }));

test('another key has another comment', () =>
  withGitHub({}, async ({ url, comments }) => {
    await postComment({ ...WHAT, body: `${MARKER} a`, apiUrl: url });
    const other = '<!-- perf-action:nightly -->';
    await postComment({ ...WHAT, marker: other, body: `${other} b`, apiUrl: url });
    assert.equal(comments.length, 2);
  }));

test('a token that may only read is told, and nothing fails', () =>
  withGitHub({ mayWrite: false }, async ({ url }) => {
    const posted = await postComment({ ...WHAT, body: `${MARKER} a`, apiUrl: url });
    assert.deepEqual(posted, {
      denied: 'the token may not comment (403: Resource not accessible by integration)',
    });
  }));

test('the stand-in refuses what GitHub would refuse', () =>
  withGitHub({}, async ({ url }) => {
    /** @param {object} body */
    const post = (body) =>
      fetch(`${url}/repos/octo/app/issues/7/comments`, { method: 'POST', body: JSON.stringify(body) });
    assert.equal((await post({ text: 'wrong field' })).status, 422);
    assert.equal((await post({ body: 7 })).status, 422);
    assert.equal((await fetch(`${url}/no/such/thing`)).status, 422);
    assert.equal((await post({ body: 'right' })).status, 201);
  }));
