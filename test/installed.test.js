/** scripts/bench and scripts/test install only what is not installed yet. */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { scratchFolder } from './scratch.js';

const TOOL = fileURLToPath(new URL('../tools/installed.js', import.meta.url));
const LOCKED = { '': { version: '1.0.0' }, 'node_modules/a': { version: '1.2.3' } };
const WITH_DEV = { ...LOCKED, 'node_modules/b': { version: '2.0.0', dev: true } };
const OPTIONAL = { 'node_modules/only-on-windows': { version: '1.0.0', optional: true } };

test('node_modules counts as installed while it has every package of the lock file in its version', () => {
  const folder = scratchFolder();
  mkdirSync(join(folder, 'node_modules'));
  cpSync(TOOL, join(folder, 'tools/installed.mjs'));
  const write = (/** @type {string} */ file, /** @type {object} */ packages) =>
    writeFileSync(join(folder, file), JSON.stringify({ packages }));
  const code = (/** @type {string[]} */ ...args) =>
    spawnSync(process.execPath, [join(folder, 'tools/installed.mjs'), ...args]).status;

  write('package-lock.json', { ...WITH_DEV, ...OPTIONAL });
  assert.equal(code(), 1, 'nothing is installed');
  write('node_modules/.package-lock.json', LOCKED);
  assert.equal(code(), 1, 'a package for development is missing');
  assert.equal(code('--omit=dev'), 0);
  write('node_modules/.package-lock.json', WITH_DEV);
  assert.equal(code(), 0);
  write('package-lock.json', { ...WITH_DEV, 'node_modules/a': { version: '1.2.4' } });
  assert.equal(code('--omit=dev'), 1, 'another version is locked');
});
