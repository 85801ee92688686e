/** Routes that share the starts of their server, where few rounds of starts of their own fit. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withRoles } from '../../scripts/plan/roles.js';
import { planOf } from '../../scripts/plan/shard.js';
import { serversById } from '../../scripts/plan/side-servers.js';
import { lengthenWindows } from '../../scripts/run/window-length.js';
import { configOf } from './sources.js';

/** @import { Plan } from '../../scripts/types.js' */
/** @import { ServerRun } from '../../scripts/run/server-run.js' */

const shopOf = (/** @type {number} */ routes, more = '') =>
  `servers: [{ id: shop, start: node s.js, ${more}routes: [${Array.from({ length: routes }, (_, place) => `/r${place}`)}] }]\n`;

/** @type {(routes: number, options?: Record<string, string>, more?: string) => Plan} */
function planned(routes, options = {}, more) {
  const config = configOf({ against: 'main', reference: 'off', ...options }, shopOf(routes, more));
  return planOf(
    config,
    ['base', 'head'].map((label) => ({ label, servers: serversById(config) })),
  );
}

const secondsOf = (/** @type {Plan} */ { cases }) => cases.map(({ sharedSeconds }) => sharedSeconds);

/** @type {[title: string, seconds: number | undefined, ...Parameters<typeof planned>][]} */
const PLANS = [
  ['two of five minutes have starts of their own', undefined, 2],
  ['five share them, for a second each', 1, 5],
  ['sixty share them, for a quarter of one', 0.25, 60],
  ['five of half an hour have their own', undefined, 5, { budget: '30m' }],
  ['so have those whose rounds are set', undefined, 5, { rounds: '3' }],
  ['so have those whose duration is set', undefined, 5, { duration: '3s' }],
  ['so have those of a runtime that compiles', undefined, 5, {}, 'runtime: java, '],
];
for (const [title, seconds, routes, ...more] of PLANS)
  test(`of routes, ${title}`, () => {
    assert.deepEqual(secondsOf(planned(routes, ...more)), Array(routes).fill(seconds));
  });

test('a round starts each side once, in another order of routes than the last one', () => {
  const { order } = planned(5);
  const [first, second] = order.map((groups) => groups.map((group) => group.map((step) => step.case.route)));
  assert.deepEqual([first?.length, first?.[0]?.length], [1, 10]);
  assert.notDeepEqual(first, second);
});

test('what executes no changed code leaves its time to the others', () => {
  const plan = planned(5);
  const routes = plan.cases.map(({ server, route }, place) => ({
    ...{ server, route, touched: place < 1 },
    functions: [],
  }));
  const { cases } = withRoles(plan, { routes, reasons: [] });
  assert.deepEqual(
    cases.map(({ role, sharedSeconds }) => [role, sharedSeconds]),
    [[undefined, undefined], ...Array(4).fill(['control', 0.25])],
  );
});

test('a window of such a route is lengthened for a slow server alone', () => {
  const [first] = planned(5).cases;
  const windowOf = (/** @type {number} */ answerSeconds) => {
    const windows = { count: 1, seconds: 0.37, mostSeconds: 3.75 };
    const queue = { leastSeconds: answerSeconds, mostSeconds: answerSeconds, endsAt: 0 };
    const serverRun = /** @type {ServerRun} */ ({ step: { case: first }, windows, queue, answerSeconds });
    lengthenWindows([serverRun], 300);
    return serverRun.windowSeconds;
  };
  assert.deepEqual([0.001, 0.03, 0.1, 2].map(windowOf), [0.37, 0.37, 1, 4]);
});
