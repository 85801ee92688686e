/** What is foretold holds when it is tried. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../bench/verdicts/recordings.js';
import { simulate, WORLDS } from '../../bench/verdicts/worlds.js';
import { compare } from '../../scripts/judge/compare.js';
import { foretell, POWER } from '../../scripts/judge/power.js';
import { caseOf, runOf } from './runs.js';

/**
 * @param {string} name
 * @param {{ rounds: number, windows?: number, speed?: number, random: () => number }} how
 */
function pairOf(name, { windows = 2, ...how }) {
  const world = WORLDS[name];
  assert.ok(world);
  const [base = [], head = []] = simulate(world, { windows, ...how });
  return { base: runOf([caseOf('a', base)]), head: runOf([caseOf('a', head)]) };
}

test('a slowdown as large as foretold is found about as often as foretold', () => {
  for (const [name, rounds] of /** @type {const} */ ([
    ['steady server', 10],
    ['noisy server', 16],
  ])) {
    const random = seededRandom(3);
    // From many rounds, so that the spread itself is known well.
    const [foretold] = foretell(pairOf(name, { rounds: 200, random }), { ids: ['a'], rounds, margin: 0.05 });
    assert.ok(foretold);
    const tries = 150;
    let found = 0;
    for (let i = 0; i < tries; i++) {
      const { base, head } = pairOf(name, { rounds, speed: 1 - foretold.finds, random });
      if (compare(base, head, { margin: 0.005 }).verdict === 'regressed') found++;
    }
    assert.ok(found >= tries * (POWER - 0.07), `${name}: ${found} of ${tries} at ${foretold.finds}`);
  }
});

test('more rounds find less, and the rounds for the margin find the margin', () => {
  const earlier = pairOf('noisy server', { rounds: 30, random: seededRandom(4) });
  const at = (/** @type {number} */ rounds) => foretell(earlier, { ids: ['a'], rounds, margin: 0.05 })[0];
  assert.ok((at(40)?.finds ?? 1) < (at(10)?.finds ?? 0));
  const enough = at(10)?.roundsForMargin ?? 0;
  assert.ok((at(enough)?.finds ?? 1) <= 0.05 && (at(enough - 1)?.finds ?? 0) > 0.05);
});

test('the table tells rounds and seconds, as the earlier run took them', () => {
  const earlier = pairOf('steady server', { rounds: 30, random: seededRandom(5) });
  const [foretold] = foretell(earlier, { ids: ['a'], rounds: 10, margin: 0.05 });
  assert.deepEqual(
    foretold?.table.map(({ share }) => share),
    [0.01, 0.02, 0.05, 0.1],
  );
  // Two servers, two windows of a second each, and three seconds to start.
  for (const { rounds, seconds = 0 } of foretold?.table ?? [])
    assert.ok(Math.abs(seconds / (7 * rounds) - 1) < 0.02, `${seconds} s for ${rounds} rounds`);
});

test('a run of one side is foretold by its distance to the reference that was alive beside it', () => {
  const world = WORLDS['steady server'];
  assert.ok(world);
  const [reference = [], app = []] = simulate(world, { rounds: 20, windows: 2, random: seededRandom(6) });
  const head = runOf([caseOf('gauge', reference, { reference: true }), caseOf('a', app)]);
  const [foretold] = foretell({ head }, { ids: ['a'], rounds: 10, margin: 0.05 });
  assert.ok(foretold && foretold.finds > 0.005 && foretold.finds < 0.1, `${foretold?.finds}`);
  assert.deepEqual(
    foretell({ head: runOf([caseOf('a', app)]) }, { ids: ['a'], rounds: 10, margin: 0.05 }),
    [],
  );
});
