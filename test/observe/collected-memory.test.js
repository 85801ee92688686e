/** Memory after a forced collection, of a real process. */

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { enterCollecting } from '../../scripts/observe/collected-memory.js';

/** Makes 20 MB of garbage and keeps 5 MB; prints whether it sees \`gc\`. */
const PROGRAM = `let garbage = Array.from({ length: 200 }, () => new Array(12_800).fill(0.5));
globalThis.kept = garbage.slice(0, 50).map((array) => array.slice());
garbage = undefined;
setInterval(() => {}, 1000);
console.log(typeof gc, typeof require('node:vm').runInNewContext('typeof gc === "undefined" ? undefined : gc'));`;

test('garbage is collected first, and the program sees no gc', async () => {
  const { env, read, stop } = await enterCollecting();
  const program = spawn(process.execPath, ['-e', PROGRAM], { env: { ...process.env, ...env } });
  try {
    const [printed] = await once(program.stdout, 'data');
    assert.equal(String(printed), 'undefined undefined\n');
    const memory = await read();
    assert.ok(memory);
    assert.ok(memory.heapBytes > 5e6 && memory.heapBytes < 15e6, JSON.stringify(memory));
    assert.ok(memory.externalBytes > 0 && memory.rssBytes > memory.heapBytes);
    program.kill();
    await once(program, 'exit');
    assert.equal(await read(), undefined);
  } finally {
    program.kill();
    await stop();
  }
});
