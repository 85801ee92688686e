/** A joined run was measured by several machines: what is judged, is judged within one. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compare } from '../../scripts/judge/compare.js';
import { quotientOf } from '../../scripts/judge/ratio.js';
import { caseOf, runOf, seededNormal, startsOf } from './runs.js';

const ROUNDS = 12;

/**
 * Two machines, one much slower than the other; each has the reference and one server.
 * @param {{ machines: [number, number], change?: number, seed: number }} truth machines: how fast each is;
 *   change: of the second machine's server
 */
function joined({ machines, change = 1, seed }) {
  const random = seededNormal(seed);
  /**
   * @param {number} level
   * @param {number} block
   */
  const measure = (level, block) =>
    startsOf({ level, noise: 0.01, starts: ROUNDS, random }).map((trial) => ({ ...trial, block }));
  const [one, two] = machines;
  return [
    caseOf('reference', [...measure(50_000 * one, 1), ...measure(50_000 * two, 2)], { reference: true }),
    caseOf('first', measure(20_000 * one, 1)),
    caseOf('second', measure(20_000 * two * change, 2)),
  ];
}

/** @param {ReturnType<typeof compare>} comparison */
const verdicts = ({ cases }) => Object.fromEntries(cases.map(({ id, verdict }) => [id, verdict]));

test('against a stored run, each case is set against the reference of its own machine', () => {
  const base = runOf(joined({ machines: [1, 1], seed: 1 }), { session: 'yesterday' });
  // Alike by fingerprint, and yet the second machine is 20 % slower today.
  const head = runOf(joined({ machines: [1, 0.8], seed: 2 }), { session: 'today' });
  const comparison = compare(base, head);
  assert.equal(comparison.method, 'stored');
  assert.notEqual(comparison.verdict, 'regressed');
  const effects = comparison.cases.map(({ metrics }) => Math.abs(metrics[0]?.effectPct ?? 100));
  assert.ok(
    effects.every((effect) => effect < 3),
    `${effects}`,
  );
});

test('against a stored run, a change beyond the machine is found', () => {
  const base = runOf(joined({ machines: [1, 1], seed: 3 }), { session: 'yesterday' });
  const head = runOf(joined({ machines: [1.2, 0.8], change: 0.5, seed: 4 }), { session: 'today' });
  assert.deepEqual(verdicts(compare(base, head)), { first: 'unsure', second: 'regressed' });
});

test('side by side, both sides of a case shared a machine, and no reference comes between', () => {
  const base = runOf(joined({ machines: [1, 0.6], seed: 5 }));
  const head = runOf(joined({ machines: [1, 0.6], change: 0.85, seed: 6 }));
  const comparison = compare(base, head);
  assert.equal(comparison.method, 'side-by-side');
  assert.deepEqual(verdicts(comparison), { first: 'same', second: 'regressed' });
});

test('where the reference of its machine failed, a case cannot be compared', () => {
  const base = runOf(joined({ machines: [1, 1], seed: 7 }), { session: 'yesterday' });
  const head = runOf(joined({ machines: [1, 0.5], seed: 8 }), { session: 'today' });
  const [reference] = head.cases;
  assert.ok(reference);
  reference.trials = reference.trials.filter(({ block }) => block === 1);
  assert.equal(verdicts(compare(base, head)).second, 'unsure');
});

test('only servers that one machine measured have a quotient, and the reference does not move with the machines', () => {
  const [reference, first, second] = joined({ machines: [1, 0.5], seed: 9 });
  assert.ok(reference && first && second);
  assert.equal(quotientOf(first, second), undefined);
  for (const server of [first, second])
    assert.equal(quotientOf(server, reference)?.value.toFixed(1), '0.4', server.id);
  const again = runOf(joined({ machines: [1, 0.5], seed: 10 }));
  const { reference: shift } = compare(runOf([reference, first, second]), again);
  assert.ok(shift && Math.abs(shift.effectPct) < 3, `${shift?.effectPct}`);
});
