/** The seconds that a load tool reports, beside a clock that nobody can set. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agrees } from '../../scripts/run/turn.js';
import { conductFakes, configOf } from './fakes.js';

test('a tool may start slowly and round, but must report the time that passed', () => {
  for (const seconds of [
    { reported: 1, asked: 1, took: 1 },
    { reported: 1.003, asked: 1, took: 1.4 },
    { reported: 0.99, asked: 1, took: 1.01 },
  ])
    assert.ok(agrees(seconds), JSON.stringify(seconds));
  for (const seconds of [
    { reported: 3601, asked: 1, took: 1.01 },
    { reported: -3599, asked: 1, took: 1.01 },
    { reported: 3600, asked: 1, took: 0.1 },
    { reported: 0.9, asked: 1, took: 1.01 },
    { reported: Number.NaN, asked: 1, took: 1.01 },
  ])
    assert.ok(!agrees(seconds), JSON.stringify(seconds));
});

/** @param {number[]} lies what the tool reports of the first windows */
function conductLying(lies) {
  const config = configOf(['a'], { load: { windows: 2, warmupSeconds: 0 } });
  return conductFakes(config, {}, { load: () => lies.shift() });
}

test('a window whose reported time cannot be true is measured again', async () => {
  const { trialsOf, words } = await conductLying([3601]);
  const [trial] = trialsOf('a');
  assert.equal(trial?.failure, null);
  assert.deepEqual(
    trial?.windows.map(({ seconds, at }) => [seconds, at]),
    [
      [1, 1.5],
      [1, 2.5],
    ],
  );
  assert.equal(words.filter((word) => word === 'load a 1').length, 3);
});

test('two such windows in a row are a failure that names both times', async () => {
  const { trialsOf, words } = await conductLying([1, -3599, 3601]);
  const [trial] = trialsOf('a');
  assert.equal(trial?.failure?.kind, 'clock-stepped');
  assert.match(trial?.failure?.message ?? '', /wrk reports 3601 s for a window of 1 s/);
  assert.equal(trial?.windows.length, 1);
  assert.equal(words.filter((word) => word === 'load a 1').length, 3);
});

test('a number of requests may take less time than the limit', async () => {
  const config = configOf(['a'], {
    load: { windows: 1, warmupSeconds: 0, requests: 10, durationSeconds: 5 },
  });
  const { trialsOf } = await conductFakes(config, {}, { load: () => 2 });
  assert.deepEqual(
    trialsOf('a').map(({ failure, windows }) => [failure, windows.map(({ seconds }) => seconds)]),
    [[null, [2]]],
  );
});

test('sides that are loaded alternately share a core where each server is one thread', async () => {
  const shared = async (
    /** @type {import('../../scripts/types.js').Config} */ config,
    sides = ['base', 'head'],
  ) => {
    const { words, trialsOf } = await conductFakes(config, { sides }, { interleaves: true });
    const said = words.filter((word) => word.startsWith('share'));
    assert.equal(trialsOf('a')[0]?.sharesCore, said.length > 0 ? true : undefined);
    return said;
  };
  const one = configOf(['a'], { load: { windows: 2 } });
  assert.deepEqual(await shared(one), ['share a-head a-base']);
  assert.deepEqual(await shared(one, ['head']), []);
  const java = { ...one, servers: one.servers.map((server) => ({ ...server, runtime: 'java' })) };
  assert.deepEqual(await shared(java), []);
  const two = { ...one, cases: one.cases.map((each) => ({ ...each, instances: 2 })) };
  assert.deepEqual(await shared(two), []);
});

test('Locust, whose time begins with its own start, may load for less than the window', async () => {
  const lying = (/** @type {string} */ tool) =>
    conductFakes(configOf(['a'], { load: { tool, windows: 1, warmupSeconds: 0 } }), {}, { load: () => 0.73 });
  assert.equal((await lying('locust')).trialsOf('a')[0]?.failure, null);
  assert.equal((await lying('wrk')).trialsOf('a')[0]?.failure?.kind, 'clock-stepped');
});
