/** Measuring and explaining share one budget. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planOf } from '../../scripts/plan/shard.js';
import { profileRegressions } from '../../scripts/session/profile-regressions.js';
import { configOf, fakeDependencies, serverOf } from '../run/fakes.js';

/** @import { Comparison } from '../../scripts/types.js' */

const config = configOf(['api'], { budgetSeconds: 90, load: { tool: 'autocannon' } });
const servers = { api: serverOf('api') };
const SIDES = [
  { label: 'base', servers },
  { label: 'head', servers },
];
const id = config.cases[0]?.id ?? '';
const REGRESSED = /** @type {Comparison} */ (
  /** @type {unknown} */ ({
    verdict: 'regressed',
    warnings: [],
    cases: [{ id, verdict: 'regressed', metrics: [{ metric: 'throughput', verdict: 'regressed' }] }],
  })
);

/**
 * @param {number} secondsLeft
 * @param {{ startSeconds?: number, knownStarts?: Record<string, number>, compared?: Comparison }} [servers]
 *   how long a start takes, and what earlier runs say
 */
async function explainIn(secondsLeft, { startSeconds = 0.5, knownStarts, compared = REGRESSED } = {}) {
  const { dependencies, words, signal } = fakeDependencies({ start: () => startSeconds });
  /** @type {import('../../scripts/run/conduct.js').Progress[]} */
  const events = [];
  let preparedAt = 0;
  const { warnings, cases } = await profileRegressions(
    compared,
    {
      plan: { ...planOf(config, SIDES, knownStarts), budgetSeconds: secondsLeft },
      config: { ...config, explain: true },
    },
    {
      cwd: process.cwd(),
      env: process.env,
      signal,
      facts: { session: 'a', command: 'a' },
      onProgress: (event) => {
        if (event.type === 'start' && preparedAt === 0) preparedAt = dependencies.now();
        events.push(event);
      },
      dependencies: () => dependencies,
      elapsed: () => 0,
    },
  );
  const announced = events.flatMap((event) => (event.type === 'explain' ? event.seconds : []));
  const rounds = words.filter((word) => word === 'start api').length / 2;
  return { warnings, cases, announced, rounds, seconds: (dependencies.now() - preparedAt) / 1000 };
}

test('the report says how much longer the budget must be where none is left to explain a slowdown', async () => {
  const { warnings, cases, rounds } = await explainIn(2);
  assert.deepEqual(
    warnings.map(({ code }) => code),
    ['not-explained'],
  );
  assert.equal(rounds, 0);
  const [later] = (await explainIn(5)).warnings;
  assert.equal(
    /** @type {any} */ (warnings[0]).seconds - /** @type {any} */ (later).seconds,
    3,
    'it is what is missing',
  );
  assert.deepEqual(cases, REGRESSED.cases);
});

test('the profiled run gets what measuring left of the budget, and ends within it', async () => {
  const whole = await explainIn(Infinity);
  assert.equal(whole.rounds, 10);
  // Its ten rounds take 9 s each.
  assert.equal(whole.seconds, 90);
  const bounded = await explainIn(50);
  assert.deepEqual([bounded.announced, bounded.rounds, bounded.seconds], [[50], 5, 45]);
  const slow = await explainIn(50, { startSeconds: 4 });
  assert.deepEqual([slow.rounds, slow.seconds], [3, 48]);
});

test('starts that earlier runs know to be slow count where the rest of the budget is too short', async () => {
  const { warnings, rounds } = await explainIn(50, { knownStarts: { [config.cases[0]?.id ?? '']: 25 } });
  assert.deepEqual([warnings.map(({ code }) => code), rounds], [['not-explained'], 0]);
});

test('where only all cases together got slower, the case that did most is profiled', async () => {
  const metrics = [{ metric: 'throughput', verdict: 'unsure', effectPct: -7 }];
  const together = {
    cases: 5,
    verdict: 'regressed',
    metrics: [{ metric: 'throughput', verdict: 'regressed' }],
  };
  const compared = /** @type {Comparison} */ (
    /** @type {unknown} */ ({ ...REGRESSED, cases: [{ id, verdict: 'unsure', metrics }], together })
  );
  assert.equal((await explainIn(Infinity, { compared })).rounds, 10);
  const { together: _, ...alone } = compared;
  assert.equal((await explainIn(Infinity, { compared: alone })).rounds, 0);
});
