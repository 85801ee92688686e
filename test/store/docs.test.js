/** The example of the manual is what it says: the smallest run file. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { compare } from '../../scripts/judge/compare.js';
import { readRun } from '../../scripts/store/run-file.js';
import { scratch } from './scratch.js';

const manual = readFileSync(new URL('../../docs/baselines.md', import.meta.url), 'utf8');
const example = JSON.parse(/```json\n(.*?)```/s.exec(manual)?.[1] ?? '');

/** @param {any} value */
function read(value) {
  const file = join(scratch(), 'run.json');
  writeFileSync(file, JSON.stringify(value));
  return readRun(file);
}

test('the smallest run file of the manual is read and compared', async () => {
  const run = await read(example);
  const { cases } = compare(run, run);
  assert.deepEqual(
    cases.map(({ id }) => id),
    ['hello'],
  );
});

test('nothing of it can be left out', async () => {
  for (const key of Object.keys(example)) {
    await assert.rejects(read({ ...example, [key]: undefined }), /lacks|has no "schema"/, key);
  }
});
