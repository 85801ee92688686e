/** A job installs only what the chosen servers and tools need. */

import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { before, test } from 'node:test';
import { needsOf } from '../../scripts/github/action/plan-step.js';
import { scratch } from '../store/scratch.js';

let folder = '';
before(() => {
  folder = scratch();
  writeFileSync(join(folder, 'wrk'), '#!/bin/sh\n');
  chmodSync(join(folder, 'wrk'), 0o755);
  writeFileSync(join(folder, 'ab'), 'not a program');
});

/**
 * @param {string[]} runtimes
 * @param {string[]} tools
 * @returns {import('../../scripts/types.js').Config} as far as it matters
 */
const configOf = (runtimes, tools) =>
  /** @type {any} */ ({
    servers: runtimes.map((runtime) => ({ runtime, needs: [] })),
    cases: tools.map((tool) => ({ load: { tool } })),
  });

test('a tool needs a package only if npm does not install it and it is not on the PATH', () => {
  const path = ['/no/such/folder', folder].join(delimiter);
  const { packages } = needsOf(configOf(['node'], ['autocannon', 'wrk', 'ab', 'ab']), { PATH: path });
  assert.deepEqual(packages, ['apache2-utils']);
});

test('Java is installed for any server that runs on it, the reference included', () => {
  assert.deepEqual(needsOf(configOf(['node'], []), {}).setups, []);
  assert.deepEqual(needsOf(configOf(['node', 'java', 'java'], []), {}).setups, ['java']);
  const reference = /** @type {any} */ ({ runtime: 'java', needs: [] });
  assert.deepEqual(needsOf({ ...configOf(['node'], []), reference }, {}).setups, ['java']);
});

test('a missing service is installed unless the environment names a running one', () => {
  const config = configOf(['node'], []);
  config.servers[0]?.needs.push('redis');
  assert.deepEqual(needsOf(config, { PATH: folder }).packages, ['redis-server']);
  assert.deepEqual(needsOf(config, { PATH: folder, REDIS_URL: 'redis://127.0.0.1' }).packages, []);
});
