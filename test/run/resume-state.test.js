import assert from 'node:assert/strict';
import { test } from 'node:test';
import { earlierOf } from '../../scripts/run/resume-state.js';
import { run, runCase, trial } from '../store/runs.js';

/** @import { Plan, Run } from '../../scripts/types.js' */

/** One round of two routes, each beside the reference. */
const PLAN = /** @type {Plan} */ (
  /** @type {unknown} */ ({
    sides: [{}],
    cases: [{ id: 'gauge', reference: true }, { id: 'a' }, { id: 'b' }],
    order: [
      [
        [
          { side: 0, case: 0 },
          { side: 0, case: 1 },
        ],
        [
          { side: 0, case: 2 },
          { side: 0, case: 0 },
        ],
      ],
    ],
  })
);
const CANCELLED = trial({ failure: { kind: 'cancelled', message: 'cancelled' } });

/** @param {Record<string, Run['cases'][number]['trials']>} trials by case @returns {number[]} how many of each case are kept */
function kept(trials) {
  const cases = Object.entries(trials).map(([id, all]) => ({ ...runCase(id, all), id }));
  return earlierOf(PLAN, [run({ cases })]).trials.flatMap((ofSide) => ofSide.map(({ length }) => length));
}

test('a group that was measured beside the reference stays, where the next group was not begun', () => {
  assert.deepEqual(kept({ gauge: [trial()], a: [trial()] }), [1, 1, 0]);
});

test('a group of which the reference was cancelled is measured again', () => {
  assert.deepEqual(kept({ gauge: [CANCELLED], a: [trial()] }), [0, 0, 0]);
});

test('nothing is repeated of a whole round', () => {
  assert.deepEqual(kept({ gauge: [trial(), trial()], a: [trial()], b: [trial()] }), [2, 1, 1]);
});
