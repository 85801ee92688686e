/** What a server that runs under several versions of Node is installed and built in. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { inOwnCopy } from '../../scripts/boot/copies.js';
import { toy } from './toys/toys.js';

let scratch = '';
let repository = '';
/** @type {NodeJS.ProcessEnv} */
let env = {};

beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'copies-'));
  repository = join(scratch, 'repository');
  env = { XDG_CACHE_HOME: join(scratch, 'cache') };
  write('.gitignore', 'node_modules\ndist\n');
  write('lib/shared.js', 'shared');
  write('services/api/server.js', 'one');
  write('services/api/node_modules/native/build.node', 'for the Node of the user');
  write('services/api/dist/main.js', 'built by the user');
});
afterEach(() => rmSync(scratch, { recursive: true }));

/** @param {string} file @param {string} text */
function write(file, text) {
  mkdirSync(dirname(join(repository, file)), { recursive: true });
  writeFileSync(join(repository, file), text);
}

/** @param {string} version */
const api = (version) =>
  toy('api', {
    id: `api@node${version}`,
    node: version,
    folder: join(repository, 'services/api'),
    install: 'npm ci',
  });

const git = () => execFileSync('git', ['init', '-q'], { cwd: repository });

test('a copy holds the repository without what git ignores, each version its own', async () => {
  git();
  const [one, other] = [await inOwnCopy(api('22'), env), await inOwnCopy(api('24'), env)];
  assert.notEqual(one.folder, other.folder);
  for (const { folder } of [one, other]) {
    assert.equal(readFileSync(join(folder, 'server.js'), 'utf8'), 'one');
    assert.equal(readFileSync(join(folder, '../../lib/shared.js'), 'utf8'), 'shared');
    assert.deepEqual(
      ['node_modules', 'dist', '../../.git'].map((name) => existsSync(join(folder, name))),
      [false, false, false],
    );
  }
});

test('a link stays a link, also the second time', async () => {
  git();
  symlinkSync('server.js', join(repository, 'services/api/main.js'));
  await inOwnCopy(api('24'), env);
  const { folder } = await inOwnCopy(api('24'), env);
  assert.equal(readlinkSync(join(folder, 'main.js')), 'server.js');
});

test('a cache inside the repository is no part of it', async () => {
  const inside = { XDG_CACHE_HOME: join(repository, 'temporary') };
  await inOwnCopy(api('24'), inside);
  const { folder } = await inOwnCopy({ ...api('24'), folder: repository }, inside);
  assert.ok(existsSync(join(folder, 'lib/shared.js')));
  assert.equal(existsSync(join(folder, 'temporary')), false);
});

test('a copy follows its source, and keeps what was made in it', async () => {
  git();
  write('services/api/gone.js', 'gone soon');
  const { folder } = await inOwnCopy(api('24'), env);
  assert.ok(existsSync(join(folder, 'gone.js')));
  mkdirSync(join(folder, 'dist'));
  writeFileSync(join(folder, 'dist/main.js'), 'built in the copy');
  rmSync(join(repository, 'services/api/gone.js'));
  write('services/api/server.js', 'two');
  write('services/api/fresh.js', 'fresh');
  assert.equal((await inOwnCopy(api('24'), env)).folder, folder);
  assert.equal(readFileSync(join(folder, 'server.js'), 'utf8'), 'two');
  assert.equal(readFileSync(join(folder, 'dist/main.js'), 'utf8'), 'built in the copy');
  assert.deepEqual(
    ['gone.js', 'fresh.js'].map((name) => existsSync(join(folder, name))),
    [false, true],
  );
});

test('outside a repository, and where git ignores the folder, the folder is copied by itself', async () => {
  const alone = await inOwnCopy(api('24'), env);
  assert.equal(readFileSync(join(alone.folder, 'server.js'), 'utf8'), 'one');
  assert.equal(existsSync(join(alone.folder, 'node_modules')), false);
  git();
  write('.gitignore', 'services\n');
  const ignored = await inOwnCopy(api('24'), env);
  assert.equal(readFileSync(join(ignored.folder, 'server.js'), 'utf8'), 'one');
  assert.equal(existsSync(join(ignored.folder, '../../lib')), false);
});

test('a server that is neither installed nor built runs where it is', async () => {
  const { install, ...plain } = api('24');
  assert.equal(install, 'npm ci');
  assert.equal(await inOwnCopy(plain, env), plain);
});

test('a copy nobody asked for in weeks is thrown away', async () => {
  const old = join(await inOwnCopy(api('22'), env).then(({ folder }) => folder), '..');
  utimesSync(old, 0, 0);
  await inOwnCopy(api('24'), env);
  assert.equal(existsSync(old), false);
});
