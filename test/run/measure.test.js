/** What a run file says about its measurement, with dependencies that measure nothing, on a fake clock. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { realDependencies } from '../../scripts/run/dependencies.js';
import { measure } from '../../scripts/run/measure.js';
import { configOf, fakeDependencies, planOf } from './fakes.js';

/** A tool that comes with the project. */
const LOAD = { tool: 'autocannon' };

/**
 * @param {Partial<import('../../scripts/types.js').Config>} changes
 * @param {Partial<Parameters<typeof measure>[1]>} [hooks]
 * @param {import('./fakes.js').Behaviour} [behaviour]
 * @param {Partial<Parameters<typeof measure>[0]>} [order]
 */
async function measureFakes(changes, hooks, behaviour, order = {}) {
  const { dependencies, signal, words } = fakeDependencies(behaviour);
  const config = configOf(['a', 'b'], { load: LOAD, ...changes });
  /** @type {number[]} */
  const kept = [];
  const { runs, elapsed } = await measure(
    {
      plan: planOf(config),
      config,
      session: 's',
      command: 'perf-action run',
      cwd: process.cwd(),
      warnings: [{ code: /** @type {any} */ ('noticed'), message: 'before' }],
      ...order,
    },
    {
      env: process.env,
      dependencies,
      signal,
      onProgress: () => {},
      onRuns: async ([run]) => void kept.push(run?.cases.flatMap(({ trials }) => trials).length ?? 0),
      ...hooks,
    },
  );
  const [run] = /** @type {[import('../../scripts/types.js').Run]} */ (runs);
  return { run, kept, words, elapsed };
}

test('everything measured is written after each group, and load tools end with the run', async () => {
  const { run, kept, words, elapsed } = await measureFakes({ rounds: 3 });
  assert.deepEqual(kept, [2, 4, 6, 6]);
  assert.equal(words.at(-1), 'end load');
  assert.equal(elapsed(), 3 * 7, 'without the preparation');
  assert.deepEqual(
    run.cases.map(({ summary }) => [summary?.trials, Math.round(Number(summary?.throughput))]),
    [
      [3, 100],
      [3, 100],
    ],
  );
  assert.deepEqual(run.warnings, [{ code: /** @type {any} */ ('noticed'), message: 'before' }]);
});

test('a run file holds the looks, and the one that decided a case', async () => {
  const { run } = await measureFakes(
    { rounds: 10 },
    {
      looks: {
        shares: [0.2, 0.5],
        leastRounds: 1,
        look: ([sofar], share) => ({
          decided: new Set(sofar?.cases.slice(share < 0.5 ? 1 : 0).map(({ id }) => id)),
        }),
      },
    },
  );
  assert.deepEqual(run.looks, [0.2, 0.5]);
  assert.deepEqual(
    run.cases.map(({ decidedAt, trials }) => [decidedAt, trials.length]),
    [
      [0.5, 5],
      [0.2, 2],
    ],
  );
});

test('a cancelled run says how many starts it measured', async () => {
  // Six loads a round: the tenth is the second start's first window of the second round.
  let loads = 0;
  const { run, words } = await measureFakes({ rounds: 3 }, undefined, {
    onEvent: (word, controller) => {
      if (word.startsWith('load') && ++loads === 10) controller.abort();
    },
  });
  assert.deepEqual(run.warnings?.at(-1), { code: 'cancelled', measured: 3, planned: 6 });
  assert.equal(words.at(-1), 'end load');
});

test('a case that was planned and never started is named, whatever kept it from that', async () => {
  const config = configOf(['a', 'b'], { load: LOAD, rounds: 1 });
  const plan = planOf(config, ['base', 'head']);
  const without = (/** @type {(step: import('../../scripts/types.js').Step) => boolean} */ isLeft) => ({
    plan: {
      ...plan,
      order: plan.order.map((groups) => groups.map((group) => group.filter((step) => !isLeft(step)))),
    },
  });
  const [, b = ''] = plan.cases.map(({ id }) => id);
  const { run } = await measureFakes(
    { rounds: 1 },
    undefined,
    undefined,
    without((step) => step.case === plan.cases[1]),
  );
  assert.deepEqual(run.warnings?.at(-1), { code: 'never-started', cases: [b] });
  const { run: known } = await measureFakes(
    {},
    undefined,
    undefined,
    without((step) => step.side === plan.sides[0] && step.case === plan.cases[1]),
  );
  assert.ok(!known.warnings?.some(({ code }) => code === 'never-started'), 'new in the head');
});

test('load tools end even if measuring throws', async () => {
  const { dependencies, signal, words } = fakeDependencies({
    start: () => {
      throw new TypeError('a mistake of ours');
    },
  });
  const config = configOf(['a'], { load: LOAD });
  const what = { plan: planOf(config), config, session: 's', command: '', cwd: process.cwd() };
  const hooks = { env: process.env, dependencies, signal, onProgress: () => {}, onRuns: async () => {} };
  await assert.rejects(measure(what, hooks), /a mistake of ours/);
  assert.equal(words.at(-1), 'end load');
});

test('observers enter a server only if that was asked for, since they cost a little', async () => {
  const dependencies = realDependencies();
  assert.deepEqual(await dependencies.enter('node'), []);
  await dependencies.stop();
  /** @type {string[]} */
  const entered = [];
  const enter = async (/** @type {string} */ runtime) => {
    entered.push(runtime);
    return [];
  };
  await measureFakes({ rounds: 1 }, { dependencies: { ...fakeDependencies().dependencies, enter } });
  assert.deepEqual(entered, ['node', 'node']);
});
