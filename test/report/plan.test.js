import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderPlan } from '../../scripts/report/plan.js';

/** @typedef {import('../../scripts/types.js').Plan} Plan */

const LOAD = {
  tool: 'wrk',
  connections: 50,
  durationSeconds: 10,
  warmupSeconds: 2,
  windows: 1,
  keepAlive: true,
  pipelining: 1,
  threads: 1,
};

/**
 * @param {number} number of cases, each its own number of connections @param {Partial<Plan>} [changes]
 * @returns {Plan}
 */
function planOf(number, changes) {
  const cases = Array.from({ length: number }, (_, index) => ({
    id: `api / wrk c${index + 1}`,
    server: 'api',
    serverName: 'API',
    route: '/',
    request: { method: 'GET', path: '/', headers: {} },
    load: { ...LOAD, connections: index + 1 },
    instances: 1,
    ...(index === 0 && { reference: /** @type {const} */ (true) }),
  }));
  const order = [cases.map((_, index) => [{ side: 0, case: index }])];
  const sides = [{ label: 'head', servers: {} }];
  return {
    title: 'Mine',
    sides,
    cases,
    rounds: order.length,
    order,
    seed: 7,
    estimateSeconds: 26,
    ...changes,
  };
}

test('a plan is a table of what differs, what does not, and the order by number', () => {
  assert.equal(
    renderPlan(planOf(2)),
    `Mine: 2 cases, 2 starts, about 26 s (seed 7)

   Server           Load
1  api (reference)  wrk, 1 connection
2  api              wrk, 2 connections

All: /; 2 s of warm-up, 10 s measured

Round 1: 1 2
`,
  );
});

test('a single case is described in one line', () => {
  assert.match(
    renderPlan(planOf(1)),
    /\n1 {2}api \(reference\) {2}\/ {6}wrk, 1 connection {2}2 s of warm-up/,
  );
});

test('the order distinguishes two sides, with parentheses around what runs together', () => {
  const text = renderPlan(
    planOf(1, {
      sides: ['base', 'head'].map((label) => ({ label, servers: {} })),
      order: [[[1, 0].map((side) => ({ side, case: 0 }))]],
    }),
  );
  assert.match(text, /\nb: base, h: head\nRound 1: \(1h 1b\)\n/);
});

test('long rounds are wrapped below their first word, and of many rounds only some are listed', () => {
  const groups = Array.from({ length: 40 }, (_, index) => [{ side: 0, case: index }]);
  const text = renderPlan(planOf(40, { order: Array.from({ length: 500 }, () => groups) }));
  const lines = text.split('\n');
  assert.ok(lines.every((line) => line.length <= 100));
  assert.equal(lines.filter((line) => line.startsWith('Round ')).length, 10);
  assert.match(text, /\nRound {2}1: 1 2 .*\n {10}\d+ /);
  assert.match(text, /\nand 490 more, reshuffled every round\n$/);
});

test('rounds of different size are given as a range', () => {
  const step = { side: 0, case: 0 };
  const text = renderPlan(
    planOf(1, { untilDecided: true, budgetSeconds: 60, order: [[[step, step]], [[step]]] }),
  );
  assert.match(text, /1 case, rounds of 1 to 2 starts until every case is decided, at most 60 s /);
});

test('what is measured until it is decided has a bound, and no number of starts', () => {
  const text = renderPlan(planOf(1, { estimateSeconds: 300, budgetSeconds: 300 }));
  assert.match(text, /1 case, up to 1 start, at most 5 min /);
});

test('in a terminal the plan is as wide as it is', () => {
  const text = renderPlan(planOf(12), { width: 40 });
  for (const line of text.split('\n')) assert.ok(line.length <= 40, line);
  assert.match(text, /\n12 {2}api /);
});
