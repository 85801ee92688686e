/** The calls of both sides in one tree, from profiles in which the truth is known. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callsOf } from '../../scripts/profile/call-tree.js';
import { caseOf } from '../judge/runs.js';

/** @import { Profile, RunCase } from '../../scripts/types.js' */

/**
 * @typedef {{ us: number, line?: number, calls?: Tree }} Entry
 * @typedef {{ [name: string]: Entry }} Tree
 */

/** @type {(tree: Tree, parent?: number, profile?: Profile) => Profile} */
function profileOf(tree, parent = 0, profile = [{ parent: -1, name: '(root)', file: '', line: 0, us: 0 }]) {
  for (const [name, { us, line = 1, calls = {} }] of Object.entries(tree)) {
    profile.push({ parent, name, file: 'src/app.js', line, us });
    profileOf(calls, profile.length - 1, profile);
  }
  return profile;
}

/**
 * @param {Profile[]} profiles a round each
 * @returns {RunCase}
 */
const profiled = (profiles) =>
  caseOf(
    'app',
    profiles.map((profile, round) => ({
      round,
      failure: null,
      windows: [{ seconds: 1, requests: 1000, profiles: [profile] }],
    })),
  );

/**
 * @param {Tree} base
 * @param {Tree} head
 * @param {number} ratio
 */
const calls = (base, head, ratio) => {
  const [before, after] = [base, head].map((tree) => profiled([profileOf(tree), profileOf(tree)]));
  return before && after ? callsOf(before, after, ratio) : assert.fail();
};

test('each call has what it costs with all it calls, and alone, on both sides, in percent of a request of the base', () => {
  const found = calls(
    { handle: { us: 20, calls: { parse: { us: 30 }, write: { us: 50 } } } },
    { handle: { us: 20, line: 7, calls: { write: { us: 50 }, render: { us: 80 } } } },
    1.5,
  );
  assert.deepEqual(
    found.map(({ file: _, ...call }) => call),
    [
      { parent: -1, name: 'handle', line: 7, basePct: 100, headPct: 150, ownBasePct: 20, ownHeadPct: 20 },
      { parent: 0, name: 'render', line: 1, basePct: 0, headPct: 80, ownBasePct: 0, ownHeadPct: 80 },
      { parent: 0, name: 'write', line: 1, basePct: 50, headPct: 50, ownBasePct: 50, ownHeadPct: 50 },
      { parent: 0, name: 'parse', line: 1, basePct: 30, headPct: 0, ownBasePct: 30, ownHeadPct: 0 },
    ],
  );
});

test('one function that is called from two places is in both; a start that failed does not count', () => {
  const tree = { a: { us: 10, calls: { shared: { us: 30 } } }, b: { us: 20, calls: { shared: { us: 40 } } } };
  const wrong = { ...profiled([profileOf({ other: { us: 99 } })]).trials[0], round: 1 };
  const base = profiled([profileOf(tree)]);
  const failed = /** @type {any} */ ({ ...wrong, failure: { kind: 'died', message: 'x', logTail: [] } });
  const found = callsOf({ ...base, trials: [...base.trials, failed] }, base, 1);
  assert.deepEqual(
    found.map(({ parent, name, basePct }) => [parent, name, basePct]),
    [
      [-1, 'b', 60],
      [0, 'shared', 40],
      [-1, 'a', 40],
      [2, 'shared', 30],
    ],
  );
});

test('of very many calls the largest stay, each with its caller, and those too small to be seen are left out', () => {
  /** @type {Tree} */
  const wide = Object.fromEntries(
    Array.from({ length: 150 }, (_, place) => [
      `f${place}`,
      { us: 100 + place, calls: { deeper: { us: 100 + place }, dust: { us: 1 } } },
    ]),
  );
  const found = calls(wide, wide, 1);
  assert.ok(found.length > 100 && found.length <= 200, `${found.length}`);
  assert.ok(found.every(({ parent }, place) => parent < place));
  assert.ok(found.every(({ name, parent }) => (name === 'deeper') === parent >= 0));
  assert.ok(found.every(({ name }) => name !== 'dust'));
});

test('a profile that no profiler makes causes no endless loop', () => {
  const strange = [
    { parent: 5, name: 'a', file: '', line: 0, us: 10 },
    { parent: 0, name: 'b', file: '', line: 0, us: 10 },
  ];
  assert.deepEqual(
    callsOf(profiled([strange]), profiled([strange]), 1).map(({ parent, name }) => [parent, name]),
    [
      [-1, 'a'],
      [0, 'b'],
    ],
  );
  assert.deepEqual(callsOf(profiled([]), profiled([[]]), 1), []);
});
