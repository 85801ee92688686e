/** The timetable as a pure function: what follows from settings, cases and a budget. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePlan } from '../../scripts/plan/plan.js';
import { serversById } from '../../scripts/plan/side-servers.js';
import { WINDOW_EXTRA_SECONDS } from '../../scripts/model/times.js';
import { timed, timesAsked, trialSeconds, UNFITTED, windowsOf } from '../../scripts/plan/timetable.js';
import { configOf } from './sources.js';

/** @import { Case } from '../../scripts/types.js' */

const ALPHA = { servers: 'alpha', routes: '/', reference: 'off' };

/**
 * @param {Record<string, string>} options
 * @param {string} [file]
 */
const planned = (options, file) => {
  const config = configOf({ ...ALPHA, ...options }, file);
  const labels = config.against === undefined ? ['head'] : ['base', 'head'];
  return makePlan(
    config,
    labels.map((label) => ({ label, servers: serversById(config) })),
  );
};

/** @type {[roundsBy: string, rounds: number, options: Record<string, string>, file?: string][]} */
const ROUNDS = [
  ['default', 3, {}],
  ['set', 5, { rounds: '5' }],
  ['set', 5, { rounds: '5' }, 'limits: { cpuPerRequest: 5ms }\n'],
  ['limits', 6, {}, 'limits: { cpuPerRequest: 5ms }\n'],
  ['fitted', 3, { budget: '30s' }],
  ['default', 3, { budget: '10m' }],
  ['verdict', 25, { against: 'main' }],
  ['set', 3, { against: 'main', rounds: '3' }],
  ['verdict', 17, { baseline: 'perf.yml', budget: '4m' }],
];
for (const [by, rounds, options, file] of ROUNDS)
  test(`${rounds} rounds, ${by}: ${JSON.stringify(options)} ${file ?? ''}`, () => {
    const plan = planned(options, file);
    assert.deepEqual([plan.roundsBy, plan.rounds], [by, rounds]);
    assert.equal(plan.untilDecided, by === 'verdict' ? true : undefined);
  });

test('without a budget nothing is limited, and no window lasts longer than all of a start', () => {
  const { budgetSeconds, timetable } = planned({ rounds: '3', against: 'main' });
  const { longestWindowSeconds, longestWarmUpSeconds, mostReservedSeconds, windows } = timetable;
  assert.deepEqual(
    [budgetSeconds, longestWindowSeconds, longestWarmUpSeconds, mostReservedSeconds],
    [Infinity, 0, Infinity, Infinity],
  );
  assert.deepEqual(Object.values(windows), [{ count: 2, seconds: 1, mostSeconds: 2 }]);
});

test('a budget leaves an eighth to the windows of a round, as much to its warm-up, and half to pairs of starts', () => {
  const { timetable } = planned({ against: 'main', budget: '64s' });
  assert.equal(timetable.longestWindowSeconds, 64 / 8 / 2, 'of two sides');
  assert.equal(timetable.longestWarmUpSeconds, 8);
  assert.equal(timetable.mostReservedSeconds, 32);
  assert.equal(planned({ against: 'main', budget: '60m' }).timetable.longestWindowSeconds, 30);
});

test('windows that somebody set, or a number of requests, are not lengthened', () => {
  const load = { ...configOf(ALPHA).cases[0]?.load, durationSeconds: 6 };
  const windows = (/** @type {object} */ more, context = {}) =>
    windowsOf(/** @type {any} */ ({ load: { ...load, ...more } }), { longestWindowSeconds: 9, ...context });
  assert.deepEqual(windows({}), { count: 6, seconds: 1, mostSeconds: 9 });
  assert.deepEqual(windows({}, { isAlone: true }), { count: 1, seconds: 6, mostSeconds: 9 });
  assert.deepEqual(windows({ windows: 2 }), { count: 2, seconds: 3, mostSeconds: 0 });
  assert.deepEqual(windows({ requests: 500 }), { count: 1, seconds: 6, mostSeconds: 0 });
});

test('a window of a slow route lasts longer where routes share starts, but not that of a control', () => {
  const mostOf = (/** @type {object} */ more) =>
    windowsOf(/** @type {any} */ ({ load: {}, sharedSeconds: 1, ...more }), { longestWindowSeconds: 9 })
      .mostSeconds;
  const control = { role: 'control' };
  assert.deepEqual([{}, control, { ...control, promotedAt: 2 }].map(mostOf), [9, 0, 9]);
});

test('rounds are those that the rest of a budget holds, and at least one', () => {
  const plan = planned({ rounds: '10', against: 'main' });
  const within = (/** @type {number} */ budgetSeconds) => timed({ ...plan, budgetSeconds });
  const { roundSeconds } = plan.timetable;
  assert.equal(Math.round(plan.estimateSeconds), Math.round(10 * roundSeconds));
  assert.deepEqual([within(3.5 * roundSeconds).rounds, within(1).rounds], [3, 1]);
  assert.equal(within(3.5 * roundSeconds).estimateSeconds, 3.5 * roundSeconds);
});

test('an experiment that lasts as long as it says keeps its cases, rounds and time', () => {
  const config = { ...configOf({ ...ALPHA, against: 'main' }), ...UNFITTED };
  const { cases, budgetSeconds, untilDecided, fits } = timesAsked(config);
  assert.deepEqual(
    [cases, budgetSeconds, untilDecided, fits],
    [config.cases, Infinity, undefined, undefined],
  );
});

test('a quarter of a budget is kept for an explanation, or what ten rounds take, where a profile can be had in it', () => {
  const kept = (/** @type {Record<string, string>} */ options, file = '') =>
    planned(options, file).timetable.explainSeconds;
  assert.equal(kept({ against: 'main', budget: '60s' }), 15);
  const { timetable, cases } = planned({ against: 'main', budget: '60m' });
  const round = 2 * trialSeconds({ .../** @type {Case} */ (cases[0]), warmupRequests: 0 });
  assert.equal(timetable.explainSeconds, 10 * (round + 2 * (1 - WINDOW_EXTRA_SECONDS)));
  assert.equal(kept({ against: 'main', budget: '20s' }), 0, 'a quarter is less than a round');
  assert.equal(kept({ against: 'main', budget: '60s', explain: 'false' }), 0);
  assert.deepEqual([kept({ budget: '60s' }), kept({ against: 'self', budget: '60s' })], [0, 0]);
  assert.equal(kept({ against: 'main', rounds: '8' }), 0, 'no budget ends it');
  const other = planned({ against: 'main', budget: '60s' });
  const sides = other.sides.map(({ servers, ...side }) => {
    const python = Object.entries(servers).map(([id, server]) => [id, { ...server, runtime: 'python' }]);
    return { ...side, servers: Object.fromEntries(python) };
  });
  assert.equal(timed({ ...other, sides }).timetable.explainSeconds, 0, 'nothing profiles it');
});
