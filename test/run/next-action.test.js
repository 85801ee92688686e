/** What the conductor does next, from what it knows: rounds of 7 s, of two servers or of two sides. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextAction } from '../../scripts/run/next-action.js';
import { configOf, planOf, serverOf, trialsIn } from './fakes.js';

/** @import { Plan, Trials } from '../../scripts/types.js' */
/** @import { Looks, Situation } from '../../scripts/run/next-action.js' */

const GAUGE = { reference: serverOf('gauge', { reference: true }) };
const [A, B] = ['a / wrk c1', 'b / wrk c1'];
/** @type {Looks} */
const LOOKS = { shares: [0.25, 0.5], leastRounds: 2 };

/**
 * @param {Plan} plan
 * @param {number[]} rounds that are measured whole
 * @returns {Trials}
 */
const measured = (plan, rounds) =>
  trialsIn(plan, () => rounds.map((round) => ({ round, failure: null, windows: [] })));

/**
 * @param {Plan} plan
 * @param {Partial<Situation>} situation
 * @param {Looks} [looks]
 */
function next(plan, situation, looks) {
  const start = { trials: measured(plan, []), decided: new Set(), rounds: 0, isNew: false, lastLook: 0 };
  const action = nextAction(
    plan,
    { ...start, elapsed: 0, spentOn: () => 0, secondsOf: () => 3.5, ...situation },
    looks,
  );
  if (action.type !== 'measure') return action;
  const names = action.groups.map((group) => group.map((step) => step.case.server).toSorted());
  return { ...action, groups: names.toSorted() };
}

test('rounds follow one another until all are measured', () => {
  const plan = planOf(configOf(['a', 'b'], { rounds: 2 }));
  assert.deepEqual(next(plan, {}), { type: 'measure', round: 0, groups: [['a', 'b']] });
  assert.deepEqual(next(plan, { rounds: 1, trials: measured(plan, [0]) }), {
    type: 'measure',
    round: 1,
    groups: [['a', 'b']],
  });
  assert.deepEqual(next(plan, { rounds: 2, trials: measured(plan, [0, 1]) }), {
    type: 'end',
    reason: 'complete',
    rounds: 2,
  });
});

test('a round must end within the budget, except the first', () => {
  const plan = planOf(configOf(['a', 'b'], { rounds: 9, budgetSeconds: 20 }));
  assert.equal(next(plan, { elapsed: 15 }).type, 'measure');
  const after = (/** @type {number} */ elapsed) =>
    next(plan, { rounds: 1, trials: measured(plan, [0]), elapsed });
  assert.equal(after(13).type, 'measure');
  assert.deepEqual(after(13.1), { type: 'end', reason: 'budget', rounds: 1 });
});

test('decided cases are left out, and the run ends once only the reference is left', () => {
  const plan = planOf(configOf(['a', 'b'], { ...GAUGE, rounds: 4 }));
  const after = (/** @type {string[]} */ decided) =>
    next(plan, { rounds: 1, trials: measured(plan, [0]), decided: new Set(decided) });
  assert.deepEqual(after([A]), { type: 'measure', round: 1, groups: [['b', 'gauge']] });
  assert.deepEqual(after([A, B]), { type: 'end', reason: 'decided', rounds: 1 });
});

test('a run ends once every server has failed for good', () => {
  const plan = planOf(configOf(['a'], { ...GAUGE, rounds: 40 }), ['base', 'head']);
  const failure = { kind: /** @type {const} */ ('build-failed'), message: 'no compiler' };
  const trials = trialsIn(plan, ({ reference }) => (reference ? [] : [{ round: 0, failure, windows: [] }]));
  assert.deepEqual(next(plan, { trials }), { type: 'end', reason: 'decided', rounds: 0 });
});

test('the reference alone is measured where it is all that was asked for', () => {
  const plan = planOf(configOf(['gauge'], { servers: [serverOf('gauge', { reference: true })] }));
  for (const planned of plan.cases) planned.reference = true;
  assert.deepEqual(next(plan, {}), { type: 'measure', round: 0, groups: [['gauge']] });
});

test('a look is due after the last round that ends in time for it, once a round', () => {
  const plan = planOf(configOf(['a', 'b'], { rounds: 99, budgetSeconds: 100 }));
  const after = (/** @type {number} */ rounds, /** @type {Partial<Situation>} */ situation) => {
    const trials = measured(
      plan,
      Array.from({ length: rounds }, (_, round) => round),
    );
    return next(plan, { rounds, trials, elapsed: 7 * rounds, isNew: true, ...situation }, LOOKS);
  };
  assert.equal(after(2, {}).type, 'measure', 'the third ends after 21 s');
  assert.deepEqual(after(3, {}), { type: 'look', share: 0.25 });
  assert.equal(after(3, { isNew: false, lastLook: 0.25 }).type, 'measure');
  assert.equal(after(3, { isNew: false }).type, 'measure', 'nothing new since the last look');
  assert.deepEqual(after(1, { elapsed: 40 }).type, 'measure', 'fewer rounds than a look needs');
  assert.deepEqual(after(2, { elapsed: 60 }), { type: 'look', share: 0.25 }, 'later than it was due');
  assert.deepEqual(after(9, { lastLook: 0.25 }), { type: 'look', share: 0.5 });
});

test('the last look comes after the last round that fits, and passes over those before it', () => {
  const plan = planOf(configOf(['a', 'b'], { rounds: 99, budgetSeconds: 30 }));
  const trials = measured(plan, [0, 1, 2, 3]);
  const after = (/** @type {Partial<Situation>} */ situation) =>
    next(plan, { rounds: 4, trials, elapsed: 28, ...situation }, LOOKS);
  assert.deepEqual(after({ isNew: true }), { type: 'look', share: 1 });
  assert.deepEqual(after({ lastLook: 1 }), { type: 'end', reason: 'budget', rounds: 4 });
  assert.equal(after({ lastLook: 1, decided: new Set([A, B]) }).type, 'end');
  const quicker = { lastLook: 1, isNew: false, decided: new Set([A]), secondsOf: () => 1 };
  assert.deepEqual(after(quicker), { type: 'end', reason: 'budget', rounds: 4 }, 'no alpha is left');
});

test('without a budget, looks are due by rounds, the last of them after the last round', () => {
  const plan = planOf(configOf(['a', 'b'], { rounds: 4 }));
  const looks = { shares: [0.5, 0.9], leastRounds: 1 };
  const after = (/** @type {number} */ rounds, /** @type {number} */ lastLook) =>
    next(
      plan,
      { rounds, trials: measured(plan, [0, 1, 2, 3].slice(0, rounds)), isNew: true, lastLook },
      looks,
    );
  assert.equal(after(1, 0).type, 'measure');
  assert.deepEqual(after(2, 0), { type: 'look', share: 0.5 });
  assert.equal(after(3, 0.5).type, 'look');
  assert.deepEqual(after(4, 0.5), { type: 'look', share: 1 });
});
