/** How many files a value passes through on its way through `scripts/`. */

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { graphOf } from '../tools/call-graph.js';
import { asMarkdown, OUTPUT, walksOf } from '../tools/walks.js';
import { scratchFolder } from './scratch.js';

/** A walk that needs more files raises its number in its own commit, which says what they are worth. */
const MOST = [26, 16, 11, 15, 22];
const WALKS = walksOf();

test('no walk has more files than before', () => {
  assert.equal(WALKS.length, MOST.length);
  for (const [place, { title, count }] of WALKS.entries())
    assert.ok(
      count <= (MOST[place] ?? 0),
      `${title}: ${count} files, and at most ${MOST[place]} are allowed`,
    );
});

test('tools/walks.md is what the script prints', () => {
  assert.equal(readFileSync(OUTPUT, 'utf8'), asMarkdown(WALKS), 'run: npm run walks');
});

test('the graph follows calls, callbacks, registries, re-exports and files of other processes, but no comment', () => {
  const root = folderOf({
    'a.js': `
      import { b as other } from './room/b.js';
      import { TOOLS } from './tools.js';
      // never()
      export function start(value) { return Object.keys(TOOLS).map(other).concat(value.size); }
      function never() { return new URL('./driver.cjs', import.meta.url); }
    `,
    'tools.js': `export { TOOLS } from './rows.js';`,
    'rows.js': `const wrk = { id: 'wrk' }; export const TOOLS = { wrk };`,
    'room/b.js': `export const b = async () => (await import('../late.js')).late();`,
    'late.js': `export function late() {} late();`,
    'driver.cjs': `process.on('message', () => {});`,
  });
  const graph = graphOf(root);
  const to = (/** @type {string} */ id) => [...(graph.get(id)?.to ?? [])].sort();
  assert.deepEqual(to('a.js#start'), ['room/b.js#b', 'rows.js#TOOLS']);
  assert.deepEqual(to('a.js#never'), ['driver.cjs#']);
  assert.deepEqual(to('rows.js#TOOLS'), ['rows.js#wrk']);
  assert.deepEqual(to('room/b.js#b'), ['late.js#', 'late.js#late']);
  assert.deepEqual(to('late.js#'), ['late.js#late']);
  assert.ok(graph.get('a.js#start')?.names.has('size'));
  for (const name of ['never', 'keys']) assert.ok(!graph.get('a.js#start')?.names.has(name), name);
});

/** @type {(files: Record<string, string>) => string} */
function folderOf(files) {
  const root = scratchFolder();
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  return root;
}
