import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../bench/verdicts/recordings.js';
import { simulate } from '../../bench/verdicts/worlds.js';
import { compare } from '../../scripts/judge/compare.js';
import {
  alphaOf,
  alphasOfLooks,
  decidedCases,
  FALSE_ALARMS,
  LOOKS,
  wholeAlpha,
} from '../../scripts/judge/alpha-spending.js';
import { mergeRuns } from '../../scripts/store/merge.js';
import { caseOf, runOf, seededNormal, startsOf } from './runs.js';

/** @param {number[]} looks */
const alphasAt = (...looks) => alphasOfLooks({ ...runOf([]), looks });
const sum = (/** @type {number[]} */ alphas) => alphas.reduce((total, alpha) => total + alpha, 0);

test('a single look at the end has the whole alpha; several have more than parts of it, since they share rounds', () => {
  assert.ok(Math.abs(sum(alphasAt(1)) - FALSE_ALARMS) < 1e-12);
  for (const shares of [
    [0.25, 0.5, 0.75, 1],
    [...LOOKS, 1],
  ]) {
    const alphas = alphasAt(...shares);
    assert.ok(alphas.every((alpha) => alpha > 0 && alpha < FALSE_ALARMS));
    assert.ok(sum(alphas) > 1.1 * FALSE_ALARMS, `${shares}: ${alphas}`);
  }
});

test('little of the risk is spent by the first look, two fifths by the second, and nothing between', () => {
  const [first = 0, between = 0, second = 0] = alphasAt(0.1, 0.15, 0.2).map((alpha) => alpha / FALSE_ALARMS);
  assert.ok(first <= 0.1 && first + second >= 0.4 && first + second < 0.5, `${first}, ${second}`);
  assert.equal(between, 0);
  assert.deepEqual(alphasAt(0), [0]);
});

test('a look never gives back what an earlier one spent', () => {
  const [spent, earlier, left] = alphasAt(0.9, 0.5, 1);
  assert.equal(earlier, 0);
  assert.deepEqual([spent, left], alphasAt(0.9, 1));
});

test('a case is decided when it has a verdict, or when one side lacks it', () => {
  const cases = /** @type {import('../../scripts/types.js').CaseComparison[]} */ ([
    {
      id: 'slow',
      verdict: 'regressed',
      metrics: [{ metric: 'cpuPerRequest', verdict: 'regressed', why: { code: 'inside-margin' } }],
    },
    {
      id: 'even',
      verdict: 'same',
      metrics: [{ metric: 'throughput', verdict: 'same', why: { code: 'inside-margin' } }],
    },
    {
      id: 'slow tail, speed open',
      verdict: 'regressed',
      metrics: [
        { metric: 'throughput', verdict: 'unsure', why: { code: 'inside-margin' } },
        { metric: 'p99', verdict: 'regressed', why: { code: 'inside-margin' } },
      ],
    },
    { id: 'broken', verdict: 'failed', metrics: [] },
    { id: 'open', verdict: 'unsure', metrics: [] },
    { id: 'new', verdict: 'unsure', metrics: [], only: 'head' },
  ]);
  const comparison = /** @type {import('../../scripts/types.js').Comparison} */ ({ cases });
  assert.deepEqual([...decidedCases(comparison)].sort(), ['broken', 'even', 'new', 'slow']);
});

test('the last comparison of a run has the alpha that the looks have left', () => {
  const run = runOf([]);
  assert.ok(Math.abs(alphaOf(run).whole - FALSE_ALARMS) < 1e-12);
  for (const looks of [[0.1, 0.4], [0.4]])
    assert.equal(alphaOf({ ...run, looks }).whole, alphasAt(...looks, 1).at(-1));
});

test('a look has what the looks before it left', () => {
  const spent = LOOKS.map((_, place) => alphasAt(...LOOKS.slice(0, place + 1)).at(-1));
  assert.deepEqual(spent, alphasAt(...LOOKS));
});

test("machines that share a run share its risk, by the cases of each; the reference is nobody's", () => {
  const part = (/** @type {string[]} */ ids, measured = [{ reference: true }]) =>
    wholeAlpha({
      cases: [...measured, ...ids.map(() => ({}))],
      shard: { index: 1, of: 2, cases: ['a', 'b', 'c', 'd', 'e'] },
    });
  assert.ok(Math.abs(part(['a', 'b']) - 0.4 * FALSE_ALARMS) < 1e-12);
  assert.ok(Math.abs(part(['a', 'b']) + part(['c', 'd', 'e']) - FALSE_ALARMS) < 1e-12);
  // Between two sides the reference is first measured in the sixteenth round.
  assert.equal(part(['a', 'b'], []), part(['a', 'b']));
  assert.equal(wholeAlpha({ cases: [{ reference: true }, {}] }), FALSE_ALARMS);
  assert.equal(
    wholeAlpha({ cases: [{ reference: true }], shard: { index: 1, of: 1, cases: ['reference'] } }),
    FALSE_ALARMS,
  );
});

