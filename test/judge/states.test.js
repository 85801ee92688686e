/** Boots that fall into states: like is compared with like, and the mix is told apart from the speed. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { trialOf } from '../../bench/verdicts/recordings.js';
import { readBoots, seededRandom } from '../../bench/verdicts/recordings.js';
import { compare } from '../../scripts/judge/compare.js';
import { speedShift } from '../../scripts/judge/speed.js';
import { speedTable } from '../../scripts/judge/table.js';
import { boots, caseOf, runOf, seededNormal } from './runs.js';

/**
 * @param {{ fast: number, of: number, speed?: number, seed: number }} mix
 */
function mixed({ fast, of, speed = 1, seed }) {
  const random = seededNormal(seed);
  const state = (/** @type {number} */ level, /** @type {number} */ count) =>
    boots({ level: level * speed, noise: 0.02, boots: count, random });
  return [...state(57000, of - fast), ...state(75000, fast)];
}

/**
 * @param {ReturnType<typeof mixed>} base
 * @param {ReturnType<typeof mixed>} head
 */
function judge(base, head) {
  const { cases, warnings } = compare(runOf([caseOf('a', base)]), runOf([caseOf('a', head)]));
  return { only: cases[0], warnings };
}

test('two states are found, with their gap and mix', () => {
  const { only } = judge(mixed({ fast: 4, of: 20, seed: 1 }), mixed({ fast: 5, of: 20, seed: 2 }));
  assert.equal(only?.verdict, 'same');
  assert.deepEqual(
    [only?.mix?.base, only?.mix?.head],
    [
      [4, 20],
      [5, 20],
    ],
  );
  assert.ok(Math.abs((only?.mix?.gap ?? 0) - 75 / 57 + 1) < 0.03);
});

test('one state is not taken for two', () => {
  const { only } = judge(
    mixed({ fast: 0, of: 20, seed: 3 }),
    mixed({ fast: 0, of: 20, speed: 0.9, seed: 4 }),
  );
  assert.equal(only?.verdict, 'regressed');
  assert.equal(only?.mix, undefined);
});

test('a slowdown is found though the lucky side has more fast boots', () => {
  const { only } = judge(
    mixed({ fast: 2, of: 20, seed: 5 }),
    mixed({ fast: 7, of: 20, speed: 0.93, seed: 6 }),
  );
  assert.equal(only?.verdict, 'regressed');
  const throughput = only?.metrics.find(({ metric }) => metric === 'throughput');
  assert.ok(Math.abs((throughput?.effectPct ?? 0) + 7) < 2, `${throughput?.effectPct}`);
});

test('a change of the mix alone is no change of speed, and is told', () => {
  const { only, warnings } = judge(mixed({ fast: 2, of: 20, seed: 7 }), mixed({ fast: 16, of: 20, seed: 8 }));
  assert.notEqual(only?.verdict, 'regressed');
  assert.deepEqual(
    warnings.map(({ code }) => code),
    ['mix-changed'],
  );
});

test('recorded boots: a slowdown of 9 % is found, identical code is left in peace', () => {
  const all = readBoots('quiet');
  const random = seededRandom(1);
  const draw = (/** @type {string} */ variant) => {
    const pool = all.filter((boot) => boot.variant === variant);
    return Array.from({ length: 20 }, () =>
      trialOf(/** @type {any} */ (pool[Math.floor(random() * pool.length)])),
    );
  };
  const calls = { found: 0, alarms: 0 };
  for (let i = 0; i < 10; i++) {
    const slower = speedShift(
      /** @type {any} */ (speedTable({ base: draw('fastify'), head: draw('fastify-9') })),
    );
    if (slower.p < 1e-4 && (slower.effects[0] ?? 0) < 0) calls.found++;
    const equal = speedShift(
      /** @type {any} */ (speedTable({ base: draw('fastify'), head: draw('fastify') })),
    );
    if (equal.p < 1e-4) calls.alarms++;
  }
  assert.deepEqual(calls, { found: 10, alarms: 0 });
});
