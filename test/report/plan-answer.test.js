/** The plan as text: what differs between cases, what does not, the order by number, and how long it takes. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planAnswer } from '../../scripts/report/document/plan-answer.js';
import { answerTerminal } from '../../scripts/report/render/terminal.js';
import { wordsIn } from '../../scripts/report/text/words.js';
import { assertExcerpts } from './excerpts.js';

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
 * @param {number} number of cases, each its own number of connections @param {Partial<Omit<Plan, 'order'>> & { order?: number[][][][] }} [changes] order: a step is the place of its side, and of its case
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
  const order = [cases.map((_, place) => [[0, place]])];
  const sides = [{ label: 'head', servers: {} }];
  const plan = { sides, order, ...changes };
  const placed = plan.order.map((groups) =>
    groups.map((group) =>
      group.map(([side = 0, place = 0]) => ({ side: plan.sides[side] ?? sides[0], case: cases[place] })),
    ),
  );
  return /** @type {Plan} */ ({
    ...{ title: 'Mine', cases, rounds: order.length, seed: 7, estimateSeconds: 26, budgetSeconds: Infinity },
    ...{ ...plan, order: placed },
  });
}

/** @param {Plan} plan @param {number} [width] @param {string} [language] */
function printed(plan, width = 100, language = 'en') {
  return answerTerminal(planAnswer(plan, wordsIn(language)), { width });
}

test('plans', () => {
  const groups = Array.from({ length: 40 }, (_, index) => [[0, index]]);
  const step = [0, 0];
  const others = [1, 2].map((place) => [0, 1].map((side) => [side, place]));
  assertExcerpts('documents/plans.md', {
    'a plan is a table of what differs, what does not, and the order by number': printed(planOf(2)),
    'a single case is described in one line': printed(planOf(1)),
    'the order distinguishes two sides, with parentheses around what runs together': printed(
      planOf(1, {
        sides: ['base', 'head'].map((label) => ({ label, servers: {} })),
        order: [[[1, 0].map((side) => [side, 0])]],
      }),
    ),
    'long rounds are wrapped below their first word, and of many rounds only some are listed': printed(
      planOf(40, { rounds: 500, order: Array.from({ length: 500 }, () => groups) }),
    ),
    'rounds of different size are given as a range': printed(
      planOf(1, { untilDecided: true, budgetSeconds: 60, rounds: 2, order: [[[step, step]], [[step]]] }),
    ),
    'a comparison counts and lists the reference only where a round that it expects has it': printed(
      planOf(3, {
        sides: ['base', 'head'].map((label) => ({ label, servers: {} })),
        untilDecided: true,
        budgetSeconds: 60,
        rounds: 2,
        order: [others, others, [[step, [1, 0]], ...others]],
      }),
    ),
    'what is measured until it is decided has a bound': printed(
      planOf(1, { estimateSeconds: 300, budgetSeconds: 300 }),
    ),
    'in Korean': printed(
      planOf(2, { untilDecided: true, budgetSeconds: 60, rounds: 2, order: [[[step, step]], [[step]], []] }),
      100,
      'ko',
    ),
  });
});

test('in a terminal the plan is as wide as it is', () => {
  for (const line of printed(planOf(12), 40).split('\n')) assert.ok(line.length <= 40, line);
});