test('joined shards that were looked at are judged with what the looks left', () => {
  const random = seededNormal(9);
  const measure = (/** @type {number} */ level) =>
    runOf(['a', 'b'].map((id) => caseOf(id, startsOf({ level, noise: 0.03, starts: 12, random }))));
  const [base, head] = [measure(30_000), measure(29_000)];
  const width = (/** @type {Parameters<typeof compare>[0]} */ later, earlier = base) => {
    const [low, high] = compare(earlier, later).cases[0]?.metrics[0]?.ciPct ?? [0, 0];
    return high - low;
  };
  const joined = (/** @type {Parameters<typeof compare>[0]} */ run) =>
    mergeRuns(
      run.cases.map((one, place) => ({
        ...run,
        cases: [one],
        looks: LOOKS.slice(0, LOOKS.length + place - 1),
        shard: { index: place + 1, of: 2, cases: ['a', 'b'] },
      })),
    );
  const looked = joined(head);
  assert.deepEqual(looked.looks, LOOKS);
  assert.ok(width({ ...head, looks: LOOKS }) > width(head) * 1.01);
  assert.ok(width(looked, joined(base)) >= width({ ...head, looks: LOOKS }) * 0.99);
});

test('what a look decided stays decided when the whole is judged, though the looks after it left less risk', () => {
  // As clear as a look with two fifths of the risk asks for, and not as clear as the little that is left at
  // the end.
  const spread = [-5, 3, -2, 4, -3, 2, 5, -4, 1, -1];
  const startsAt = (/** @type {number} */ level, /** @type {number} */ sign) =>
    spread.map((pct, round) => ({
      round,
      failure: null,
      windows: [{ seconds: 1, requests: level * (1 + (sign * pct) / 100) }],
    }));
  const base = runOf([caseOf('a', startsAt(10_000, 1))]);
  const head = { ...runOf([caseOf('a', startsAt(9_230, -1))]), looks: LOOKS };
  const [one] = head.cases;
  assert.ok(one);
  assert.equal(compare(base, head).verdict, 'unsure');
  const decided = { ...head, cases: [{ ...one, decidedAt: 0.2 }] };
  assert.equal(compare(base, decided).verdict, 'regressed');
});

test('what a look says of a case that it decides, the report says too', () => {
  const world = { level: 40_000, moment: 0.1, start: 0.01, window: 0.03 };
  const random = seededRandom(11);
  let decided = 0;
  for (let i = 0; i < 200; i++) {
    const [one = [], other = []] = simulate(world, { rounds: 6, windows: 2, speed: 0.99, random });
    const [base, head] = [runOf([caseOf('a', one)]), runOf([caseOf('a', other)])];
    const look = compare(base, head, { alpha: alphasAt(0.1)[0] });
    if (decidedCases(look).size === 0) continue;
    decided++;
    const cases = head.cases.map((measured) => ({ ...measured, decidedAt: 0.1 }));
    assert.equal(compare(base, { ...head, cases, looks: [0.1] }).verdict, look.verdict);
  }
  assert.ok(decided > 20, `${decided}`);
});

test('of machines that took different looks, each case has the risk that its own have left', () => {
  const cases = ['short', 'long'];
  const shardOf = (/** @type {number} */ index, /** @type {number[]} */ looks) => ({
    ...runOf([caseOf(cases[index - 1] ?? '', [])], { session: `machine-${index}` }),
    id: `machine-${index}`,
    shard: { index, of: 2, cases },
    looks,
  });
  const [short, long] = [shardOf(1, [0.1]), shardOf(2, LOOKS)];
  const joined = mergeRuns([short, long]);
  const alpha = alphaOf(joined);
  for (const shard of [short, long]) {
    const own = joined.cases.find(({ id }) => id === shard.cases[0]?.id);
    assert.ok(own);
    // Alone, a machine has half of the risk for its half of the cases.
    assert.ok(Math.abs(alpha.ofCase(own) - 2 * alphaOf(shard).whole) < 1e-9, own.id);
  }
  assert.ok(alpha.ofCase(joined.cases[0] ?? {}) > 5 * alpha.whole);
});
