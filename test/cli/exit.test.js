/** How commands end that cannot do their work: a line, no stack, and no gate's exit code. */

import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { main } from '../../scripts/main.js';
import { endingOf } from '../../scripts/system/exit.js';
import { MeasureError } from '../../scripts/model/errors.js';
import { scratchFolder } from '../scratch.js';

const dir = scratchFolder();

test('names of object properties are no commands', async () => {
  for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
    let printed = '';
    const output = { write: (/** @type {string} */ text) => (printed += text) };
    const { signal } = new AbortController();
    assert.equal(await main([name], { cwd: dir, env: {}, stdout: output, stderr: output, signal }), 2);
    assert.match(printed, new RegExp(`^perf-action: unknown command "${name}"; .*see perf-action --help\n$`));
  }
});

test('a bug is one line that says where to report it, and its stack is in a file', () => {
  const bug = new TypeError('x is not\na function');
  const { code, lines } = endingOf(bug);
  assert.equal(code, 3);
  const [, file = ''] =
    /^unexpected error: TypeError: x is not a function; please report it at https:\/\/\S+\/issues with (\S+)$/.exec(
      lines.join('\n'),
    ) ?? [];
  assert.equal(readFileSync(file, 'utf8'), `${bug.stack}\n`);
  rmSync(join(file, '..'), { recursive: true });
  for (const thrown of [undefined, null, 'text', 7, { a: 1 }, Object.create(null)])
    assert.match(endingOf(thrown).lines.join('\n'), /^unexpected error: Error: .*please report it/);
  assert.deepEqual(endingOf(new MeasureError('service-failed', 'no\nanswer')), {
    code: 3,
    reason: 'service-failed',
    lines: ['service-failed: no answer'],
  });
});

test('a full disk is one line, whoever met it', () => {
  const system = Object.assign(new Error("ENOSPC: no space left on device, write '/tmp/x'"), {
    code: 'ENOSPC',
  });
  for (const error of [system, new Error('fatal: sha1 file write error. Out of diskspace')]) {
    const { code, lines } = endingOf(error);
    assert.deepEqual([code, lines.length], [3, 1]);
    assert.match(String(lines), /^the disk is full: .*; free space there, or set TMPDIR /);
  }
});
