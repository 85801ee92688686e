/** Boots of one round share what the machine does meanwhile; where they do, it is taken off. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom, trialOf } from '../../bench/verdicts/recordings.js';
import { simulatePair, WORLDS } from '../../bench/verdicts/simulate.js';
import { compare } from '../../scripts/judge/compare.js';
import { pairRounds, withoutDrift } from '../../scripts/judge/rounds.js';
import { speedShift } from '../../scripts/judge/speed.js';
import { speedTable } from '../../scripts/judge/table.js';
import { caseOf, runOf } from './runs.js';

const BOOTS = 30;

/** @param {string} name @param {number} seed @param {number} [speed] of the head */
function pairIn(name, seed, speed = 1) {
  const world = WORLDS[name];
  assert.ok(world);
  const [base, head] = simulatePair(world, BOOTS, seededRandom(seed));
  return {
    base: base.map((boot) => trialOf(boot, { latencyToo: true })),
    head: head.map((boot) => trialOf(boot, { speed, latencyToo: true })),
  };
}

/** @param {ReturnType<typeof pairIn>} pair @param {string} [session] of the head */
function judge({ base, head }, session = 'one') {
  const [compared] = compare(runOf([caseOf('a', base)]), runOf([caseOf('a', head)], { session })).cases;
  assert.ok(compared);
  return compared;
}

/** @param {ReturnType<typeof judge>} compared */
function widthOf({ metrics }) {
  const [low = 0, high = 0] = metrics.find(({ metric }) => metric === 'throughput')?.ciPct ?? [];
  return high - low;
}

/** The same boots, each beside another one. @param {ReturnType<typeof pairIn>} pair */
function scrambled({ base, head }) {
  return { base, head: head.map((trial) => ({ ...trial, round: (trial.round + 7) % BOOTS })) };
}

for (const world of ['one state, drift', 'two states, drift']) {
  test(`neighbours tell more than boots of other rounds: ${world}`, () => {
    const narrower = Array.from({ length: 10 }, (_, seed) => {
      const pair = pairIn(world, seed);
      return widthOf(judge(pair)) < widthOf(judge(scrambled(pair)));
    });
    assert.ok(narrower.filter(Boolean).length >= 8, `${narrower}`);
  });
}

test('a slowdown smaller than the drift is found, for what it is', () => {
  const found = Array.from({ length: 10 }, (_, seed) => judge(pairIn('one state, drift', seed, 0.93)));
  assert.ok(found.filter(({ verdict }) => verdict === 'regressed').length >= 8);
  for (const { metrics } of found) assert.ok(Math.abs((metrics[0]?.effectPct ?? 0) + 7) < 4);
});

test('boots that have nothing in common stay as they are', () => {
  const table = speedTable(pairIn('one state', 1), { interleaved: true });
  assert.ok(table?.pairs);
  assert.equal(withoutDrift(table, speedShift(table).fit), undefined);
});

test('runs of other sessions have no neighbours, equal rounds or not', () => {
  const pair = pairIn('one state, drift', 3);
  assert.equal(widthOf(judge(pair, 'another')), widthOf(judge(scrambled(pair), 'another')));
});

test('rounds pair boots only where each side has one a round, and most have a neighbour', () => {
  const rounds = (/** @type {number[]} */ ...all) => all.map((round) => ({ round }));
  assert.deepEqual(pairRounds({ base: rounds(0, 1, 2), head: rounds(2, 0, 1) }), [
    [0, 4],
    [1, 5],
    [2, 3],
  ]);
  assert.deepEqual(pairRounds({ base: rounds(0, 1, 2, 3, 4), head: rounds(0, 1, 2, 3) })?.length, 4);
  assert.equal(pairRounds({ base: rounds(0, 0, 1), head: rounds(0, 1, 2) }), undefined);
  assert.equal(pairRounds({ base: rounds(0, 1, 2), head: rounds(2, 3, 4) }), undefined);
});
