/** Runs that jobs store on branches, with a real git. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { findStored, storeRun } from '../../scripts/github/baselines/stored-baseline.js';
import { readBaselines } from '../../scripts/history/baselines.js';
import { startGitServer } from '../e2e/api/git-server.js';
import { run, runCase } from '../store/runs.js';
import { scratch } from '../store/scratch.js';

/** @param {string} [host] */
function makeSite(host = 'https://github.com') {
  const root = scratch();
  const remote = join(root, 'octo/app.git');
  execFileSync('git', ['init', '--quiet', '--bare', remote]);
  const event = join(root, 'event.json');
  /**
   * @param {Record<string, string>} inputs
   * @param {string} [message] of the pushed commit
   */
  const jobWith = (inputs, message = 'a change') => {
    const pushed = { id: 'abc', message, author: { username: 'ann' } };
    const repository = { default_branch: 'main' };
    writeFileSync(
      event,
      JSON.stringify({ after: 'abc', head_commit: pushed, repository, sender: { login: 'ann' } }),
    );
    return {
      PATH: process.env.PATH,
      PERF_INPUTS: JSON.stringify({ 'baseline-store': 'branch', ...inputs }),
      RUNNER_TEMP: scratch(),
      GITHUB_SERVER_URL: host,
      GITHUB_REPOSITORY: 'octo/app',
      GITHUB_EVENT_NAME: 'push',
      GITHUB_EVENT_PATH: event,
      GITHUB_REF: 'refs/heads/main',
      GITHUB_SHA: 'abc',
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: `url.file://${root}/.insteadOf`,
      GIT_CONFIG_VALUE_0: `${host}/`,
    };
  };
  return { root, remote, jobWith };
}

/** @param {NodeJS.ProcessEnv} env */
async function storedIn(env) {
  const found = String(await findStored(env));
  assert.ok(existsSync(found));
  return (await readBaselines(found)).baselines.map((stored) => stored.run);
}

test('a run that counted without clocks is no baseline', async () => {
  const { remote, jobWith } = makeSite();
  const counted = run({ revision: { sha: 'abc' }, cases: [{ ...runCase('a'), counted: true }] });
  assert.equal(await storeRun(jobWith({}), counted), undefined);
  assert.equal(execFileSync('git', ['-C', remote, 'branch'], { encoding: 'utf8' }), '');
});

test('jobs of a matrix store their runs apart, each on the branch of its comment-key', async () => {
  const { remote, jobWith } = makeSite();
  const jobs = { 'node-20': { 'comment-key': 'node-20' }, 'node-22': { 'comment-key': 'node-22' }, perf: {} };
  for (const [id, inputs] of Object.entries(jobs))
    await storeRun(jobWith(inputs), run({ id, revision: { sha: 'abc' } }));
  for (const [id, inputs] of Object.entries(jobs))
    assert.deepEqual(
      (await storedIn(jobWith(inputs))).map((stored) => stored.id),
      [id],
    );
  const branches = execFileSync('git', ['branch', '--format=%(refname:short)'], {
    cwd: remote,
    encoding: 'utf8',
  });
  assert.deepEqual(branches.trim().split('\n'), [
    'perf-baselines',
    'perf-baselines-node-20',
    'perf-baselines-node-22',
  ]);
});

test('GitHub Enterprise Server keeps them on its own host', async () => {
  const { jobWith } = makeSite('https://github.example.com');
  await storeRun(jobWith({}), run({ revision: { sha: 'abc' } }));
  assert.equal((await storedIn(jobWith({}))).length, 1);
});

test('a run that failed its gate is stored with who accepted it, if anybody did', async () => {
  const { jobWith } = makeSite();
  const failed = (/** @type {string} */ id) =>
    run({ id, startedAt: `2026-11-0${id}T10:00:00Z`, revision: { sha: 'abc' }, gate: { failed: ['app'] } });
  await storeRun(jobWith({}), failed('1'));
  await storeRun(jobWith({}, 'slower\n\nPerf-Accepted: parsing is exact now'), failed('2'));
  const gates = (await storedIn(jobWith({}))).map(({ id, gate }) => [id, gate?.accepted?.why]);
  assert.deepEqual(gates.sort(), [
    ['1', undefined],
    ['2', 'parsing is exact now'],
  ]);
});

test('with a token that may only read, one notice reports the baseline', async (t) => {
  const { root, jobWith } = makeSite();
  const server = await startGitServer(root);
  const { mock } = t.mock.method(process.stdout, 'write');
  try {
    const env = { ...jobWith({}), GIT_CONFIG_KEY_0: `url.${server.url}.insteadOf` };
    assert.deepEqual(await storeRun(env, run({ revision: { sha: 'abc' } })), undefined);
    assert.ok(server.refused.length > 0);
  } finally {
    server.close();
  }
  const lines = mock.calls
    .map(({ arguments: [text] }) => String(text))
    .filter((text) => text.startsWith('::'));
  assert.equal(lines.length, 1);
  assert.match(String(lines), /^::notice.*This run was not stored as a baseline/);
});
