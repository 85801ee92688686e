/** Routes that are only counted share the starts of their server, each loaded until its bytes settle. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countedLoad, keepSettled } from '../../scripts/run/settling.js';
import { conductFakes, configOf, routesOf, serverOf } from './fakes.js';

const ROUTES = ['/', '/b', '/c'];

/**
 * The windows that three routes of a server keep on both sides, how often these were loaded together, and of
 * how many starts the bytes did not settle.
 * @param {(name: string) => number} [allocated]
 */
async function countRoutes(allocated, rounds = 1) {
  const config = configOf([], {
    servers: [serverOf('api', { routes: routesOf(ROUTES) })],
    load: { tool: 'autocannon' },
    rounds,
  });
  const cases = config.cases.flatMap(({ load, ...planned }) =>
    ROUTES.map((id) => ({
      ...planned,
      id: `api ${id}`,
      route: id,
      counted: /** @type {const} */ (true),
      load: countedLoad(load),
    })),
  );
  const { words, trials } = await conductFakes(
    { ...config, cases },
    { sides: ['base', 'head'] },
    { interleaves: true, ...(allocated && { allocated }) },
  );
  assert.equal(words.filter((word) => word.startsWith('start api')).length, 2 * rounds);
  const all = [...trials.values()].flat();
  const kept = all.flatMap(({ windows }) => windows);
  const { length: unsettled } = all.filter((trial) => trial.unsettled);
  return { kept, unsettled, loads: words.filter((word) => word.startsWith('interleave')).length };
}

test('three windows that agree are enough, and what the first ones make in addition is not kept', async () => {
  // The warm-up comes before the first window of the first route.
  const seen = { 'api-base': 0, 'api-head': 0 };
  const allocated = (/** @type {string} */ name) =>
    (seen[/** @type {keyof typeof seen} */ (name)] += 1) > 3 ? 40e6 : 80e6;
  const { kept, loads } = await countRoutes(allocated);
  assert.deepEqual(
    kept.map(({ allocatedBytes }) => allocatedBytes),
    kept.map(() => 40e6),
  );
  assert.deepEqual([loads, kept.length], [5 + 4 + 4, 2 * 3 * 3]);
});

test('what settles late keeps the last six windows, and forgets those before the compiler was done', async () => {
  const seen = { 'api-base': 0, 'api-head': 0 };
  const allocated = (/** @type {string} */ name) =>
    Math.max(40e6, 48e6 - 1e6 * (seen[/** @type {keyof typeof seen} */ (name)] += 1));
  const { kept } = await countRoutes(allocated);
  assert.equal(kept.length, 2 * (6 + 3 + 3));
  assert.ok(kept.every(({ allocatedBytes = 0 }) => allocatedBytes < 42e6));
});

test('sides that differ by a little are loaded for longer, and both as often', async () => {
  const counted = (/** @type {number} */ head) =>
    countRoutes((name) => (name === 'api-head' ? head : 1) * 40e6);
  const { loads, kept } = await counted(1.01);
  assert.deepEqual([loads, kept.length], [8 + 7 + 7, 2 * 3 * 6]);
  assert.equal((await counted(1.002)).loads, 5 + 4 + 4);
});

test('in a later start, sides that are far apart need not settle, and others do', async () => {
  let bytes = 40e6;
  const growing = (/** @type {number} */ times) => (/** @type {string} */ name) =>
    (bytes *= 1.01) * (name === 'api-head' ? times : 1);
  const apart = await countRoutes(growing(1.2), 2);
  assert.equal(apart.loads, 30 * ROUTES.length + 1 + 2 * ROUTES.length);
  assert.equal(apart.unsettled, 2 * ROUTES.length, 'of the first start');
  const near = await countRoutes(growing(1.05), 2);
  assert.equal(near.loads, 2 * 30 * ROUTES.length);
});

test('what never settles is loaded thirty times, and has no bytes', async () => {
  let bytes = 40e6;
  const { kept, loads, unsettled } = await countRoutes(() => (bytes *= 1.01));
  assert.ok(kept.every((window) => !('allocatedBytes' in window) && window.requests > 0));
  assert.equal(loads, 30 * ROUTES.length);
  assert.equal(unsettled, 2 * ROUTES.length);
});

test('a server that allocates little has longer windows, and no bytes if that is still too little', async () => {
  const { kept, loads } = await countRoutes(() => 5e6);
  assert.ok(kept.every(({ seconds, ...window }) => seconds === 1 && !('allocatedBytes' in window)));
  assert.equal(loads, 7 * ROUTES.length, 'about as much load as thirty short ones');
});

test('other counts of a server whose bytes nobody knows take three windows, and one more at first', async () => {
  const { loads, unsettled } = await countRoutes();
  assert.deepEqual([loads, unsettled], [1 + 3 * ROUTES.length, 0]);
});

test('what a forgotten window counted without load is kept', () => {
  const windows = [2, 0, 0, 1].map((idle) => ({
    ...{ seconds: 1, requests: 9 },
    statements: { count: 9, idle, by: {} },
  }));
  const trial = { round: 0, failure: null, windows };
  const counted = { step: { case: { id: 'a', counted: true } }, trial, latencies: [] };
  keepSettled([/** @type {any} */ (counted)]);
  assert.deepEqual(
    trial.windows.map(({ statements }) => statements.idle),
    [2, 0, 1],
  );
});
