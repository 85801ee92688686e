import assert from 'node:assert/strict';
import { test } from 'node:test';
import { figureIn } from '../../scripts/samples/case-figures.js';
import { summarize } from '../../scripts/samples/summary.js';
import { LOAD, trial } from '../store/runs.js';

const OF = { load: LOAD };

/**
 * @param {number} serverSeconds
 * @param {number} clientSeconds
 */
const cpu = (serverSeconds, clientSeconds) => ({
  cpu: { serverSeconds, clientSeconds, foreignShare: 0.1, stealShare: 0 },
});

test('throughput is the geometric mean over starts, each all its requests over all its seconds', () => {
  const summary = summarize(
    [
      trial({}, { seconds: 1, requests: 100 }, { seconds: 3, requests: 500 }),
      trial({}, { seconds: 2, requests: 400 }),
    ],
    OF,
  );
  assert.ok(summary);
  assert.equal(summary.throughput.toFixed(6), Math.sqrt(150 * 200).toFixed(6));
  assert.equal(summary.throughputStdev, Math.sqrt((25 ** 2 + 25 ** 2) / 1));
  assert.deepEqual([summary.throughputMin, summary.throughputMax], [150, 200]);
  assert.deepEqual([summary.trials, summary.failed, summary.requests], [2, 0, 1000]);
});

test('what was not measured is absent', () => {
  assert.deepEqual(summarize([trial({}, { seconds: 2, requests: 10 })], OF), {
    trials: 1,
    failed: 0,
    throughput: 5,
    throughputMin: 5,
    throughputMax: 5,
    requests: 10,
  });
});

test('CPU per request is absent where a window ended with more requests under way than answers', () => {
  const of = (/** @type {object} */ more) =>
    summarize([trial({}, { seconds: 10, requests: 1, ...cpu(7.8, 0), ...more })], OF)?.cpuPerRequestUs;
  assert.deepEqual([of({ unanswered: 99 }), of({})], [undefined, 7_800_000]);
});

test('failed trials are counted and their figures are not', () => {
  const failure = { kind: /** @type {const} */ ('died-under-load'), message: 'gone' };
  const summary = summarize([trial(), trial({ failure }, { requests: 1, errors: { read: 9 } })], OF);
  assert.deepEqual(
    [summary?.trials, summary?.failed, summary?.requests, summary?.errors],
    [1, 1, 2000, undefined],
  );
  assert.equal(summarize([trial({ failure })], OF), undefined);
  assert.equal(summarize([], OF), undefined);
});

test('latency weighs windows by their requests and starts alike; extremes are the extremes of all', () => {
  const summary = summarize(
    [
      trial(
        {},
        { requests: 100, latencyMs: { p50: 10, p99: 50, min: 2, max: 90 } },
        { requests: 300, latencyMs: { p50: 2, p99: 10, min: 1, max: 40 } },
      ),
      trial({}, { requests: 5000, latencyMs: { p50: 6, p99: 40, min: 3, max: 60 } }),
    ],
    OF,
  );
  const { p50 = 0, p99 = 0, ...extremes } = summary?.latencyMs ?? {};
  assert.deepEqual(
    [p50.toFixed(6), p99.toFixed(6)],
    [Math.sqrt(4 * 6), Math.sqrt(20 * 40)].map((ms) => ms.toFixed(6)),
  );
  assert.deepEqual(extremes, { min: 1, max: 90 });
});

test('a percentile that one window lacks is absent', () => {
  const start = trial({}, { latencyMs: { p50: 1, p99: 2 } }, { latencyMs: { p50: 3 } });
  assert.equal(figureIn('p99', start.windows), undefined);
  assert.deepEqual(summarize([start], OF)?.latencyMs, { p50: 2 });
});

test('counts are sums, by kind; bytes only where every window has them', () => {
  const one = trial({}, { bytes: 10, errors: { timeouts: 1, non2xx: 0 } });
  const two = trial({}, { bytes: 5, errors: { timeouts: 2, read: 4 } });
  const both = summarize([one, two], OF);
  assert.equal(both?.bytes, 15);
  assert.deepEqual(both?.errors, { timeouts: 3, non2xx: 0, read: 4 });
  assert.equal(summarize([one, trial()], OF)?.bytes, undefined);
});

test('a second’s spread is the mean of the windows’', () => {
  const spread = { p1: 1, p2_5: 2, p50: 5, p97_5: 8, avg: 5, stdev: 1, min: 1 };
  const wider = { p1: 3, p2_5: 4, p50: 7, p97_5: 10, avg: 7, stdev: 3, min: 2 };
  const summary = summarize([trial({}, { requestsPerSecond: spread }, { requestsPerSecond: wider })], OF);
  assert.deepEqual(summary?.requestsPerSecond, {
    p1: 2,
    p2_5: 3,
    p50: 6,
    p97_5: 9,
    avg: 6,
    stdev: 2,
    min: 1,
  });
  assert.equal(summarize([trial({}, { requestsPerSecond: spread }, {})], OF)?.requestsPerSecond, undefined);
});

test('CPU a request and peak memory are geometric means over starts', () => {
  const summary = summarize(
    [
      trial({}, { ...cpu(0.02, 1), rssBytes: 50 }, { ...cpu(0.06, 1), rssBytes: 90 }),
      trial({}, { ...cpu(0.08, 1), rssBytes: 70 }),
    ],
    OF,
  );
  assert.equal(summary?.cpuPerRequestUs?.toFixed(6), Math.sqrt(20 * 40).toFixed(6));
  assert.equal(summary?.rssBytes?.toFixed(6), Math.sqrt(90 * 70).toFixed(6));
  assert.equal(summary?.foreignShare?.toFixed(3), '0.100');
  assert.equal(summary?.stealShare, 0);
});

test('there is no CPU a request without requests or without CPU', () => {
  assert.equal(figureIn('cpuPerRequest', trial({}, { requests: 0, ...cpu(1, 1) }).windows), undefined);
  assert.equal(figureIn('cpuPerRequest', trial({}, cpu(1, 1), {}).windows), undefined);
  assert.equal(figureIn('cpuPerRequest', []), undefined);
});

test('the client was the bottleneck where most starts found it at its limit and the server not', () => {
  const bound = trial({}, cpu(1.2, 1.95));
  const fine = trial({}, cpu(1.95, 1.95));
  const idle = trial({}, cpu(1.2, 1.2));
  assert.equal(summarize([bound, fine, bound], OF)?.clientBound, true);
  assert.equal(summarize([bound, fine, idle], OF)?.clientBound, undefined);
  assert.equal(summarize([bound, bound], { load: { ...LOAD, threads: 2 } })?.clientBound, undefined);
  assert.equal(summarize([bound, bound], { ...OF, clientCores: 2.5 })?.clientBound, undefined);
  assert.equal(
    summarize([bound, bound], { load: { ...LOAD, threads: 2 }, clientCores: 1 })?.clientBound,
    true,
  );
  assert.equal(summarize([trial()], OF)?.clientBound, undefined);
});

test('a server that could keep more cores busy was waiting for its client', () => {
  const [bound, fine] = [trial({}, cpu(3.1, 1.95)), trial({}, cpu(5.5, 1.95))];
  assert.equal(summarize([bound, bound], OF)?.clientBound, undefined);
  assert.equal(summarize([bound, bound], { ...OF, serverCores: 3 })?.clientBound, true);
  assert.equal(summarize([fine, fine], { ...OF, serverCores: 3 })?.clientBound, undefined);
});
