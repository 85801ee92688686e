/** Which stored runs are the base of the next one. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { readBaseline, readPresetRuns } from '../../scripts/session/base.js';
import { chooseRuns } from '../../scripts/history/select-baseline.js';
import { compare } from '../../scripts/judge/compare.js';
import { readConfig } from '../../scripts/config/config.js';
import { makePlan } from '../../scripts/plan/plan.js';
import { unmarked } from '../../scripts/report/text/inline.js';
import { storedText } from '../../scripts/report/document/trust.js';
import { readBaselines, saveBaseline } from '../../scripts/history/baselines.js';
import { wordsIn } from '../../scripts/report/text/words.js';
import { caseOf } from '../judge/runs.js';
import { ofDay } from '../store/days.js';
import { scratch } from '../store/scratch.js';
import { thisProcess } from '../../scripts/system/this-project.js';

const WORDS = wordsIn();

const { cases } = ofDay(30);
const PASSED = { failed: [] };
const FAILED = { failed: ['app'] };
const SLOW = { level: 42_000, gate: FAILED };

/**
 * @param {ReturnType<typeof ofDay>[]} runs the earliest first
 * @param {Partial<Parameters<typeof chooseRuns>[1]>} [head]
 */
function chosen(runs, head = {}) {
  const { runs: used, stored } = chooseRuns(runs.toReversed(), { fingerprint: 'here', cases, ...head });
  assert.deepEqual(
    stored.used.map(({ id }) => id),
    used.map(({ id }) => id),
  );
  return {
    used: used.map(({ id }) => Number(id.slice('run-'.length))),
    left: Object.fromEntries(stored.left.map(({ id, why }) => [Number(id.slice('run-'.length)), why])),
  };
}

test("this machine's runs come first; where it has none, those of the machine that measured last", () => {
  const there = { fingerprint: 'there' };
  const all = [ofDay(1), ofDay(2, { preset: 'quick' }), ofDay(3, there), ofDay(4), ofDay(5, there)];
  assert.deepEqual(chosen(all), {
    used: [4, 1],
    left: { 2: 'other-cases', 3: 'other-machine', 5: 'other-machine' },
  });
  assert.deepEqual(chosen(all, { fingerprint: 'new' }).used, [5, 3]);
  assert.deepEqual(chosen(all, { preset: 'quick' }).used, [2]);
  assert.deepEqual(chosen(all, { cases: [caseOf('other', [])] }).used, []);
});

test('a run is not its own base, and more than twenty reach too far back', () => {
  const many = Array.from({ length: 24 }, (_, day) => ofDay(day + 1));
  const { used, left } = chosen(many, { id: 'run-24' });
  assert.deepEqual([used.length, used[0], used.at(-1)], [20, 23, 4]);
  assert.deepEqual(left, { 1: 'older', 2: 'older', 3: 'older', 24: 'other-cases' });
});

test('a change that a gate has reported is one, also where two runs alone do not show it', () => {
  const slight = { level: 47_000 };
  const wanted = ofDay(3, { ...slight, gate: { ...FAILED, accepted: { who: 'ann' } } });
  const next = ofDay(4, { ...slight, gate: PASSED });
  assert.deepEqual(chosen([ofDay(1), ofDay(2), next]).used, [4, 2, 1]);
  assert.deepEqual(chosen([ofDay(1), ofDay(2), wanted, next]).used, [4, 3]);
  const confirmed = [2, 3, 4].map((day) => ofDay(day, { ...slight, gate: FAILED }));
  assert.deepEqual(chosen([ofDay(1), ...confirmed]).used, [4, 3, 2]);
});

test('runs from before a change are left out, and so are those that cannot be pooled', () => {
  const faster = ofDay(3, { level: 70_000, gate: PASSED });
  assert.deepEqual(chosen([ofDay(1), ofDay(2), faster]), {
    used: [3],
    left: { 1: 'before-a-change', 2: 'before-a-change' },
  });
  assert.deepEqual(chosen([ofDay(1, { reference: false }), ofDay(2)]), {
    used: [2],
    left: { 1: 'no-reference' },
  });
});

test('a run that failed its gate is no base, nor is one that a later run contradicts', () => {
  assert.deepEqual(chosen([ofDay(1), ofDay(2), ofDay(3, SLOW)]), {
    used: [2, 1],
    left: { 3: 'gate-failed' },
  });
  // The slowdown is gone again: what is fast now does not confirm it.
  const back = [4, 5, 6].map((day) => ofDay(day, { gate: PASSED }));
  assert.deepEqual(chosen([ofDay(2), ofDay(3, SLOW), ...back]), {
    used: [6, 5, 4, 2],
    left: { 3: 'gate-failed' },
  });
  // Failed three times, but each time at another level.
  const levels = [42_000, 30_000, 20_000].map((level, place) => ofDay(3 + place, { ...SLOW, level }));
  assert.deepEqual(chosen([ofDay(2), ...levels]).used, [2]);
  // Failed three times, of which twice at another case.
  const elsewhere = [4, 5].map((day) => ofDay(day, { ...SLOW, gate: { failed: ['other'] } }));
  assert.deepEqual(chosen([ofDay(2), ofDay(3, SLOW), ...elsewhere]).used, [2]);
});

