import assert from 'node:assert/strict';
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { keepRun, readHistory } from '../../scripts/history/past-runs.js';
import { saveBaseline } from '../../scripts/history/baselines.js';
import { ofDay } from '../store/days.js';
import { scratch } from '../store/scratch.js';

test('a run that makes room for later ones stays in the history', async () => {
  const dir = scratch();
  for (let day = 1; day <= 4; day++) await keepRun(ofDay(day), dir, 2);
  const { past, broken } = await readHistory(dir);
  assert.deepEqual(broken, []);
  assert.deepEqual(
    past.map(({ id }) => id),
    ['run-1', 'run-2', 'run-3', 'run-4'],
  );
  const { log = 0, error = 0 } = past[0]?.cases[0]?.beside.throughput ?? {};
  assert.ok(Math.abs(log - Math.log(50 / 80)) < 0.02 && error > 0 && error < 0.02, `${log} ± ${error}`);
});

test('runs that were stored before there was a history are part of it, each once', async () => {
  const dir = scratch();
  await saveBaseline(ofDay(1), dir);
  await keepRun(ofDay(2), dir, 20);
  await keepRun(ofDay(2), dir, 20);
  const { past } = await readHistory(dir);
  assert.deepEqual(past.map(({ id }) => id).sort(), ['run-1', 'run-2']);
});

test('a run without a reference is kept, and has no line', async () => {
  const dir = scratch();
  await keepRun(ofDay(1, { reference: false }), dir, 20);
  assert.deepEqual((await readHistory(dir)).past, []);
});

test('a line that cannot be read is reported by its place, and the others count', async () => {
  const dir = scratch();
  await keepRun(ofDay(1), dir, 20);
  const file = join(dir, 'history.jsonl');
  appendFileSync(file, 'half a li\n{"schema":"perf-action/past-run@9"}\n');
  await keepRun(ofDay(2), dir, 20);
  const { past, broken } = await readHistory(dir);
  assert.equal(past.length, 2);
  assert.match(broken.join('\n'), /^history\.jsonl:2: .*\nhistory\.jsonl:3: /);
  assert.equal(readFileSync(file, 'utf8').split('\n').length, 5);
});
