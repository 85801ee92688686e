import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { UserError } from '../../scripts/model/errors.js';
import { readBaselines, saveBaseline } from '../../scripts/history/baselines.js';
import { readRun } from '../../scripts/store/run-file.js';
import { run, runCase, trial } from '../store/runs.js';
import { scratch } from '../store/scratch.js';

/**
 * @param {number} day
 * @param {Parameters<typeof run>[0]} [facts]
 */
const ofDay = (day, facts) =>
  run({ id: `run-${day}`, startedAt: `2026-11-${String(day).padStart(2, '0')}T10:00:00.000Z`, ...facts });

/** @param {string} dir */
const idsIn = async (dir) => (await readBaselines(dir)).baselines.map(({ run: { id } }) => id);

test('each preset and machine has a folder, each run one file, and the latest comes first', async () => {
  const dir = join(scratch(), 'baselines');
  assert.deepEqual(await readBaselines(dir), { baselines: [], broken: [] });
  await saveBaseline(ofDay(2), dir);
  const saved = await saveBaseline(ofDay(3), dir);
  for (let time = 0; time < 2; time++) await saveBaseline(ofDay(1), dir);
  await saveBaseline(ofDay(4, { preset: 'quick', environment: { fingerprint: 'bbbb1111' } }), dir);
  assert.deepEqual(readdirSync(dir).sort(), ['quick-bbbb1111', 'run-aaaa0000']);
  assert.equal(saved, join(dir, 'run-aaaa0000', '2026-11-03T100000.000Z-run-3.json'));
  assert.equal((await readRun(saved)).id, 'run-3');
  assert.deepEqual(await idsIn(dir), ['run-4', 'run-3', 'run-2', 'run-1']);
});

test('a repeated run of an old commit comes where its commit belongs, and is the first to go', async () => {
  const dir = scratch();
  const ofCommit = (/** @type {number} */ day, /** @type {number} */ commit) =>
    ofDay(day, { revision: { sha: `${commit}`, committedAt: `2026-11-0${commit}T09:00:00.000Z` } });
  for (const day of [1, 2, 3]) await saveBaseline(ofCommit(day, day), dir);
  await saveBaseline(ofCommit(4, 1), dir);
  assert.deepEqual(await idsIn(dir), ['run-3', 'run-2', 'run-4', 'run-1']);
  await saveBaseline(ofCommit(5, 3), dir, 3);
  assert.deepEqual(await idsIn(dir), ['run-5', 'run-3', 'run-2']);
});

test('a stored run does not name the other programs of its machine', async () => {
  const cpu = { serverSeconds: 1, clientSeconds: 1, foreignShare: 0.4, stealShare: 0 };
  /** @type {import('../../scripts/types.js').Warning} */
  const shared = { code: 'machine-shared', shared: 1, windows: 1, programs: ['tsc'] };
  const cases = [runCase('a', [trial({}, { others: ['tsc'], cpu })])];
  const busy = run({ warnings: [shared, { code: 'unsupervised' }], cases });
  const saved = await readRun(await saveBaseline(busy, scratch()));
  assert.ok(!JSON.stringify(saved).includes('tsc'));
  assert.deepEqual(saved.cases[0]?.trials[0]?.windows[0]?.cpu, cpu);
  assert.deepEqual(saved.warnings, [{ code: 'unsupervised' }]);
});

test('of each machine the last ones stay, and other cases do not count', async () => {
  const dir = scratch();
  const reference = { ...runCase('gauge'), reference: /** @type {const} */ (true) };
  await saveBaseline(ofDay(1, { id: 'other', cases: [reference, runCase('b')] }), dir);
  await saveBaseline(ofDay(1, { id: 'far', environment: { fingerprint: 'bbbb1111' } }), dir);
  for (const day of [2, 3, 4, 5])
    await saveBaseline(ofDay(day, { cases: [reference, runCase('a')] }), dir, 3);
  assert.deepEqual((await idsIn(dir)).sort(), ['far', 'other', 'run-3', 'run-4', 'run-5']);
});

test('a run that is older than all that stay is stored all the same', async () => {
  const dir = scratch();
  for (const day of [3, 4]) await saveBaseline(ofDay(day), dir);
  await saveBaseline(ofDay(1), dir, 2);
  assert.deepEqual(await idsIn(dir), ['run-4', 'run-3', 'run-1']);
});

test('no name leads out of the folder', async () => {
  const dir = scratch();
  const names = { preset: '../../up', id: '../../x', startedAt: '..' };
  const saved = await saveBaseline(run({ ...names, environment: { fingerprint: 'a/b c' } }), dir);
  assert.equal(dirname(dirname(saved)), dir);
  assert.deepEqual(readdirSync(dir), ['--..-up-a-b-c']);
});

test('a run that measured nothing is no baseline', async () => {
  const dir = scratch();
  const failure = { kind: /** @type {const} */ ('never-ready'), message: 'no answer' };
  const failed = run({ cases: [runCase('a', [trial({ failure })])] });
  await assert.rejects(saveBaseline(failed, dir), UserError);
  assert.deepEqual(readdirSync(dir), []);
});

test('a file that is not a run is named and skipped, also while others are stored', async () => {
  const dir = scratch();
  writeFileSync(join(dir, 'broken.json'), '{}');
  mkdirSync(join(dir, 'run-aaaa0000'));
  writeFileSync(join(dir, 'run-aaaa0000', 'half.json'), '{"schema": "perf-action/run@1", "cas');
  writeFileSync(join(dir, 'run-aaaa0000', 'old.json'), '{"schema": "perf-action/run@0"}');
  await saveBaseline(ofDay(1), dir, 1);
  assert.deepEqual(await idsIn(dir), ['run-1']);
  const { broken } = await readBaselines(dir);
  assert.equal(broken.length, 3);
  for (const line of broken) assert.doesNotMatch(line, /\n/);
  assert.match(
    broken.join('\n'),
    /broken\.json: has no "schema"[^]*half\.json: is not valid JSON[^]*old\.json: has the schema/,
  );
});
