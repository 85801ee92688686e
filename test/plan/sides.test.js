import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { UserError } from '../../scripts/model/errors.js';
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

/** @param {Config} config @param {(cwd: string) => Config} [readAgain] @param {string[]} [added] */
const both = (config, readAgain, added = []) =>
  serversIn(config, { top, folder, cwd: join(top, 'api'), added, ...(readAgain && { readAgain }) });
/** @param {Config} config @param {(cwd: string) => Config} [readAgain] */
const there = (config, readAgain) => both(config, readAgain).servers;

test('a server is taken from the other checkout', () => {
  assert.equal(there(configOf([api()])).api?.folder, join(folder, 'api'));
});

test('the other checkout describes how its server starts', () => {
  const old = api({ start: 'node old.js', folder: join(folder, 'api') });
  const found = there(configOf([api()]), (cwd) => {
    assert.equal(cwd, join(folder, 'api'));
    return configOf([old]);
  });
  assert.equal(found.api?.start, 'node old.js');
});

test('a server in the repository’s own folder is matched whatever the other checkout’s folder is called', () => {
  const here = api({ id: 'repo', name: 'repo', folder: top });
  const old = api({ id: 'other', name: 'other', folder, start: 'node old.js' });
  const { servers, warnings } = both(configOf([here]), () => configOf([old]));
  const { repo } = servers;
  assert.deepEqual(
    [Object.keys(servers), repo?.id, repo?.name, repo?.start, repo?.folder, warnings],
    [['repo'], 'repo', 'repo', 'node old.js', folder, []],
  );
});

test('a checkout without a configuration uses the present one', () => {
  const found = there(configOf([api()]), () => {
    throw new UserError('perf.yml: no such file');
  });
  assert.deepEqual([found.api?.start, found.api?.folder], ['node new.js', join(folder, 'api')]);
});

test('a built-in server of the same name is not its base, and a warning names whose description was used', () => {
  const builtIn = api({ start: 'node demo.js', folder: tmpdir() });
  const { servers, warnings } = both(configOf([api()]), () => configOf([builtIn]));
  assert.deepEqual([servers.api?.start, servers.api?.folder], ['node new.js', join(folder, 'api')]);
  assert.deepEqual(warnings, [
    {
      code: 'described-by-head',
      servers: ['API'],
    },
  ]);
});

test('a built-in server is the same on both sides, without a warning', () => {
  const builtIn = api({ start: 'node demo.js', folder: tmpdir() });
  const { servers, warnings } = both(configOf([builtIn]), () => configOf([builtIn]));
  assert.deepEqual([servers.api, warnings], [builtIn, []]);
});

for (const [what, changes, added] of /** @type {[string, Partial<Server>, string[]][]} */ ([
  ['the file it starts', {}, ['api/new.js']],
  ['the file it starts, in a line for the shell', { start: 'cd . && node ./new.js --x' }, ['api/new.js']],
  ['its project', { start: 'npm start' }, ['README.md', 'api/package.json']],
])) {
  test(`a server is new if ${what} came with the head`, () => {
    const { servers, warnings } = both(configOf([api(changes)]), () => configOf([]), added);
    assert.deepEqual(servers, {});
    assert.deepEqual(warnings, [{ code: 'new-in-head', servers: ['API'] }]);
  });
}

test('new files do not matter to a server that the base describes itself', () => {
  const old = api({ start: 'node old.js', folder: join(folder, 'api') });
  const { servers, warnings } = both(configOf([api()]), () => configOf([old]), ['api/new.js']);
  assert.deepEqual([servers.api?.start, warnings], ['node old.js', []]);
});

test('an error of our own is not taken for a missing configuration', () => {
  const broken = () => there(configOf([api()]), () => JSON.parse('{'));
  assert.throws(broken, SyntaxError);
});

test('a server whose folder is missing is new', () => {
  assert.deepEqual(there(configOf([api({ folder: join(top, 'worker') })])), {});
});

test('servers outside the repository, and the reference, are the same on every side', () => {
  const outside = api({ id: 'outside', folder: tmpdir() });
  const gauge = api({ id: 'gauge', reference: true });
  const found = there(configOf([outside], gauge));
  assert.deepEqual([found.outside?.folder, found.gauge?.folder], [tmpdir(), join(top, 'api')]);
});

const QUIET = ['--no-audit', '--no-fund'];
/** @type {[title: string, files: Record<string, string>, install: Server['install']][]} */
const INSTALLS = [
  ['a lock file', { 'api/package.json': '{}', 'api/package-lock.json': '{}' }, ['npm', 'ci']],
  [
    "a workspace's lock file",
    { 'api/package.json': '{}', 'pnpm-lock.yaml': '' },
    ['pnpm', 'install', '--frozen-lockfile'],
  ],
  ['bun', { 'api/package.json': '{}', 'api/bun.lock': '' }, ['bun', 'install', '--frozen-lockfile']],
  [
    'yarn 1',
    { 'api/package.json': '{}', 'yarn.lock': '# yarn lockfile v1' },
    ['yarn', 'install', '--frozen-lockfile'],
  ],
  ['yarn 2 and later', { 'api/package.json': '{}', 'yarn.lock': '' }, ['yarn', 'install', '--immutable']],
  ['no lock file', { 'api/package.json': '{"dependencies":{"a":"1"}}' }, ['npm', 'install', ...QUIET]],
  ['no dependencies', { 'api/package.json': '{"name":"api"}' }, undefined],
  ['another language', { 'api/go.mod': '' }, undefined],
];

for (const [title, files, install] of INSTALLS) {
  test(`the installation of a project that does not describe it is known: ${title}`, () => {
    for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
    assert.deepEqual(there(configOf([api()])).api?.install, install);
  });
}

test("a server's own installation is kept", () => {
  writeFileSync(join(folder, 'api/package-lock.json'), '{}');
  writeFileSync(join(folder, 'api/package.json'), '{}');
  assert.equal(there(configOf([api({ install: 'make deps' })])).api?.install, 'make deps');
});
