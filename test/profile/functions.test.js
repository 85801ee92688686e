/** Which functions changed, from profiles in which the truth is known. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changedFunctions } from '../../scripts/profile/functions.js';
import { caseOf, seededNormal } from '../judge/runs.js';

/** @import { Profile, RunCase } from '../../scripts/types.js' */

/** What a request costs in each function, in microseconds. */
const COSTS = { handle: 10, serialize: 5, parse: 8, write: 20, '(garbage collector)': 6, route: 1 };

/**
 * Rounds of two running servers: a moment of the machine makes all functions of both slower, and each figure has separate noise.
 * @param {Record<string, number>[]} sides
 * @param {{ seed: number, rounds?: number, lines?: number[] }} options lines: where the functions begin, on each side
 * @returns {RunCase[]}
 */
function profiled(sides, { seed, rounds = 10, lines = [1, 1] }) {
  const random = seededNormal(seed);
  const moments = Array.from({ length: rounds }, () => Math.exp(0.2 * random()));
  return sides.map((costs, side) =>
    caseOf(
      'app',
      moments.map((moment, round) => {
        const requests = 20_000;
        /** @type {Profile} */
        const profile = Object.entries(costs).map(([name, us], place) => ({
          parent: -1,
          name,
          file: 'src/app.js',
          line: (lines[side] ?? 0) + place,
          us: requests * us * moment * Math.exp(0.1 * random()) * Math.exp(0.05 * random()),
        }));
        return { round, failure: null, windows: [{ seconds: 1, requests, profiles: [profile] }] };
      }),
    ),
  );
}

/** @param {Record<string, number>} costs */
const whole = (costs) => Object.values(costs).reduce((sum, us) => sum + us, 0);

/**
 * @param {Record<string, number>} head
 * @param {Parameters<typeof profiled>[1] & { ratio?: number, error?: number }} options ratio: the one that the judged starts
 *   gave; absent: the true one
 */
function changed(head, { ratio = whole(head) / whole(COSTS), error = 0.005, ...options }) {
  const [before, after] = profiled([COSTS, head], options);
  return before && after ? changedFunctions(before, after, { ratio, error }) : assert.fail();
}

test('a function that costs a twentieth of a request more is named first, in 19 of 20', () => {
  const slower = { ...COSTS, serialize: COSTS.serialize + whole(COSTS) / 20 };
  let first = 0;
  for (let seed = 1; seed <= 20; seed++) {
    const [found] = changed(slower, { seed, lines: [1, 40] });
    if (found?.name !== 'serialize') continue;
    first++;
    assert.deepEqual([found.file, found.line], ['src/app.js', 41]);
    assert.ok(Math.abs(found.effectPct - 5) < 2.5, `${found.effectPct}`);
  }
  assert.ok(first >= 19, `${first} of 20`);
});

test('where nothing changed hardly ever a function is named', () => {
  let named = 0;
  for (let seed = 1; seed <= 100; seed++) if (changed(COSTS, { seed }).length > 0) named++;
  assert.ok(named <= 3, `${named} of 100`);
});

test('a ratio that was measured too large makes no function seem changed', () => {
  const named = (/** @type {number} */ error) =>
    Array.from({ length: 100 }, (_, seed) => changed(COSTS, { seed: seed + 1, ratio: 1.12, error })).filter(
      (found) => found.length > 0,
    ).length;
  assert.ok(named(0.05) <= 3, `${named(0.05)} of 100`);
  assert.ok(named(0) > 50, 'the error of the ratio is what keeps them silent');
});

test('a function that costs many times as much is named, however unsure the ratio', () => {
  const slower = { ...COSTS, serialize: 10 * whole(COSTS) };
  for (let seed = 1; seed <= 20; seed++) {
    const [first] = changed(slower, { seed, error: 0.3 });
    assert.equal(first?.name, 'serialize');
    assert.ok(Number(first?.ciPct[0]) < Number(first?.effectPct) / 2, 'its interval says how unsure');
  }
});

test('a function that is new and one that is gone are both named', () => {
  const { parse, ...rest } = COSTS;
  const found = changed({ ...rest, parseAgain: 2 * parse }, { seed: 3 });
  const changes = new Map(found.map(({ name, basePct, headPct }) => [name, { basePct, headPct }]));
  assert.equal(changes.get('parseAgain')?.basePct, 0);
  assert.equal(changes.get('parse')?.headPct, 0);
});

test('functions without a name are distinguished by their callers, and starts that were not profiled do not count', () => {
  const [before, after] = profiled([COSTS, COSTS], { seed: 4 });
  assert.ok(before && after);
  for (const { trials } of [before, after])
    for (const { windows } of trials)
      windows[0]?.profiles?.[0]?.push(
        { parent: 0, name: '', file: 'src/app.js', line: 9, us: 1e5 },
        { parent: 1, name: '', file: 'src/app.js', line: 9, us: trials === after.trials ? 3e5 : 1e5 },
      );
  const found = changedFunctions(before, after, {
    ratio: 1 + 2e5 / (2e4 * whole(COSTS) + 2e5),
    error: 0.005,
  });
  assert.deepEqual(
    found.map(({ name }) => name),
    [''],
  );
  const bare = caseOf('app', [{ round: 0, failure: null, windows: [{ seconds: 1, requests: 1 }] }]);
  assert.deepEqual(changedFunctions(bare, bare, { ratio: 1, error: 0 }), []);
});
