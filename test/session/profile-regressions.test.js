/** Measuring and explaining share one budget. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePlan } from '../../scripts/plan/plan.js';
import { explaining } from '../../scripts/session/profile-regressions.js';
import { configOf, serverOf } from '../run/fakes.js';

/** @import { Comparison } from '../../scripts/types.js' */

test('a slowdown that the budget leaves no time to explain says how much more it takes', async () => {
  const config = configOf(['api'], { budgetSeconds: 60 });
  const servers = { api: serverOf('api') };
  const plan = makePlan(config, [
    { label: 'base', servers },
    { label: 'head', servers },
  ]);
  const id = plan.cases[0]?.id ?? '';
  const comparison = /** @type {Comparison} */ (
    /** @type {unknown} */ ({
      verdict: 'regressed',
      warnings: [],
      cases: [{ id, verdict: 'regressed', metrics: [{ metric: 'throughput', verdict: 'regressed' }] }],
    })
  );
  const explainWith = (/** @type {number} */ secondsLeft) =>
    explaining(
      { plan, config },
      {
        cwd: '/',
        signal: new AbortController().signal,
        facts: { session: 'a', command: 'a' },
        onProgress: () => assert.fail('nothing is started'),
        secondsLeft,
      },
    );
  const { warnings, cases } = await explainWith(2)(comparison);
  assert.deepEqual(
    warnings.map(({ code }) => code),
    ['not-explained'],
  );
  const [later] = (await explainWith(5)(comparison)).warnings;
  assert.equal(Number(warnings[0]?.seconds) - Number(later?.seconds), 3, 'it is what is missing');
  assert.deepEqual(cases, comparison.cases);
});
