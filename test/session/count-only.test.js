/** What `run --counts` counts again, and what it says about it. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compare } from '../../scripts/judge/compare.js';
import { countOnly } from '../../scripts/session/experiments/count-only.js';
import { caseOf, runOf } from '../judge/runs.js';
import { configOf } from '../run/fakes.js';
import { scratchFolder } from '../scratch.js';

/** A route with bytes per request for each of its starts; undefined: they did not settle. */
const caseWith = (/** @type {(number | undefined)[]} */ starts) =>
  caseOf(
    'shop',
    starts.map((bytes, round) => ({
      round,
      failure: null,
      windows: [
        {
          ...{ seconds: 1, requests: 1000, outgoing: { count: 0, idle: 0, by: {} } },
          ...(bytes !== undefined && { allocatedBytes: 1000 * bytes }),
        },
      ],
    })),
  );

/** @type {(from: (number | undefined)[], to: (number | undefined)[]) => Promise<object>} */
async function counted(from, to) {
  const [base, head] = [from, to].map((starts) => runOf([caseWith(starts)]));
  assert.ok(base && head);
  const { looks, answer } = countOnly({ ...configOf(['shop']), out: 'out' }, { cwd: scratchFolder() });
  const { decided } = /** @type {any} */ (looks?.look([base, head], 1 / 3));
  const finished = { run: head, base, comparison: compare(base, head) };
  const { comparison, text } = await answer(/** @type {any} */ (finished));
  const { verdict } = comparison?.cases[0]?.metrics.find(({ metric }) => metric === 'allocated') ?? {};
  return { isAgain: decided.size === 0, verdict, isUnsettled: text().includes('did not settle') };
}

test('a route is counted again where a start differs by more than one percent, or where it has none', async () => {
  const isAgain = { isAgain: true, isUnsettled: false };
  assert.deepEqual(await counted([1000], [1009]), { ...isAgain, isAgain: false, verdict: 'unsure' });
  assert.deepEqual(await counted([1000], [1011]), { ...isAgain, verdict: 'unsure' });
  assert.deepEqual(await counted([], []), { ...isAgain, verdict: undefined });
});

test('a change is told once three starts of both sides show it', async () => {
  const told = { isAgain: true, isUnsettled: false, verdict: 'regressed' };
  const base = [1000, 1002, 1004];
  assert.deepEqual(await counted(base, [1016, 1018, 1016]), told);
  assert.deepEqual(await counted([1016, 1018, 1016], base), { ...told, verdict: 'improved' });
  assert.deepEqual(await counted(base, [1040, 1040, 1003]), { ...told, isAgain: false, verdict: 'unsure' });
});

test('bytes that did not settle in a start of either side are said to be left out, and change nothing', async () => {
  const open = { isAgain: true, isUnsettled: true, verdict: 'unsure' };
  assert.deepEqual(await counted([1000, 1000, 1000], [1020, 1020, undefined]), open);
  assert.deepEqual(await counted([1000, undefined, 1000], [1020, 1020, 1020]), open);
  assert.deepEqual(await counted([undefined], [1000]), { ...open, isAgain: false, verdict: undefined });
});
