/** Hints for a failed server that lacks a file or a variable of the caller. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { startServer } from '../../scripts/deploy/start/start-server.js';
import { inBuildDir } from '../../scripts/deploy/source/build-dir.js';
import { prepare } from '../../scripts/deploy/install/prepare.js';
import { toy } from './toys/toys.js';
import { scratchFolder } from '../scratch.js';

const signal = new AbortController().signal;
let top = '';

beforeEach(() => {
  top = scratchFolder();
  process.env.JWT_SECRET = 'hidden-1';
  process.env.UNRELATED_TOKEN = 'hidden-2';
});
afterEach(() => {
  delete process.env.JWT_SECRET;
  delete process.env.UNRELATED_TOKEN;
});

/**
 * @param {string} script
 * @param {Partial<import('../../scripts/types.js').Server>} [changes]
 */
async function placed(script, changes) {
  const folder = join(top, 'app');
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  const ignored = { '.env': 'A=1', 'cert.pem': 'x', notes: 'x', 'node_modules/a': 'x' };
  const files = { 'main.js': script, '.gitignore': '.env\ncert.pem\nnode_modules\nnotes\n', ...ignored };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const git = (/** @type {string[]} */ ...args) => execFileSync('git', args, { cwd: folder });
  git('init', '-q');
  git('add', '--all');
  git('-c', 'user.name=a', '-c', 'user.email=a@localhost', 'commit', '-qm', 'all');
  const server = toy('app', { folder, start: 'node main.js', build: 'true', ...changes });
  const env = { XDG_CACHE_HOME: join(top, 'cache') };
  return inBuildDir(server, { env, out: join(top, 'results'), commits: new Map() });
}

/** @type {(failing: Promise<unknown>) => Promise<string[]>} */
async function messageOf(failing) {
  const error = await failing.then(
    () => assert.fail('it started'),
    (/** @type {Error} */ reason) => reason,
  );
  // The message of an error is no part of its JSON.
  assert.doesNotMatch(`${error.message} ${JSON.stringify(error)}`, /hidden/);
  return error.message.split('; ');
}

const IGNORED =
  'is ignored by git and therefore missing in the checkouts: list it under `copy:` or put it in `env:`';
const [ENV, PEM] = [`.env ${IGNORED}`, `cert.pem ${IGNORED}`];
const SECRET = 'JWT_SECRET is set here but not passed: `passEnv: [JWT_SECRET]`';

test('the error of a dead server names missing files, and a variable from its sources', async () => {
  const server = await placed("process.env.JWT_SECRET ?? require('fs').readFileSync('cert.pem')");
  const lines = ['`node main.js` ended with 1', ENV, PEM, SECRET];
  assert.deepEqual(await messageOf(startServer(server, { signal })), lines);
});

test('the error names a variable from the log', async () => {
  const server = await placed("throw new Error(['JWT', 'SECRET'].join('_') + ' is not set')");
  assert.deepEqual((await messageOf(startServer(server, { signal }))).slice(1), [ENV, SECRET]);
});

test('the error names nothing that is copied, passed or set', async () => {
  const listed = { copy: ['.env'], passEnv: ['JWT_SECRET'] };
  const server = await placed('process.env.JWT_SECRET; process.exit(1)', listed);
  assert.deepEqual(await messageOf(startServer(server, { signal })), ['`node main.js` ended with 1']);
});

test('what only a Dockerfile, a page or a package names is not to blame', async () => {
  const server = await placed('throw new Error("panic")', { copy: ['.env', 'cert.pem'] });
  mkdirSync(join(server.folder, 'packages/a/node_modules'), { recursive: true });
  writeFileSync(join(server.folder, '.gitignore'), '.env\ncert.pem\nnotes\n');
  for (const file of ['Dockerfile', 'README.md', 'packages/a/node_modules/b.js'])
    writeFileSync(join(server.folder, file), 'JWT_SECRET=1\n');
  assert.deepEqual(await messageOf(startServer(server, { signal })), ['`node main.js` ended with 1']);
});

test('a failed build has the same hints', async () => {
  const server = await placed('', { build: 'cat cert.pem' });
  assert.deepEqual(await messageOf(prepare(server, { signal })), ['`cat cert.pem` ended with 1', ENV, PEM]);
});

test('a variable that the log calls missing comes with the lines to write', async () => {
  const names = ['DATABASE_URL', 'API_KEY'];
  const server = await placed(`throw new Error('missing: ${names.join(', ')}')`, { copy: ['.env'] });
  const hints = (await messageOf(startServer(server, { signal }))).slice(1);
  const mend = 'is not set: give it under `env:`, or set it here and list it under `passEnv:`';
  for (const name of names) assert.ok(hints.includes(`${name} ${mend}`), hints.join('; '));
});
