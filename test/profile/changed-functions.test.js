/** Which functions changed, from profiles in which the truth is known. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { changedFunctions, functionToBlame } from '../../scripts/profile/changed-functions.js';
import { isProfile } from '../../scripts/profile/node-profiler.js';
import { caseOf, seededNormal } from '../judge/runs.js';

/** @import { Profile, RunCase } from '../../scripts/types.js' */

/**
 * Four rounds of a Node server of both sides, a second each; a call is its parent, its frame and its own
 * microseconds.
 */
const AUDIT = new URL('../data/profile/audit.json', import.meta.url);
/** What a request costs in each function, in microseconds. */
const COSTS = { handle: 10, serialize: 5, parse: 8, write: 20, '(garbage collector)': 6, route: 1 };

/**
 * Rounds of two running servers: a moment of the machine makes all functions of both slower, and each figure
 * has separate noise.
 * @param {Record<string, number>[]} sides
 * @param {{ seed: number, rounds?: number, lines?: number[] }} options lines: where the functions begin, on
 *   each side
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
 * @param {Parameters<typeof profiled>[1] & { ratio?: number, error?: number }} options ratio: the one that
 *   the judged starts gave; absent: the true one
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

test('the caller of costly natives is blamed, in profiles of a server whose audit hashes twelve times', () => {
  const { frames, rounds } = JSON.parse(readFileSync(AUDIT, 'utf8'));
  const [before, after] = [0, 1].map((side) =>
    caseOf(
      'app',
      rounds.map((/** @type {any} */ sides, /** @type {number} */ round) => {
        const { requests, calls } = sides[side];
        const profile = calls.map((/** @type {number[]} */ [parent, frame = 0, us]) => {
          const [name, file, line] = frames[frame];
          return { parent, name, file, line, us };
        });
        return { round, failure: null, windows: [{ seconds: 1, requests, profiles: [profile] }] };
      }),
    ),
  );
  assert.ok(before && after);
  const stretch = { ratio: 1.13, error: 0.01 };
  const [first] = changedFunctions(before, after, stretch);
  assert.deepEqual([first?.name, first?.file], ['Hash', ''], 'alone, its own cost is too small to see');
  const blamed = functionToBlame(before, after, stretch);
  const { effectPct = 0, ciPct: [low = 0, high = 0] = [] } = blamed ?? {};
  assert.deepEqual([blamed?.name, blamed?.file, blamed?.line], ['auditTrail', 'audit.js', 2]);
  assert.ok(5 < low && low < effectPct && effectPct < high && high < 15, `${low} ${effectPct} ${high}`);
  assert.equal(functionToBlame(before, before, { ...stretch, ratio: 1 }), undefined);
});

test('of callers and what they call the innermost that has nearly all of the change is blamed, and no package', () => {
  /**
   * @param {number} audit its own cost, half of it in a call of itself
   * @param {number} hash
   * @returns {RunCase}
   */
  const calling = (audit, hash) =>
    caseOf(
      'app',
      [1, 1.02, 0.98, 1.01].map((moment, round) => {
        /** @type {[name: string, file: string, us: number][]} */
        const stack = [
          ['handle', 'src/app.js', 40],
          ['adds nothing', 'src/app.js', 0],
          ['audit', 'src/audit.js', audit / 2],
          ['audit', 'src/audit.js', audit / 2],
          ['check', 'src/audit.js', 20],
          ['hash', 'node_modules/hash/index.js', hash],
          ['write', 'node:net', 25],
        ];
        const profile = stack.map(([name, file, us], place) => ({
          parent: place - 1,
          name,
          file,
          line: 1,
          us: 1000 * us * moment,
        }));
        return { round, failure: null, windows: [{ seconds: 1, requests: 1000, profiles: [profile] }] };
      }),
    );
  const blamedIn = (/** @type {RunCase} */ head) => {
    const { name, basePct, headPct } =
      functionToBlame(calling(10, 5), head, { ratio: 1.2, error: 0.01 }) ?? assert.fail();
    return [name, Math.round(basePct), Math.round(headPct)];
  };
  assert.deepEqual(blamedIn(calling(30, 5)), ['audit', 60, 80], 'a function that calls itself pays once');
  assert.deepEqual(blamedIn(calling(10, 25)), ['check', 50, 70]);
});

test('what a server sends is a profile only where each caller comes first, as calls in a circle have no end', () => {
  const calls = (/** @type {number[]} */ ...parents) =>
    parents.map((parent) => ({ parent, name: 'a', file: 'a.js', line: 1, us: 1 }));
  assert.equal(isProfile(calls(-1, 0, 0)), true);
  for (const circle of [calls(0), calls(1, 0), calls(2, 0, 1)]) assert.equal(isProfile(circle), false);
});

test('after few starts, the parts of their profiles say how sure a change is, and what starts differ by is no change', () => {
  /** @type {(handle: number) => RunCase} */
  const started = (handle) => {
    const random = seededNormal(handle);
    const profiles = Array.from({ length: 12 }, () =>
      Object.entries({ ...COSTS, handle }).map(([name, us], line) => {
        return { parent: -1, name, file: 'src/app.js', line, us: us * Math.exp(0.05 * random()) };
      }),
    );
    return caseOf('app', [{ round: 0, failure: null, windows: [{ seconds: 3, requests: 1, profiles }] }]);
  };
  const namesOf = (/** @type {number} */ handle) => {
    const ratio = whole({ ...COSTS, handle }) / whole(COSTS);
    return changedFunctions(started(COSTS.handle), started(handle), { ratio, error: 0.005 }).map(
      ({ name }) => name,
    );
  };
  assert.deepEqual(namesOf(60), ['handle']);
  assert.deepEqual(namesOf(12), [], 'by a fifth, as one start differs from another');
});
