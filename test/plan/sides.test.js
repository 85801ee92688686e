import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { UserError } from '../../scripts/errors.js';
import { serversIn } from '../../scripts/plan/sides.js';

/** @typedef {import('../../scripts/types.js').Server} Server */
/** @typedef {import('../../scripts/types.js').Config} Config */

const SCRATCH = mkdtempSync(join(tmpdir(), 'perf-sides-'));
after(() => rmSync(SCRATCH, { recursive: true }));

let top = '';
let folder = '';
beforeEach(() => {
  const home = mkdtempSync(join(SCRATCH, 'x-'));
  top = join(home, 'repo');
  folder = join(home, 'other');
  for (const path of [top, folder]) mkdirSync(join(path, 'api'), { recursive: true });
});

/** @param {Partial<Server>} [changes] @returns {Server} */
function api(changes) {
  const plain = { method: 'GET', path: '/', headers: {}, expect: { status: 200 } };
  return {
    id: 'api',
    name: 'API',
    runtime: 'node',
    folder: join(top, 'api'),
    start: 'node new.js',
    ready: { path: '/', timeoutSeconds: 30 },
    routes: [{ id: '/', ...plain }],
    needs: [],
    env: {},
    ...changes,
  };
}

/** @param {Server[]} servers @param {Server} [reference] */
const configOf = (servers, reference) => /** @type {Config} */ ({ servers, ...(reference && { reference }) });

/** @param {Config} config @param {(cwd: string) => Config} [readAgain] */
const there = (config, readAgain) =>
  serversIn(config, { top, folder, cwd: join(top, 'api'), ...(readAgain && { readAgain }) });

test('a server is the one of the other checkout', () => {
  assert.equal(there(configOf([api()])).api?.folder, join(folder, 'api'));
});

test('the other checkout says itself how its server starts', () => {
  const old = api({ start: 'node old.js', folder: join(folder, 'api') });
  const found = there(configOf([api()]), (cwd) => {
    assert.equal(cwd, join(folder, 'api'));
    return configOf([old]);
  });
  assert.equal(found.api?.start, 'node old.js');
});

test('where it has no configuration yet, the present one serves for it', () => {
  const found = there(configOf([api()]), () => {
    throw new UserError('perf.yml: no such file');
  });
  assert.deepEqual([found.api?.start, found.api?.folder], ['node new.js', join(folder, 'api')]);
});

test('a mistake of ours is not taken for a missing configuration', () => {
  const broken = () => there(configOf([api()]), () => JSON.parse('{'));
  assert.throws(broken, SyntaxError);
});

test('a server whose folder is not there is new', () => {
  assert.deepEqual(there(configOf([api({ folder: join(top, 'worker') })])), {});
});

test('what lies outside the repository, and the reference, are the same on every side', () => {
  const outside = api({ id: 'outside', folder: tmpdir() });
  const gauge = api({ id: 'gauge', reference: true });
  const found = there(configOf([outside], gauge));
  assert.deepEqual([found.outside?.folder, found.gauge?.folder], [tmpdir(), join(top, 'api')]);
});

/** @type {[title: string, files: Record<string, string>, install: Server['install']][]} */
const INSTALLS = [
  ['a lock file', { 'api/package.json': '{}', 'api/package-lock.json': '{}' }, ['npm', 'ci']],
  [
    "a workspace's lock file",
    { 'api/package.json': '{}', 'pnpm-lock.yaml': '' },
    ['pnpm', 'install', '--frozen-lockfile'],
  ],
  ['no lock file', { 'api/package.json': '{"dependencies":{"a":"1"}}' }, ['npm', 'install']],
  ['no dependencies', { 'api/package.json': '{"name":"api"}' }, undefined],
  ['another language', { 'api/go.mod': '' }, undefined],
];

for (const [title, files, install] of INSTALLS) {
  test(`a project that says nothing of its installation: ${title}`, () => {
    for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
    assert.deepEqual(there(configOf([api()])).api?.install, install);
  });
}

test("an installation of the server's own is kept", () => {
  writeFileSync(join(folder, 'api/package-lock.json'), '{}');
  writeFileSync(join(folder, 'api/package.json'), '{}');
  assert.equal(there(configOf([api({ install: 'make deps' })])).api?.install, 'make deps');
});
