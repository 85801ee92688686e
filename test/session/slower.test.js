/** Profiled functions of other machines. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withFunctions } from '../../scripts/session/slower.js';

/** @import { CaseComparison, Comparison } from '../../scripts/types.js' */

/** @param {string} id @param {object} changes @returns {CaseComparison} */
const caseOf = (id, changes) => /** @type {any} */ ({ id, verdict: 'regressed', metrics: [], ...changes });
/** @param {CaseComparison[]} cases @returns {Comparison} */
const comparing = (...cases) => /** @type {any} */ ({ verdict: 'regressed', cases });

const SLOWER = { metrics: [{ metric: 'throughput', verdict: 'regressed' }] };
const LEAKING = { metrics: [{ metric: 'memory', verdict: 'regressed' }] };
const FUNCTIONS = { functions: [{ name: 'serialize' }], calls: [{ parent: -1 }] };

test('functions are taken over only for slower cases with the same id', () => {
  const handed = [
    comparing(caseOf('a', { ...FUNCTIONS, verdict: 'improved' }), caseOf('b', FUNCTIONS)),
    comparing(caseOf('c', SLOWER), caseOf('unknown', FUNCTIONS)),
  ];
  const whole = comparing(caseOf('a', SLOWER), caseOf('b', LEAKING), caseOf('c', SLOWER));
  assert.deepEqual(
    withFunctions(whole, handed),
    comparing(caseOf('a', { ...SLOWER, ...FUNCTIONS }), caseOf('b', LEAKING), caseOf('c', SLOWER)),
  );
});
