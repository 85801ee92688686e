/**
 * The plan as text: what differs between cases, what does not, the order by number, and how long it takes.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planAnswer } from '../../scripts/report/document/plan-answer.js';
import { answerTerminal } from '../../scripts/report/render/terminal.js';
import { wordsIn } from '../../scripts/report/text/words.js';
import { assertExcerpts } from './excerpts.js';

/** @import { Config, Plan } from '../../scripts/types.js' */

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
 * @param {number} number of cases, each its own number of connections
 * @param {Partial<Omit<Plan, 'order'>> & { order?: number[][][][] }} [changes] order: a step is the place of
 *   its side, and of its case
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
  const windows = Object.fromEntries(cases.map(({ id }) => [id, { count: 5, seconds: 2, mostSeconds: 10 }]));
  return /** @type {Plan} */ ({
    ...{ title: 'Mine', cases, rounds: order.length, seed: 7, estimateSeconds: 26, budgetSeconds: Infinity },
    roundsBy: 'default',
    timetable: {
      roundSeconds: 13,
      windows,
      longestWindowSeconds: 0,
      mostReservedSeconds: Infinity,
      explainSeconds: 0,
    },
    ...{ ...plan, order: placed },
  });
}

/**
 * @param {Plan} plan
 * @param {number} [width]
 * @param {string} [language]
 * @param {Config['gates']} [gates]
 */
function printed(plan, width = 100, language = 'en', gates = undefined) {
  return answerTerminal(planAnswer(plan, wordsIn(language), { gates, explain: true }), { width });
}

/**
 * @param {Plan} plan of two cases
 * @returns {Plan}
 */
function warmedUp({ cases: [first, second], ...plan }) {
  Object.assign(first ?? {}, { warmupRequests: 15_000 });
  Object.assign(second ?? {}, { untilLevel: true });
  return { ...plan, cases: [first, second].flatMap((planned) => planned ?? []) };
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
    'a long round is wrapped, and the first alone is listed': printed(
      planOf(40, { rounds: 500, order: Array.from({ length: 500 }, () => groups) }),
    ),
    'rounds that somebody set, or limits ask for': ['set', 'limits']
      .map((roundsBy) => printed(planOf(1, { roundsBy: /** @type {'set'} */ (roundsBy) })))
      .join('\n'),
    'a comparison counts and lists the reference only where a round that it expects has it': printed(
      planOf(3, {
        sides: ['base', 'head'].map((label) => ({ label, servers: {} })),
        untilDecided: true,
        roundsBy: 'verdict',
        budgetSeconds: 60,
        rounds: 2,
        order: [others, others, [[step, [1, 0]], ...others]],
      }),
    ),
    'a gate of the startup keeps a part of the budget, and the reference has few starts': printed(
      planOf(3, {
        sides: ['base', 'head'].map((label) => ({ label, servers: {} })),
        roundsBy: 'verdict',
        rounds: 2,
        order: [others, [[step, [1, 0]], ...others]],
        untilDecided: true,
        timetable: { ...planOf(3).timetable, mostReservedSeconds: 30, explainSeconds: 15 },
      }),
      100,
      'en',
      { startupCpu: 'regressed' },
    ),
    'windows that a budget shortens, with a warm-up that counts requests or waits for a level': printed(
      warmedUp(planOf(2, { roundsBy: 'fitted', estimateSeconds: 30, budgetSeconds: 60 })),
    ),
    'what is measured until it is decided has a bound': printed(
      planOf(1, { estimateSeconds: 300, budgetSeconds: 300 }),
    ),
    'in Korean': printed(
      planOf(2, {
        untilDecided: true,
        roundsBy: 'verdict',
        budgetSeconds: 60,
        rounds: 2,
        timetable: { ...planOf(2).timetable, explainSeconds: 15 },
        order: [[[step, step]], [[step]], []],
      }),
      100,
      'ko',
    ),
  });
});

test('in a terminal the plan is as wide as it is', () => {
  for (const line of printed(planOf(12), 40).split('\n')) assert.ok(line.length <= 40, line);
});

test('a plan names the time to name functions only where they are looked for', () => {
  const sides = ['base', 'head'].map((label) => ({ label, servers: {} }));
  const plan = planOf(1, {
    sides,
    untilDecided: true,
    order: [
      [
        [
          [0, 0],
          [1, 0],
        ],
      ],
    ],
  });
  const textsWith = (/** @type {true | undefined} */ explain) =>
    answerTerminal(planAnswer(plan, wordsIn(), { explain }), { width: 100 });
  assert.match(textsWith(true), /to name the functions/);
  assert.doesNotMatch(textsWith(undefined), /to name the functions/);
});
