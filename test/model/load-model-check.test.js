/** Whether a measurement keeps what its load promises. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { longQueue, missedRate, unexpectedInFlight } from '../../scripts/model/load-model-check.js';

const LOAD = { connections: 100, keepAlive: true, pipelining: 1 };

/**
 * @param {number} requests a second, in two windows of two starts
 * @param {number} [avg] milliseconds
 * @returns {import('../../scripts/types.js').Trial[]}
 */
const trials = (requests, avg) =>
  [0, 1].map((round) => {
    const window = { seconds: 1, requests, ...(avg !== undefined && { latencyMs: { avg } }) };
    return { round, failure: null, windows: [window, window] };
  });

test("Little's law: throughput times mean latency is the number of connections", () => {
  assert.equal(unexpectedInFlight(trials(10_000, 10), LOAD, 0), undefined);
  assert.equal(unexpectedInFlight(trials(10_000, 5), LOAD, 0), 50);
  assert.equal(unexpectedInFlight(trials(10_000, 20), LOAD, 0), 200);
});

test('pipelined requests are at once, too', () => {
  const inFlight = (/** @type {number} */ avg) =>
    unexpectedInFlight(trials(8000, avg), { ...LOAD, pipelining: 4 }, 0);
  assert.deepEqual([10, 50, 100].map(inFlight), [80, undefined, 800]);
});

test('a tool that counts whole milliseconds tells no less than its step allows', () => {
  assert.equal(unexpectedInFlight(trials(50_000, 1), LOAD, 1), undefined, 'from 50 to 100 at once');
  assert.equal(unexpectedInFlight(trials(50_000, 1), LOAD, 0), 50);
});

test('requests that a window cuts off are not held against it', () => {
  assert.equal(
    unexpectedInFlight(trials(100, 500), LOAD, 0),
    undefined,
    'as many again were under way at its end',
  );
  assert.equal(unexpectedInFlight(trials(100, 100), LOAD, 0), 10);
});

test('a long queue is told with the connections that are enough, unless they all are at work', () => {
  const seen = (/** @type {number} */ requests, /** @type {number} */ min) =>
    longQueue([{ round: 0, failure: null, windows: [{ seconds: 1, requests, latencyMs: { min } }] }], LOAD);
  assert.deepEqual(seen(40, 25), { waitSeconds: 2.5, enough: 8 });
  assert.deepEqual(seen(100, 100), { waitSeconds: 1, enough: 20 }, 'ten at once');
  assert.equal(seen(50_000, 0.1), undefined, 'a short wait');
  assert.equal(seen(100, 900), undefined, 'a server that waits itself');
});

test('nothing is said where the law says nothing', () => {
  for (const more of [{ keepAlive: false }, { rate: 5000 }])
    assert.equal(unexpectedInFlight(trials(10_000, 1), { ...LOAD, ...more }, 0), undefined);
  assert.equal(unexpectedInFlight(trials(10_000), LOAD, 0), undefined);
  assert.equal(unexpectedInFlight([], LOAD, 0), undefined);
});

test('a rate is missed where clearly fewer were answered; failed starts do not count', () => {
  const failure = { kind: /** @type {const} */ ('died-under-load'), message: '' };
  const failed = trials(0).map((trial) => ({ ...trial, failure }));
  assert.equal(missedRate(trials(4990), { rate: 5000 }), undefined);
  assert.equal(missedRate([...trials(3000), ...failed], { rate: 5000 }), 3000);
  assert.equal(missedRate(trials(9), { rate: 10 }), undefined, 'one request is no miss');
  assert.equal(missedRate(trials(10), {}), undefined);
});
