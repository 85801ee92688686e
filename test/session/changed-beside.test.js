/** Changed files whose effect coverage does not show. */

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { treeOf } from '../../scripts/deploy/source/tree-record.js';
import { changedBeside } from '../../scripts/session/touched-routes.js';
import { configOf, serverOf } from '../run/fakes.js';

/** @import { Server } from '../../scripts/types.js' */
/** @import { Recording } from '../../scripts/profile/coverage.js' */

const buildDir = mkdtempSync(join(tmpdir(), 'perf-beside-'));
after(() => rmSync(buildDir, { recursive: true }));
const folder = join(treeOf(buildDir), 'api');
mkdirSync(folder, { recursive: true });
const SCRIPTS = { start: 'node server.js', prestart: 'node tools/fill.js', lint: 'node tools/lint.js' };
writeFileSync(join(folder, 'package.json'), JSON.stringify({ scripts: SCRIPTS }));

/**
 * @param {string[]} changed
 * @param {Partial<Server>} [settings]
 * @param {string[]} [loaded]
 */
function reasonsFor(changed, settings = {}, loaded = ['server.js', 'services/orders.js', 'dist/items.js']) {
  const server = { ...serverOf('api'), start: 'node server.js', folder, buildDir, ...settings };
  const files = new Map(loaded.map((file) => [file, '']));
  const recordings = /** @type {Recording[]} */ ([{ files }]);
  const alone = { ...configOf(['api']), ignore: [], servers: [server] };
  return changedBeside(alone, changed, { pair: [server, server], recordings });
}

const SETUP = { setup: 'node seeds/index.js' };

test('a changed script that no process loads belongs to setup, whatever has its name elsewhere', () => {
  const changed = ['api/seeds/index.js', 'api/seeds/orders.js'];
  const loaded = ['server.js', 'node_modules/express/index.js', 'services/orders.js', 'index.js'];
  assert.deepEqual(reasonsFor(changed, SETUP, loaded).setup, changed);
  assert.deepEqual(reasonsFor(['api/services/orders.js', 'api/src/items.ts'], SETUP).setup, []);
});

test('a test that setup names belongs to it, and another one does not', () => {
  const changed = ['api/test/seed.js', 'api/test/orders.js', 'api/orders.spec.ts'];
  assert.deepEqual(reasonsFor(changed, { setup: 'node test/seed.js' }).setup, ['api/test/seed.js']);
});

test('what a start runs before the server belongs to setup, with migrations, also without a setup', () => {
  const changed = ['api/tools/fill.js', 'api/tools/lint.js', 'api/migrations/2.js'];
  assert.deepEqual(reasonsFor(changed, { start: 'npm start' }).setup, [changed[0], changed[2]]);
  assert.deepEqual(reasonsFor(['api/fill.js'], { start: 'node fill.js && node server.js' }).setup, [
    'api/fill.js',
  ]);
  assert.deepEqual(reasonsFor(['api/fill.js', 'api/serve.ts']).setup, [], 'a part of a word names nothing');
});

test('a changed file that is not code may be read; lock files and data of tests are not', () => {
  const locks = ['package-lock.json', 'pnpm-lock.yaml', 'yarn.lock', 'bun.lock', 'bun.lockb'];
  const changed = ['api/spec/openapi.yaml', 'api/views/a.html', 'test/data.json', ...locks];
  assert.deepEqual(reasonsFor(changed).files, ['api/spec/openapi.yaml', 'api/views/a.html']);
});
