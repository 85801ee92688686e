import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { compare } from '../../scripts/judge/compare.js';
import { readComparison } from '../../scripts/store/run-file.js';
import { writeJson } from '../../scripts/store/json-file.js';
import { run, runCase, trial } from './runs.js';
import { scratch } from './scratch.js';

const starts = [900, 1000, 1100].map((requests, round) => trial({ round }, { requests }));

test('what the judge says is written and read again, whole', async () => {
  const file = join(scratch(), 'comparison.json');
  const cases = [runCase('a', starts), runCase('b')];
  const comparison = compare(run({ cases: cases.slice(0, 1) }), run({ cases }));
  assert.equal(comparison.cases.length, 2);
  await writeJson(file, comparison);
  // JSON has no undefined, so only what the file can hold is asked for.
  assert.deepEqual(await readComparison(file), JSON.parse(JSON.stringify(comparison)));
});

test('a verdict that is none, and a run in the place of a comparison, are refused', async () => {
  const file = join(scratch(), 'comparison.json');
  const comparison = compare(run(), run());
  writeFileSync(file, JSON.stringify({ ...comparison, verdict: 'slower' }));
  const message = /verdict must be one of regressed, improved, same, unsure, failed; got "slower"/;
  await assert.rejects(readComparison(file), { name: 'UserError', message });
  writeFileSync(file, JSON.stringify(run()));
  await assert.rejects(
    readComparison(file),
    /"perf-action\/run@1", but this version reads "perf-action\/comparison@1"/,
  );
});
