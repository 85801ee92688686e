/** Endless devices, pipes without a writer, files that are too large. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readBounded, readStart } from '../../scripts/system/bounded-file.js';
import { scratchFolder } from '../scratch.js';

const dir = scratchFolder();

const at = (/** @type {string} */ name) => join(dir, name);
writeFileSync(at('ten'), '0123456789');
writeFileSync(at('large'), Buffer.alloc(3 * 2 ** 20, 'x'));
symlinkSync('ten', at('link'));
symlinkSync('/dev/zero', at('endless'));
execFileSync('mkfifo', [at('pipe')]);

test('a file is read to its end, through a link too', () => {
  assert.equal(readBounded(at('ten'), { bytes: 10 }).toString(), '0123456789');
  assert.equal(readBounded(at('link')).toString(), '0123456789');
  assert.equal(readBounded(at('large')).length, 3 * 2 ** 20);
});

test('reading stops as soon as a file is known to be too long', () => {
  assert.equal(readStart(at('ten'), 4).toString(), '0123');
  assert.equal(readStart('/proc/self/maps', 4).length, 4);
  for (const file of [at('ten'), '/proc/self/maps'])
    assert.throws(() => readBounded(file, { bytes: 9, named: 'perf.yml', mend: 'shorten it' }), {
      name: 'UserError',
      message: 'perf.yml: has more than 9 bytes; shorten it',
    });
});

test('anything but a regular file is refused at once', () => {
  for (const name of ['endless', 'pipe', '.'])
    assert.throws(() => readBounded(at(name), { named: 'x' }), {
      name: 'UserError',
      message: 'x: is not a regular file; check the path',
    });
  for (const [name, why] of Object.entries({
    none: 'there is no such file',
    'ten/none': 'cannot be read (ENOTDIR)',
  }))
    assert.throws(() => readBounded(at(name), { named: 'x' }), { message: `x: ${why}; check the path` });
});

test('a sparse file of a gigabyte takes no memory before it is refused', () => {
  writeFileSync(at('sparse'), '');
  truncateSync(at('sparse'), 2 ** 30);
  const before = process.resourceUsage().maxRSS;
  assert.throws(() => readBounded(at('sparse'), { bytes: 2 ** 27 }), /has more than 134217728 bytes/);
  const grownKilobytes = process.resourceUsage().maxRSS - before;
  assert.ok(grownKilobytes < 20_000, `${grownKilobytes} KB`);
});
