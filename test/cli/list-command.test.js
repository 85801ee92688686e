import assert from 'node:assert/strict';
import { test } from 'node:test';
import { list } from '../../scripts/cli/list-command.js';
import { scratchFolder } from '../scratch.js';

/** @param {{ json?: boolean }} values */
async function printed(values) {
  let text = '';
  const stdout = { write: (/** @type {string} */ piece) => (text += piece) };
  const io = /** @type {any} */ ({ cwd: scratchFolder(), env: {}, stdout });
  assert.equal(await list(/** @type {any} */ ({ values }), io), 0);
  return text;
}

test('it says which counts there are, and of which runtimes and services', async () => {
  const { counts } = JSON.parse(await printed({ json: true }));
  assert.deepEqual(counts, [
    { id: 'allocated', of: ['node', 'java'] },
    { id: 'outgoing', of: ['node'] },
    { id: 'statements', of: ['postgres', 'mysql', 'redis'] },
  ]);
  assert.match(await printed({}), /\n- statements \(postgres, mysql, redis\)\n$/);
});
