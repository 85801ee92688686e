/** Runs that jobs store on branches, with a real git. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { findStored, storeRun } from '../../scripts/github/baselines/baseline.js';
import { readBaselines } from '../../scripts/history/baselines.js';
import { run } from '../store/runs.js';
import { scratch } from '../store/scratch.js';

test('jobs of a matrix store their runs apart, each on the branch of its comment-key', async () => {
  const site = scratch();
  const remote = join(site, 'octo/app.git');
  execFileSync('git', ['init', '--quiet', '--bare', remote]);
  const event = join(site, 'event.json');
  writeFileSync(event, JSON.stringify({ repository: { default_branch: 'main' } }));
  /** @param {Record<string, string>} inputs */
  const jobWith = (inputs) => ({
    PATH: process.env.PATH,
    PERF_INPUTS: JSON.stringify({ 'baseline-store': 'branch', ...inputs }),
    RUNNER_TEMP: scratch(),
    GITHUB_REPOSITORY: 'octo/app',
    GITHUB_EVENT_NAME: 'push',
    GITHUB_EVENT_PATH: event,
    GITHUB_REF: 'refs/heads/main',
    GITHUB_SHA: 'abc',
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: `url.file://${site}/.insteadOf`,
    GIT_CONFIG_VALUE_0: 'https://github.com/',
  });
  const jobs = { 'node-20': { 'comment-key': 'node-20' }, 'node-22': { 'comment-key': 'node-22' }, perf: {} };
  for (const [id, inputs] of Object.entries(jobs))
    await storeRun(jobWith(inputs), run({ id, revision: { sha: 'abc' } }));
  for (const [id, inputs] of Object.entries(jobs)) {
    const found = String(await findStored(jobWith(inputs)));
    assert.ok(existsSync(found), id);
    const { baselines } = await readBaselines(found);
    assert.deepEqual(
      baselines.map((stored) => stored.run.id),
      [id],
    );
  }
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
