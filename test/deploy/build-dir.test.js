/** Where servers are installed and built: checkouts and copies, never the user's folder. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { inBuildDir } from '../../scripts/deploy/source/build-dir.js';
import { readServer } from '../../scripts/catalog/catalog.js';
import { toy } from './toys/toys.js';
import { thisProcess } from '../../scripts/system/this-project.js';
import { scratchFolder } from '../scratch.js';

let scratch = '';
let repository = '';
/** @type {NodeJS.ProcessEnv} */
let env = {};

beforeEach(() => {
  scratch = scratchFolder();
  repository = join(scratch, 'repository');
  env = { XDG_CACHE_HOME: join(scratch, 'cache') };
  write('.gitignore', 'node_modules\ndist\n');
  write('lib/shared.js', 'shared');
  write('services/api/server.js', 'one');
  write('services/api/node_modules/native/build.node', 'for the Node of the user');
  write('services/api/dist/main.js', 'built by the user');
});

/** @type {(file: string, text: string) => void} */
function write(file, text) {
  mkdirSync(dirname(join(repository, file)), { recursive: true });
  writeFileSync(join(repository, file), text);
}

/** @param {string} path */
function writeAt(path) {
  writeFileSync(path, '');
  return path;
}

/** @param {string} [version] of Node */
const api = (version) =>
  toy('api', {
    folder: join(repository, 'services/api'),
    install: 'npm ci',
    ...(version !== undefined && { version }),
  });

/**
 * @param {import('../../scripts/types.js').Server} server
 * @param {NodeJS.ProcessEnv} [caller]
 */
const placed = (server, caller = env) =>
  inBuildDir(server, { env: caller, out: join(repository, 'figures'), commits: new Map() });

/** @param {{ folder: string }} server */
const textIn = ({ folder }) => readFileSync(join(folder, 'server.js'), 'utf8');

const git = () => execFileSync('git', ['init', '-q'], { cwd: repository });
const status = () => execFileSync('git', ['status', '--porcelain'], { cwd: repository, encoding: 'utf8' });

function commit() {
  const author = ['-c', 'user.name=a', '-c', 'user.email=a@localhost'];
  execFileSync('git', ['add', '--all'], { cwd: repository });
  execFileSync('git', [...author, 'commit', '-qm', 'all'], { cwd: repository });
}

test('each version and other packages get a copy, and none of them that of an ordinary run', async () => {
  write('package.json', '{}');
  const { install: _, ...plain } = api();
  const copies = [
    await placed(api()),
    await placed(api('22')),
    await placed(api('24')),
    await placed({ ...plain, packages: { fastify: '5.2.0' } }),
  ];
  assert.equal(new Set(copies.map(({ folder }) => folder)).size, 4);
  assert.deepEqual(copies.map(textIn), Array(4).fill('one'));
  assert.equal((await placed({ ...plain, packages: {} })).folder, copies[0]?.folder);
});

test('changed sources make a new copy, unchanged ones reuse it', async () => {
  write('package.json', '{}');
  const first = await placed(api());
  writeFileSync(join(first.folder, 'built.js'), 'built in the copy');
  assert.equal((await placed(api())).folder, first.folder);
  write('services/api/server.js', 'another');
  const second = await placed(api());
  assert.notEqual(second.folder, first.folder);
  assert.deepEqual([textIn(first), textIn(second)], ['one', 'another']);
  assert.equal(existsSync(join(second.folder, 'built.js')), false);
});

test('a working tree is checked out with its uncommitted changes, without ignored files and results', async () => {
  git();
  commit();
  write('services/api/server.js', 'edited');
  write('services/api/new.js', 'untracked');
  const before = status();
  const first = await placed(api());
  const { folder, buildDir, origin } = first;
  assert.deepEqual([textIn(first), readFileSync(join(folder, 'new.js'), 'utf8')], ['edited', 'untracked']);
  assert.deepEqual(readdirSync(folder).sort(), ['new.js', 'server.js']);
  assert.equal(readFileSync(join(folder, '../../lib/shared.js'), 'utf8'), 'shared');
  assert.ok(buildDir && folder.startsWith(buildDir));
  assert.equal(origin, join(repository, 'services/api'));
  assert.equal(status(), before);
  write('figures/run.json', '{}');
  assert.equal((await placed(api())).folder, folder);
});

