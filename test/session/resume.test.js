import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { describeMachine } from '../../scripts/observe/machine.js';
import { readInterrupted } from '../../scripts/session/resume.js';
import { writeRun } from '../../scripts/store/run-file.js';
import { run } from '../store/runs.js';
import { scratch } from '../store/scratch.js';

test('a stored run that a cancelled run was compared with is no side of it', async () => {
  const cwd = scratch();
  const environment = describeMachine({ runtimes: {}, tools: {} });
  const unfinished = { planned: 4, plan: 'a', options: {} };
  await writeRun(join(cwd, 'perf-results'), run({ id: 'head', seed: 1, environment, unfinished }));
  const sessions = async (/** @type {string} */ session) => {
    await writeRun(join(cwd, 'perf-results/base'), run({ id: 'base', session, environment }));
    const { runs } = await readInterrupted('perf-results', cwd);
    return runs.map(({ id }) => id);
  };
  assert.deepEqual(await sessions('another session'), ['head']);
  assert.deepEqual(await sessions('session-1'), ['base', 'head']);
});
