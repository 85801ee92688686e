import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, test } from 'node:test';
import { UserError } from '../../scripts/model/errors.js';
import { serversIn } from '../../scripts/plan/side-servers.js';
import { scratchFolder } from '../scratch.js';

/** @typedef {import('../../scripts/types.js').Server} Server */
/** @typedef {import('../../scripts/types.js').Config} Config */

const SCRATCH = scratchFolder();

let top = '';
let folder = '';
beforeEach(() => {
  const home = mkdtempSync(join(SCRATCH, 'x-'));
  top = join(home, 'repo');
  folder = join(home, 'other');
  for (const path of [top, folder]) mkdirSync(join(path, 'api'), { recursive: true });
});

/** @type {(changes?: Partial<Server>) => Server} */
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

/**
 * @param {Server[]} servers
 * @param {Server} [reference]
 */
const configOf = (servers, reference) => /** @type {Config} */ ({ servers, ...(reference && { reference }) });

/**
 * @param {Config} config
 * @param {((cwd: string) => Config)} [readAgain]
 * @param {string[]} [added]
 */
const both = (config, readAgain, added = []) =>
  serversIn(config, { top, folder, cwd: join(top, 'api'), added, ...(readAgain && { readAgain }) });
/**
 * @param {Config} config
 * @param {(cwd: string) => Config} [readAgain]
 */
const there = (config, readAgain) => both(config, readAgain).servers;
const old = () => api({ start: 'node old.js', folder: join(folder, 'api') });
const builtIn = () => api({ start: 'node demo.js', folder: tmpdir() });

/**
 * @type {[what: string, readAgain: ((cwd: string) => Config) | undefined, start: string, warnings:
 *   object[]][]}
 */
const ELSEWHERE = [
  ['as this one describes it where the other is not read', undefined, 'node new.js', []],
  ['as the other checkout describes it, whatever is new here', () => configOf([old()]), 'node old.js', []],
  [
    'as this one describes it where the other has no configuration',
    () => {
      throw new UserError('perf.yml: no such file');
    },
    'node new.js',
    [{ code: 'described-by-head', servers: ['API'] }],
  ],
  [
    'never as a built-in server of the same name',
    () => configOf([builtIn()]),
    'node new.js',
    [{ code: 'described-by-head', servers: ['API'] }],
  ],
];
for (const [what, readAgain, start, warnings] of ELSEWHERE)
  test(`a server is taken from the other checkout, ${what}`, () => {
    const read =
      readAgain &&
      ((/** @type {string} */ cwd) => {
        assert.equal(cwd, join(folder, 'api'));
        return readAgain(cwd);
      });
    const found = both(configOf([api()]), read, start === 'node old.js' ? ['api/new.js'] : []);
    const { api: server } = found.servers;
    assert.deepEqual([server?.start, server?.folder, found.warnings], [start, join(folder, 'api'), warnings]);
  });

test('a server in the repository’s own folder is matched whatever the other checkout’s folder is called', () => {
  const here = api({ id: 'repo', name: 'repo', folder: top });
  const other = api({ id: 'other', name: 'other', folder, start: 'node old.js' });
  const { servers, warnings } = both(configOf([here]), () => configOf([other]));
  const { repo } = servers;
  assert.deepEqual(
    [Object.keys(servers), repo?.id, repo?.name, repo?.start, repo?.folder, warnings],
    [['repo'], 'repo', 'repo', 'node old.js', folder, []],
  );
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

test('an error of our own is not taken for a missing configuration', () => {
  const broken = () => there(configOf([api()]), () => JSON.parse('{'));
  assert.throws(broken, SyntaxError);
});

test('a server whose folder is missing is new; servers outside, built-in ones and the reference stay the same', () => {
  assert.deepEqual(there(configOf([api({ folder: join(top, 'worker') })])), {});
  const gauge = api({ id: 'gauge', reference: true });
  const { servers, warnings } = both(configOf([builtIn()], gauge), () => configOf([builtIn()]));
  assert.deepEqual([servers, warnings], [{ api: builtIn(), gauge }, []]);
});

const MANIFEST = { 'api/package.json': '{}' };
const WORKSPACE = { ...MANIFEST, 'package.json': '{"workspaces":["*"]}' };
/** @type {[title: string, files: Record<string, string>, install: string | undefined][]} */
const INSTALLS = [
  ['a lock file', { ...MANIFEST, 'api/package-lock.json': '{}' }, 'npm ci'],
  [
    "a workspace's lock file",
    { ...MANIFEST, 'pnpm-workspace.yaml': 'packages: ["*"]', 'pnpm-lock.yaml': '' },
    'pnpm install --frozen-lockfile',
  ],
  ['the lock file of another project', { ...MANIFEST, 'pnpm-lock.yaml': '' }, undefined],
  ['bun', { ...MANIFEST, 'api/bun.lock': '' }, 'bun install --frozen-lockfile'],
  ['yarn 1', { ...WORKSPACE, 'yarn.lock': '# yarn lockfile v1' }, 'yarn install --frozen-lockfile'],
  ['yarn 2 and later', { ...WORKSPACE, 'yarn.lock': '' }, 'yarn install --immutable'],
  [
    'no lock file',
    { 'api/package.json': '{"dependencies":{"a":"1"}}' },
    'npm install --no-audit --no-fund --no-package-lock',
  ],
  ['no dependencies', { 'api/package.json': '{"name":"api"}' }, undefined],
  ['another language', { 'api/go.mod': '' }, undefined],
];

for (const [title, files, install] of INSTALLS) {
  test(`the installation of a project that does not describe it is known: ${title}`, () => {
    for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
    assert.deepEqual(there(configOf([api()])).api?.install, install?.split(' '));
  });
}

test("a server's own installation is kept", () => {
  writeFileSync(join(folder, 'api/package-lock.json'), '{}');
  writeFileSync(join(folder, 'api/package.json'), '{}');
  assert.equal(there(configOf([api({ install: 'make deps' })])).api?.install, 'make deps');
});
