/** A slow server: its queue, the length of its windows, and what a window without an answer means. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { queueAfter } from '../../scripts/run/queue.js';
import { conductFakes, configOf } from './fakes.js';

const load = { tool: 'wrk', connections: 100, pipelining: 1 };

/**
 * @param {object} changes of the load
 * @param {object} [more] of the configuration
 */
function configOfSlow(changes, more = {}) {
  const config = configOf(['a'], { load: changes, ...more });
  return {
    ...config,
    cases: config.cases.map(({ load: { windows: _, ...rest }, ...each }) => ({ ...each, load: rest })),
  };
}

test("a queue takes what Little's law says, or what the load tool saw", () => {
  const after = (/** @type {object} */ window) =>
    queueAfter(/** @type {any} */ (window), { load: /** @type {any} */ (load), endedAt: 5 });
  assert.deepEqual(after({ requests: 40, seconds: 1, latencyMs: { avg: 500 } }), {
    leastSeconds: 1,
    mostSeconds: 2.5,
    endsAt: 6,
  });
  assert.equal(after({ requests: 50_000, seconds: 1, latencyMs: { avg: 2 } }).leastSeconds, 0.002);
  assert.equal(after({ requests: 0, seconds: 1 }).mostSeconds, Infinity);
  const ended = { leastSeconds: Infinity, mostSeconds: 0, endsAt: 5 };
  assert.deepEqual(after({ requests: 50, seconds: 1, outlasted: true }), ended, 'no stream is left to it');
});

test('before a window begins, each server that was loaded is idle', async () => {
  const config = configOf(['a', 'b'], { load: { windows: 1, durationSeconds: 1 } });
  const { words } = await conductFakes(config, {}, { saysIdle: true });
  const turns = words.filter((word) => /^(load|idle)/.test(word));
  // A warm-up and a window each.
  assert.equal(turns.length, 8);
  for (let place = 0; place < turns.length; place += 2)
    assert.equal(turns[place + 1], turns[place]?.replace(/load (\S+) .*/, 'idle $1'));
});

test('a server that is still at work is measured, and its start says so', async () => {
  const { trialsOf } = await conductFakes(configOf(['a']), {}, { staysBusy: true });
  assert.equal(trialsOf('a')[0]?.failure, null);
  assert.equal(typeof trialsOf('a')[0]?.busySeconds, 'number');
});

test('windows of a slow server are as long as its answers need, alike for both sides', async () => {
  const answers = (/** @type {string} */ name, /** @type {number} */ seconds) =>
    (name === 'a-head' ? 40 : 80) * seconds;
  const { trialsOf } = await conductFakes(
    configOfSlow({ durationSeconds: 6 }),
    { sides: ['base', 'head'] },
    { answers },
  );
  for (const side of [0, 1])
    assert.deepEqual(
      trialsOf('a', side)[0]?.windows.map(({ seconds }) => seconds),
      [3, 3],
    );
});

test('without a warm-up the first window shows it, and only a budget makes the whole longer', async () => {
  const answers = (/** @type {string} */ _name, /** @type {number} */ seconds) => 10 * seconds;
  const secondsOf = async (/** @type {object} */ changes, /** @type {object} */ more = {}) => {
    const config = configOfSlow(changes, more);
    const { trialsOf } = await conductFakes(config, { sides: ['base', 'head'] }, { answers });
    return trialsOf('a')[0]?.windows.map(({ seconds }) => seconds);
  };
  assert.deepEqual(await secondsOf({ durationSeconds: 10, warmupSeconds: 0 }), [1, 10]);
  assert.deepEqual(await secondsOf({ durationSeconds: 2 }), [2]);
  assert.deepEqual(await secondsOf({ durationSeconds: 2 }, { budgetSeconds: 80 }), [5]);
});

test('a server that works without an answer is too slow; one that does not work has died', async () => {
  const kindOf = async (/** @type {object} */ behaviour) => {
    const { trialsOf } = await conductFakes(configOf(['a']), {}, { answers: () => 0, ...behaviour });
    return trialsOf('a')[0]?.failure?.kind;
  };
  assert.equal(await kindOf({ cpuSeconds: 2 }), 'too-slow');
  assert.equal(await kindOf({ cpuSeconds: 0 }), 'died-under-load');
  assert.equal(await kindOf({ cpuSeconds: 2, errors: { resets: 9 } }), 'died-under-load');
});

const SIDES = { sides: ['base', 'head'] };
/** Of a head whose answers take three seconds each. */
const SLOW_HEAD = {
  checkSeconds: (/** @type {string} */ name) => (name === 'a-head' ? 3 : 0.01),
  answers: (/** @type {string} */ name, /** @type {number} */ seconds) =>
    name === 'a-head' ? Math.floor(seconds / 3) : 150 * seconds,
};

test('a server that takes seconds for an answer has no warm-up, comes last, and has windows that hold an answer', async () => {
  const config = configOfSlow({ durationSeconds: 2 }, { rounds: 2 });
  const { words, trialsOf } = await conductFakes(config, SIDES, SLOW_HEAD);
  const round = ['load a-base 1', 'load a-base 6', 'load a-head 6'];
  assert.deepEqual(
    words.filter((word) => word.startsWith('load')),
    [...round, ...round],
  );
  assert.deepEqual(
    trialsOf('a', 1).map(({ failure, windows }) => [failure, windows.map(({ requests }) => requests)]),
    [
      [null, [2]],
      [null, [2]],
    ],
  );
});

test('the budget ends a start; what was measured by then counts', async () => {
  const config = configOf(['a'], { load: { windows: 9, durationSeconds: 9 }, budgetSeconds: 25 });
  const { trialsOf, words } = await conductFakes(config, SIDES, { start: () => 20 });
  for (const side of [0, 1]) {
    assert.equal(trialsOf('a', side).length, 1);
    assert.equal(trialsOf('a', side)[0]?.failure, null);
    assert.ok((trialsOf('a', side)[0]?.windows.length ?? 0) < 9);
  }
  assert.equal(words.filter((word) => word.startsWith('stop')).length, 2);
});

test('a server for which the budget leaves no time says so, and does not start again', async () => {
  const config = configOf(['a'], { budgetSeconds: 9 });
  const failureOf = async (/** @type {object} */ behaviour) => {
    const { trialsOf, words } = await conductFakes(config, SIDES, behaviour);
    assert.equal(words.filter((word) => word === 'start a-head').length, 1);
    assert.deepEqual(
      trialsOf('a', 1).map(({ failure }) => failure?.kind),
      ['cancelled'],
    );
    return trialsOf('a', 1)[0]?.failure?.message;
  };
  const checkSeconds = (/** @type {string} */ name) => (name === 'a-head' ? 60 : 0);
  assert.equal(
    await failureOf({ checkSeconds }),
    'the budget of 9 s ended before it had started and passed its check',
  );
});

test('a server that is still at work after its load is not asked again', async () => {
  const asked = async (/** @type {object} */ behaviour) => {
    let times = 0;
    await conductFakes(configOf(['a']), {}, { verify: () => times++, ...behaviour });
    return times;
  };
  assert.equal((await asked({})) - (await asked({ staysBusy: true })), 1);
});
