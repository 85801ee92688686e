/** Textbook parts against published examples. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { holm } from '../../scripts/judge/family.js';
import { invert } from '../../scripts/judge/linear.js';
import { fisher } from '../../scripts/judge/mix.js';
import { calibrate } from '../../scripts/judge/permute.js';
import { pValue, relativeTo, welch } from '../../scripts/judge/shift.js';
import { roundsToSettle } from '../../scripts/judge/verdicts.js';

/**
 * @param {number | undefined} actual
 * @param {number} expected
 * @param {number} [within]
 */
function near(actual, expected, within = 1e-3) {
  assert.ok(actual !== undefined && Math.abs(actual - expected) < within, `${actual} is not ${expected}`);
}

test("Welch's t: the sleep data of Student (1908), as R's t.test prints it", () => {
  const shift = welch(
    [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2],
    [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4],
  );
  assert.ok(shift);
  near(shift.difference, 1.58);
  near(shift.freedom, 17.776);
  near(
    pValue({ effect: shift.difference, error: Math.sqrt(shift.variance), df: shift.freedom }),
    0.07939,
    1e-5,
  );
});

test('a shift seen from another carries both uncertainties', () => {
  const both = relativeTo(
    { difference: 1, variance: 0.04, freedom: 10 },
    { difference: 0.4, variance: 0.04, freedom: 10 },
  );
  near(both.difference, 0.6);
  near(both.variance, 0.08);
  near(both.freedom, 20);
});

test("Fisher's exact test: the lady tasting tea", () => {
  near(fisher([3, 4], [1, 4]), 0.4857);
  near(fisher([4, 4], [0, 4]), 0.02857);
});

test('Holm: the step-down goes on as long as claims hold, and weights count', () => {
  const equal = [0.01, 0.04, 0.03, 0.005].map((p) => ({ p, weight: 1 }));
  assert.deepEqual(
    holm(equal, 0.05).map(({ holds }) => holds),
    [true, false, false, true],
  );
  const weighted = holm(
    [
      { p: 0.007, weight: 0.8 },
      { p: 0.007, weight: 0.2 },
    ],
    0.01,
  );
  assert.deepEqual(
    weighted.map(({ holds }) => holds),
    [true, true],
  );
  assert.deepEqual(
    holm(
      [
        { p: 0.009, weight: 0.8 },
        { p: 0.5, weight: 0.2 },
      ],
      0.01,
    ).map(({ holds }) => holds),
    [false, false],
  );
});

test('an inverse undoes its matrix', () => {
  const { inverse, logDeterminant } = invert(Float64Array.of(4, 1, 1, 3), 2);
  [3 / 11, -1 / 11, -1 / 11, 4 / 11].forEach((value, index) => {
    near(inverse[index], value, 1e-12);
  });
  near(logDeterminant, Math.log(11), 1e-12);
});

test('chance confirms a model that is right and corrects one that is too sure', () => {
  const uniform = Array.from({ length: 150 }, (_, i) => (i + 0.5) / 150);
  near(calibrate(0.001, uniform), 0.001, 1.5e-3);
  const tooSure = uniform.map((p) => p ** 2);
  near(calibrate(0.001, tooSure), Math.sqrt(0.001), 0.01);
  assert.ok(calibrate(1e-12, tooSure) < 1e-4);
});

test('the rounds that would settle grow with the square of the interval', () => {
  assert.equal(roundsToSettle({ effect: 0, half: 0.1, margin: 0.05, boots: 10 }), 30);
  assert.equal(roundsToSettle({ effect: 0.04, half: 0.05, margin: 0.05, boots: 10 }), 6);
});
