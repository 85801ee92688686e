/** Trees that servers wrote to are as they were made before the next start. */

import assert from 'node:assert/strict';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, test } from 'node:test';
import { openBuildDir } from '../../scripts/deploy/source/build-cache.js';
import { keepTrees, treeOf } from '../../scripts/deploy/source/tree-record.js';
import { scratchFolder } from '../scratch.js';

const SCRATCH = scratchFolder();

const MADE = {
  'server.js': 'serve()',
  'db.json': '[]',
  'dist/page.html': 'built',
  'node_modules/a/index.js': 'a package',
  'node_modules/.cache/a': 'a cache',
};

let buildDir = '';
beforeEach(async () => {
  buildDir = join(mkdtempSync(join(SCRATCH, 'cache-')), 'state');
  await openBuildDir(buildDir, async () => {
    for (const [path, text] of Object.entries(MADE)) write(path, text);
    symlinkSync('server.js', join(treeOf(buildDir), 'main.js'));
  });
});

/** @type {(path: string, text: string) => void} */
function write(path, text) {
  const file = join(treeOf(buildDir), path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** @param {string} path */
const read = (path) => readFileSync(join(treeOf(buildDir), path), 'utf8');

const restored = (/** @type {ReturnType<typeof keepTrees>} */ trees) => {
  const [{ changed = [], lost = [] } = {}] = trees.restore();
  return { changed: changed.toSorted(), lost };
};

/** As if the run that used it had ended. */
const leave = () => rmSync(join(buildDir, 'users'), { recursive: true });
const open = () => openBuildDir(buildDir, async (tree) => void mkdirSync(tree));

test('what a server changed, removed, replaced or wrote newly is undone before the next start', () => {
  const trees = keepTrees([buildDir]);
  trees.keepSetUp();
  assert.deepEqual(restored(trees), { changed: [], lost: [] });
  const page = join(treeOf(buildDir), 'dist/page.html');
  const { mtimeMs } = statSync(page);
  appendFileSync(join(treeOf(buildDir), 'db.json'), '!');
  // Neither size nor time of change show that it is another one.
  writeFileSync(page, 'BUILT');
  utimesSync(page, mtimeMs / 1000, mtimeMs / 1000);
  rmSync(join(treeOf(buildDir), 'main.js'));
  rmSync(join(treeOf(buildDir), 'server.js'));
  write('server.js/inside.js', 'a folder in place of a file');
  write('uploads/deep/new.txt', 'new');
  write('node_modules/.cache/a', 'another cache');
  const changed = ['db.json', 'dist/page.html', 'main.js', 'node_modules/.cache/a', 'server.js'];
  const added = ['server.js/inside.js', 'uploads', 'uploads/deep', 'uploads/deep/new.txt'];
  assert.deepEqual(restored(trees), { changed: [...changed, ...added].sort(), lost: [] });
  for (const [path, text] of Object.entries(MADE)) assert.equal(read(path), text, path);
  assert.equal(readlinkSync(join(treeOf(buildDir), 'main.js')), 'server.js');
  assert.ok(!existsSync(join(treeOf(buildDir), 'uploads')));
  assert.ok(Math.abs(statSync(page).mtimeMs - mtimeMs) < 1);
  assert.deepEqual(restored(trees), { changed: [], lost: [] });
});

test('each start finds what the setup left, and the next setup what the build left', async () => {
  const trees = keepTrees([buildDir]);
  write('data.sqlite', 'a row');
  write('db.json', '["seeded"]');
  trees.keepSetUp();
  write('data.sqlite', 'two rows');
  write('db.json', '["seeded", "grown"]');
  assert.deepEqual(restored(trees).changed, ['data.sqlite', 'db.json']);
  assert.deepEqual([read('data.sqlite'), read('db.json')], ['a row', '["seeded"]']);
  trees.end();
  assert.deepEqual([existsSync(join(treeOf(buildDir), 'data.sqlite')), read('db.json')], [false, '[]']);
});

test('the next run begins with the tree as it was made, also after one that was killed', async () => {
  keepTrees([buildDir]).keepSetUp();
  write('db.json', '["grown"]');
  leave();
  await open();
  assert.equal(read('db.json'), '[]');
});

test('packages that a server changed are said to be lost, and the next run makes the tree again', async () => {
  const trees = keepTrees([buildDir]);
  trees.keepSetUp();
  write('node_modules/a/index.js', 'overwritten');
  for (let starts = 0; starts < 2; starts++)
    assert.deepEqual(restored(trees).lost, ['node_modules/a/index.js']);
  trees.end();
  leave();
  await open();
  assert.deepEqual(readdirSync(treeOf(buildDir)), []);
});

test('a copy that was changed, too, is not taken for the file', () => {
  const trees = keepTrees([buildDir]);
  trees.keepSetUp();
  write('server.js', 'overwritten');
  write('../kept/server.js', 'overwritten');
  assert.deepEqual(restored(trees).lost, ['server.js']);
});