test('a run that failed its gate is a base once somebody accepts it, and what was before it is none any more', () => {
  const accepted = { ...SLOW, gate: { ...FAILED, accepted: { who: 'ann', why: 'parsing is exact now' } } };
  assert.deepEqual(chosen([ofDay(1), ofDay(2), ofDay(3, SLOW), ofDay(4, accepted)]), {
    used: [4],
    left: { 1: 'before-a-change', 2: 'before-a-change', 3: 'gate-failed' },
  });
});

test('two later runs that fail alike confirm a slowdown, and all three are the new level', () => {
  const slow = [3, 4, 5].map((day) => ofDay(day, SLOW));
  assert.deepEqual(chosen([ofDay(2), ...slow.slice(0, 2)]).used, [2]);
  assert.deepEqual(chosen([ofDay(2), ...slow]), { used: [5, 4, 3], left: { 2: 'before-a-change' } });
  const next = ofDay(6, { level: 42_000, gate: PASSED });
  assert.deepEqual(chosen([ofDay(2), ...slow, next]).used, [6, 5, 4, 3]);
});

test('what confirms a slowdown and has another of its own is no base for that one', () => {
  const worse = ofDay(5, { ...SLOW, gate: { failed: ['app', 'other'] } });
  assert.deepEqual(chosen([ofDay(2), ofDay(3, SLOW), ofDay(4, SLOW), worse]).left, {
    2: 'before-a-change',
    5: 'gate-failed',
  });
});

test('the choice is in the comparison, through the files, and reported', async () => {
  const dir = scratch();
  for (const run of [ofDay(1), ofDay(2), ofDay(3, SLOW)])
    await saveBaseline({ ...run, revision: { sha: `${run.id.slice(-1)}`.repeat(40) } }, dir);
  const head = ofDay(9);
  const { fingerprint } = head.environment;
  const { base } = await readBaseline({ baseline: dir }, { cwd: dir, cases, fingerprint });
  assert.ok(base);
  const { stored, runs } = compare(base, head).base;
  assert.equal(runs, 2);
  const used = stored?.used.map(({ id, sha }) => `${id} ${sha}`);
  assert.deepEqual(used, [`run-2 ${'2'.repeat(40)}`, `run-1 ${'1'.repeat(40)}`]);
  assert.deepEqual(stored?.left, [
    { id: 'run-3', startedAt: '2026-11-03T10:00:00Z', sha: '3'.repeat(40), why: 'gate-failed' },
  ]);
  assert.deepEqual(storedText({ used: [], left: [] }, WORDS), []);
  assert.deepEqual(storedText(stored, WORDS).map(unmarked), [
    'Of 3 stored runs, 2 are the base; left out: 1 failed the check without being accepted (3333333333).',
  ]);
});

test('the quick preset shows its stored runs on the kinds of machine that they are from, and on no other', async () => {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  const cwd = scratch();
  const configWith = (/** @type {object} */ options) =>
    readConfig({ options: { preset: 'quick', ...options }, cwd, root, seed: 1, caller: thisProcess() });
  const named = configWith({ baseline: '.' });
  assert.deepEqual([named.baseline, named.presetRuns], ['.', undefined]);
  const quick = configWith({});
  assert.equal(quick.baseline, undefined);
  const { cases: planned } = makePlan(quick);
  const { baselines, broken } = await readBaselines(join(root, 'baselines'));
  assert.deepEqual(broken, []);
  for (const { run } of baselines) {
    const base = await readPresetRuns(quick, { ...run, id: 'head' });
    assert.deepEqual(base?.cases.map(({ id }) => id).sort(), planned.map(({ id }) => id).sort());
  }
  const [{ run } = assert.fail()] = baselines;
  const elsewhere = { ...run, environment: { ...run.environment, fingerprint: 'elsewhere' } };
  assert.equal(await readPresetRuns(quick, elsewhere), undefined);
});

test('where no stored run can be compared with, a warning says why, and without a folder nothing does', async () => {
  const dir = scratch();
  const head = { cwd: dir, cases, fingerprint: ofDay(9).environment.fingerprint };
  assert.deepEqual(await readBaseline({}, head), { warnings: [] });
  const empty = await readBaseline({ baseline: '.' }, head);
  assert.deepEqual(empty, { warnings: [{ code: 'not-compared', baseline: '.', left: [] }] });
  assert.equal(WORDS.warning(/** @type {any} */ (empty.warnings[0])), 'not compared: no run is stored in .');
  await saveBaseline(ofDay(2), dir);
  await saveBaseline(ofDay(3, SLOW), dir);
  const others = await readBaseline({ baseline: '.', preset: 'another' }, head);
  assert.equal(others.base, undefined);
  assert.equal(
    WORDS.warning(/** @type {any} */ (others.warnings[0])),
    'not compared: of the runs stored in ., none fits (of other cases)',
  );
});
