/** Real processes that work, rest, or leave their group. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { untilIdle } from '../../scripts/observe/idle.js';
import { startProcessGroup } from '../../scripts/system/process/process-group.js';

const { signal } = new AbortController();
const NODE = JSON.stringify(process.execPath);
const BUSY = `${NODE} -e 'for (;;);'`;

/**
 * @param {string} script of a shell
 * @returns {Promise<boolean>} whether its processes are idle, at last
 */
async function isIdle(script) {
  const group = await startProcessGroup(['sh', '-c', `${script}\nsleep 60`]);
  try {
    return await untilIdle([group.pid], { leastMs: 500, mostMs: 1500, signal });
  } finally {
    await group.kill();
  }
}

test('processes that rest are idle; a child that works, or a daemon, is not', async () => {
  assert.equal(await isIdle('true'), true);
  assert.equal(await isIdle(`${BUSY} &`), false);
  assert.equal(await isIdle(`setsid ${BUSY} &`), false);
});