test('each folder of the catalogue is a project by itself', async () => {
  const express = readServer(fileURLToPath(new URL('../../servers/express', import.meta.url)), thisProcess());
  const { folder, buildDir } = await placed(express);
  assert.equal(folder, join(buildDir ?? '', 'tree'));
});

test('a member of a workspace outside git is copied with the workspace', async () => {
  write('package.json', '{ "workspaces": ["services/*"] }');
  const { folder } = await placed(api());
  assert.equal(readFileSync(join(folder, '../../lib/shared.js'), 'utf8'), 'shared');
});

test('a server that the user installed by hand is installed in its copy', async () => {
  write('services/api/package.json', '{ "dependencies": { "a": "1" } }');
  const { install: _, ...built } = api();
  const { install } = await placed({ ...built, build: 'npm run build' });
  assert.deepEqual(install, 'npm install --no-audit --no-fund --no-package-lock'.split(' '));
});

test('a copy keeps links as they are, to folders and broken ones too, the second time as well, and no cache', async () => {
  symlinkSync('../../lib', join(repository, 'services/api/shared'));
  symlinkSync('nowhere', join(repository, 'services/api/lost'));
  const inside = { XDG_CACHE_HOME: join(repository, 'temporary') };
  await placed(api('24'), inside);
  const { folder } = await placed({ ...api('24'), folder: repository }, inside);
  assert.equal(readlinkSync(join(folder, 'services/api/shared')), '../../lib');
  assert.equal(readlinkSync(join(folder, 'services/api/lost')), 'nowhere');
  assert.deepEqual(readdirSync(folder).sort(), ['.gitignore', 'lib', 'services']);
});

test('files of `copy` are copied each time, ignored or not', async () => {
  git();
  write('.gitignore', 'node_modules\ndist\n.env\n');
  commit();
  write('services/api/.env', 'A=1');
  const listing = { ...api(), copy: ['.env'] };
  const first = await placed(listing);
  assert.equal(readFileSync(join(first.folder, '.env'), 'utf8'), 'A=1');
  write('services/api/.env', 'A=2');
  assert.equal((await placed(listing)).folder, first.folder);
  assert.equal(readFileSync(join(first.folder, '.env'), 'utf8'), 'A=2');
});

const INSIDE = /it is not a regular file inside/;
for (const [what, file, make, why] of /** @type {[string, string, (path: string) => void, RegExp][]} */ ([
  [
    'is not there',
    '.env',
    () => {},
    /^server "api": copy: \.env cannot be copied: there is no such file in .*api$/,
  ],
  ['is a link', '.env', (path) => symlinkSync('/etc/hostname', path), INSIDE],
  ['is a folder', 'certificates', (path) => mkdirSync(path), INSIDE],
  [
    'is reached by a link',
    'out/x',
    (path) => symlinkSync(tmpdir(), dirname(path)),
    /no such file|not a regular/,
  ],
  ['is large', 'data', (path) => truncateSync(writeAt(path), 17 * 2 ** 20), /it has more than 16 MB/],
])) {
  test(`a file to copy that ${what} is one line`, async () => {
    make(join(repository, 'services/api', file));
    await assert.rejects(placed({ ...api(), copy: [file] }), { name: 'UserError', message: why });
  });
}

test('outside a repository, and where git ignores the folder, the folder is copied by itself', async () => {
  const alone = await placed(api('24'));
  assert.equal(textIn(alone), 'one');
  assert.equal(existsSync(join(alone.folder, 'node_modules')), false);
  git();
  write('.gitignore', 'services\n');
  const ignored = await placed(api('24'));
  assert.equal(textIn(ignored), 'one');
  assert.equal(existsSync(join(ignored.folder, '../../lib')), false);
});

test('a server that is neither installed nor built runs where it is', async () => {
  const { install, ...plain } = api('24');
  assert.equal(install, 'npm ci');
  assert.equal(await placed(plain), plain);
});
