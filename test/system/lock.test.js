import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { scratchFolder } from '../scratch.js';

const scratch = scratchFolder();

const WORKS = `
import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { alone } from '${new URL('../../scripts/system/lock.js', import.meta.url)}';
await alone('lock', async () => {
  appendFileSync('log', 'in ');
  await sleep(20);
  appendFileSync('log', 'out ');
});
`;

test('eight processes that find the lock of a dead one, and a dead removal of it, work one after the other', async () => {
  // No process has the id 0.
  symlinkSync('0 1', join(scratch, 'lock'));
  symlinkSync('0 2', join(scratch, 'lock.0-1'));
  const run = () =>
    promisify(execFile)(process.execPath, ['--input-type=module', '-e', WORKS], { cwd: scratch });
  await Promise.all(Array.from({ length: 8 }, run));
  assert.equal(readFileSync(join(scratch, 'log'), 'utf8'), 'in out '.repeat(8));
  assert.deepEqual(readdirSync(scratch), ['log']);
});
