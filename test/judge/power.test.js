/** What is foretold, held against what the judge then finds in boots of the same kind. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runOf, seededRandom, trialOf } from '../../bench/verdicts/recordings.js';
import { simulate, WORLDS } from '../../bench/verdicts/simulate.js';
import { compare } from '../../scripts/judge/compare.js';
import { foretell } from '../../scripts/judge/power.js';

const ROUNDS = 12;
const TRIES = 60;

/**
 * @param {'base' | 'head'} id
 * @param {number} boots
 * @param {() => number} random
 * @param {number} [speed]
 * @param {string} [name] of the world
 */
function runIn(id, boots, random, speed = 1, name = 'one state') {
  const world = /** @type {NonNullable<(typeof WORLDS)[string]>} */ (WORLDS[name]);
  const change = { speed, latencyToo: true };
  return runOf(
    id,
    simulate(world, boots, random).map((boot) => trialOf(boot, change)),
  );
}

/** @param {number} slowdown @param {string} world @returns {number} the share of comparisons that find it */
function foundShare(slowdown, world) {
  const random = seededRandom(3);
  let found = 0;
  for (let i = 0; i < TRIES; i++) {
    const base = runIn('base', ROUNDS, random, 1, world);
    const head = runIn('head', ROUNDS, random, 1 - slowdown, world);
    if (compare(base, head).verdict === 'regressed') found++;
  }
  return found / TRIES;
}

const plan = { ids: ['case'], rounds: ROUNDS, margin: 0.05 };

for (const world of ['one state', 'near states', 'two states, half fast']) {
  test(`what is foretold is found, and a third of it is not to be relied on: ${world}`, () => {
    const [foretold] = foretell(runIn('base', 60, seededRandom(1), 1, world), plan);
    assert.ok(foretold);
    assert.ok(foretold.finds > 0.01 && foretold.finds < 0.15, `${foretold.finds}`);
    const found = foundShare(foretold.finds, world);
    assert.ok(found >= 0.85, `${found} at ${foretold.finds}`);
    assert.ok(foundShare(foretold.finds / 3, world) < 0.7);
  });
}

test('more rounds find less, and the rounds for the margin find the margin', () => {
  const run = runIn('base', 60, seededRandom(1));
  const finds = [5, 10, 20, 40].map((rounds) => foretell(run, { ...plan, rounds })[0]?.finds ?? 0);
  assert.deepEqual(
    finds.toSorted((a, b) => b - a),
    finds,
  );
  const [{ roundsForMargin = 0 } = {}] = foretell(run, plan);
  const at = (/** @type {number} */ rounds) => foretell(run, { ...plan, rounds })[0]?.finds ?? 1;
  assert.ok(at(roundsForMargin) <= 0.05 && at(roundsForMargin - 1) > 0.05, `${roundsForMargin}`);
});

test('a case that the earlier run does not know, or hardly, is not foretold', () => {
  assert.deepEqual(foretell(runIn('base', 60, seededRandom(1)), { ...plan, ids: ['other'] }), []);
  assert.deepEqual(foretell(runIn('base', 5, seededRandom(1)), plan), []);
});
