/** The parsers against captured output of the real tools, odd ones included. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { sum } from 'd3-array';
import { parseAb } from '../../scripts/load/tools/ab.js';
import { readAutocannon } from '../../scripts/load/tools/autocannon.js';
import { parseK6 } from '../../scripts/load/tools/k6.js';
import { parseLocust } from '../../scripts/load/tools/locust.js';
import { parseWrk } from '../../scripts/load/tools/wrk.js';
import { requireWindow, withStalls } from '../../scripts/load/read-window.js';
import { latencyMsOf } from '../../scripts/samples/latencies.js';
import { target } from './target.js';

/** @param {string} text */
const parseAutocannon = (text) => readAutocannon(JSON.parse(text));

/** @param {string} name */
const captured = (name) => readFileSync(new URL(`../data/load/${name}`, import.meta.url), 'utf8');

/**
 * @param {string} text what wrk itself prints of a line, rounded
 * @param {RegExp} line
 */
const rounded = (text, line) => line.exec(text)?.slice(1).map(Number) ?? [];

test('wrk: figures are exact, of which its own report prints rounded ones', () => {
  const text = captured('wrk-4.1-plain.txt');
  const { requests, bytes = 0, seconds, latencyMs, errors } = parseWrk(text);
  const [count, duration, kilobytes] = rounded(text, /(\d+) requests in ([\d.]+)s, ([\d.]+)KB read/);
  assert.deepEqual(
    [requests, seconds.toFixed(2), (bytes / 1024).toFixed(2)],
    [count, String(duration), String(kilobytes)],
  );
  const latencies = [latencyMs?.avg, latencyMs?.stdev, latencyMs?.max].map((ms) => Number(ms?.toFixed(2)));
  assert.deepEqual(latencies, rounded(text, /Latency +([\d.]+)ms +([\d.]+)ms +([\d.]+)ms/));
  assert.deepEqual(errors, { timeouts: 0, connect: 0, write: 0, non2xx: 0 });
});

/** @param {import('../../scripts/types.js').LoadedWindow} window */
function percentilesOf({ latencies = { us: [], counts: [] } }) {
  return latencyMsOf(latencies);
}

test('wrk: every request has a latency, and its percentiles are those that wrk gives', () => {
  for (const name of ['plain', 'slow', 'pipelining', 'non-2xx']) {
    const text = captured(`wrk-4.1-${name}.txt`);
    const window = parseWrk(text);
    assert.equal(sum(window.latencies?.counts ?? []), window.requests);
    const { ranks } = JSON.parse(/^\{.*/m.exec(text)?.[0] ?? '').latencyUs;
    const percentiles = percentilesOf(window);
    for (const [rank, percentile] of /** @type {const} */ ([
      [250, 'p2_5'],
      [5000, 'p50'],
      [9000, 'p90'],
      [9900, 'p99'],
      [9990, 'p99_9'],
    ])) {
      const [, us] = ranks.find((/** @type {number[]} */ [known]) => known === rank);
      assert.equal(percentiles[percentile], us / 1000, `${percentile} of ${name}`);
    }
  }
});

test('wrk: slow answers are read, and none at all', () => {
  const slow = parseWrk(captured('wrk-4.1-slow.txt'));
  const { p50 } = percentilesOf(slow);
  assert.deepEqual([slow.requests, slow.bytes, p50, slow.latencyMs?.max], [5, 670, 1501.98, 1501.983]);
  const none = parseWrk(captured('wrk-4.1-zero-requests.txt'));
  assert.deepEqual([none.requests, 'latencyMs' in none, 'latencies' in none], [0, false, false]);
});

test('wrk: of pipelined requests it keeps the ends of the latencies alone, and no stall is inferred from the rest', () => {
  const asked = { ...target('', { connections: 10, pipelining: 4 }), seconds: 3 };
  const { latencies, latencyMs, errors } = withStalls(
    parseWrk(captured('wrk-4.1-pipelining-slow.txt'), asked),
    asked,
  );
  // Each answer took 500 ms; wrk prints a median of 0 and a mean of 173 ms.
  assert.deepEqual([latencies, latencyMs], [undefined, { min: 500.943, max: 564.014 }]);
  assert.deepEqual(errors, { timeouts: 0, connect: 0, write: 0, non2xx: 0 });
});

test('requests under way at the end of a window are kept where they are more than the answers', () => {
  const unanswered = (/** @type {object} */ window, /** @type {object} */ changes = {}) =>
    withStalls({ seconds: 6, requests: 1, latencyMs: { avg: 3000 }, ...window }, target('', changes))
      .unanswered;
  assert.equal(unanswered({ unansweredMs: [5900, 2900, 2900] }), 3);
  assert.equal(unanswered({ unansweredMs: [] }), undefined);
  assert.equal(unanswered({}, { tool: 'wrk' }), 4, 'each connection has one');
  assert.equal(unanswered({}, { tool: 'wrk', rate: 10 }), undefined, 'nobody knows');
  assert.equal(unanswered({ requests: 4 }, { tool: 'wrk' }), undefined);
  assert.equal(unanswered({ errors: { stalls: 2 } }), 2);
});

test('wrk: dropped connections and non-2xx answers are counted', () => {
  const dropped = captured('wrk-4.1-dropped-connections.txt');
  assert.equal(parseWrk(dropped).errors?.resets, Number(/read (\d+)/.exec(dropped)?.[1]));
  const text = captured('wrk-4.1-non-2xx.txt');
  assert.equal(parseWrk(text).errors?.non2xx, Number(/responses: (\d+)/.exec(text)?.[1]));
  assert.ok(Number(parseWrk(text).errors?.non2xx) > 0);
});

test('autocannon: its own totals, percentiles and spreads are read', () => {
  const text = captured('autocannon-9-plain.json');
  const raw = JSON.parse(text);
  const window = parseAutocannon(text);
  assert.equal(window.requests, raw['2xx']);
  assert.equal(window.seconds, raw.duration);
  assert.equal(window.bytes, raw.throughput.total);
  assert.equal(window.latencyMs?.p97_5, raw.latency.p97_5);
  assert.equal(window.requestsPerSecond?.stdev, raw.requests.stddev);
});

test('autocannon: a report that lacks the figures of its seconds is refused', () => {
  const { throughput, ...report } = JSON.parse(captured('autocannon-9-plain.json'));
  const { p1: _, ...others } = throughput;
  assert.throws(
    () => parseAutocannon(JSON.stringify({ ...report, throughput: others })),
    /lacks figures of its seconds/,
  );
});

test('autocannon: non-2xx answers, refused connections and timeouts are counted', () => {
  assert.equal(parseAutocannon(captured('autocannon-9-non-2xx.json')).errors?.non2xx, 11333);
  assert.deepEqual(parseAutocannon(captured('autocannon-9-refused.json')), {
    seconds: 1,
    requests: 0,
    bytes: 0,
    errors: { timeouts: 0, connect: 28700, non2xx: 0 },
  });
  assert.deepEqual(parseAutocannon(captured('autocannon-9-timeouts.json')).errors, {
    timeouts: 4,
    connect: 0,
    non2xx: 0,
  });
  assert.equal(parseAutocannon(captured('autocannon-9-zero-requests.json')).requests, 0);
});

test('ab: totals and percentiles are read, and what it does not report is absent', () => {
  const text = captured('ab-2.3-plain.txt');
  const { requests, bytes, latencyMs, errors } = parseAb(text);
  assert.equal(requests, Number(/Complete requests:\s+(\d+)/.exec(text)?.[1]));
  assert.equal(bytes, Number(/Total transferred:\s+(\d+)/.exec(text)?.[1]));
  assert.deepEqual(errors, { connect: 0, write: 0, non2xx: 0 });
  assert.equal(latencyMs?.p97_5, undefined);
  assert.deepEqual(parseAb(captured('ab-2.3-slow.txt')).latencyMs, {
    min: 1500,
    avg: 1501,
    stdev: 0.1,
    max: 1501,
    p50: 1501,
    p75: 1501,
    p90: 1501,
    p95: 1501,
    p99: 1501,
  });
});

test('ab: a refused connection is no request', () => {
  const { requests, errors } = parseAb(captured('ab-2.3-refused.txt'));
  assert.deepEqual([requests, errors?.resets], [0, 76032]);
});

/** @param {Record<string, number>} figures */
const abReport = ({ first, complete, length, bytes, body }) => `Document Length:        ${first} bytes
Time taken for tests:   2.000 seconds
Complete requests:      ${complete}
   (Connect: 0, Receive: 0, Length: ${length}, Exceptions: 0)
Total transferred:      ${bytes} bytes
HTML transferred:       ${body} bytes
`;

test('ab: a closed connection is no answer, which its bytes show', () => {
  for (const [title, figures, answered] of /** @type {const} */ ([
    ['equal answers', { first: 2, complete: 100, length: 98, bytes: 300, body: 4 }, 2],
    ['the first is not answered', { first: 0, complete: 100, length: 2, bytes: 300, body: 4 }, 2],
    ['answers of any length', { first: 7, complete: 100, length: 99, bytes: 15_000, body: 5000 }, 100],
    ['few answers of any length', { first: 7, complete: 100, length: 99, bytes: 300, body: 140 }, 10],
    ['answers without a body', { first: 0, complete: 100, length: 0, bytes: 7500, body: 0 }, 100],
    ['nothing but closed connections', { first: 0, complete: 100, length: 0, bytes: 0, body: 0 }, 0],
  ])) {
    const { requests, errors } = parseAb(abReport(figures));
    assert.deepEqual([requests, errors?.resets ?? 0], [answered, 100 - answered], title);
  }
});

test('ab: it ends without a report where all connections wait in vain', () => {
  const run = { stderr: 'apr_pollset_poll: The timeout specified has expired (70007)\n', seconds: 2 };
  assert.deepEqual(parseAb('Total of 17 requests completed\n', run), {
    seconds: 2,
    requests: 17,
    errors: {},
  });
});

test('ab: non-2xx answers are counted', () => {
  const text = captured('ab-2.3-non-2xx.txt');
  assert.equal(parseAb(text).errors?.non2xx, Number(/Non-2xx responses:\s+(\d+)/.exec(text)?.[1]));
});

test('k6: requests, percentiles, checks and the thresholds that were crossed are read', () => {
  const { requests, seconds, errors, latencyMs, thresholdsMissed } = parseK6(
    captured('k6-1.8-thresholds.json'),
  );
  assert.deepEqual([requests, seconds.toFixed(3)], [2459, '1.005']);
  assert.deepEqual(errors, { failed: 0, connect: 0, checks: 0 });
  assert.deepEqual([latencyMs?.p50, latencyMs?.p99_9], [2.555646, 51.448177022001154]);
  assert.deepEqual(thresholdsMissed, ['http_req_duration: p(95)<0.001']);
});

test("Locust: the master's figures are read, every request with its latency", () => {
  const text = captured('locust-2.47-processes.txt');
  const { requests, seconds, errors, latencies, peakRequestsPerSecond } = parseLocust(text);
  assert.deepEqual([requests, seconds.toFixed(2), errors], [8326, '2.81', { failed: 0 }]);
  assert.equal(sum(latencies?.counts ?? []), requests);
  assert.ok(Number(peakRequestsPerSecond) > requests / seconds);
  const lost = parseLocust(text, {
    stderr: "Worker 'a' failed to send heartbeat, setting state to missing.\n".repeat(2),
  });
  assert.equal(lost.workersLost, 1);
  const silent = parseLocust('[]\n[]\n', { seconds: 10 });
  assert.deepEqual([silent.requests, silent.seconds], [0, 10]);
});

for (const parse of [parseWrk, parseAb, parseAutocannon, parseK6, parseLocust]) {
  test(`${parse.name}: anything but a report is refused`, () => {
    assert.throws(() => parse('unable to connect'));
    assert.throws(() => parse(''));
  });
}

test('wrk: ranks that do not ascend would make negative counts, and are refused', () => {
  const [line = ''] = /^\{.*/m.exec(captured('wrk-4.1-plain.txt')) ?? [];
  const report = JSON.parse(line);
  assert.ok(requireWindow(parseWrk(line)).requests > 0);
  report.latencyUs.ranks.reverse();
  assert.throws(
    () => requireWindow(parseWrk(JSON.stringify(report))),
    /it reports -\d+ as its latencies\.counts/,
  );
  report.latencyUs.ranks.reverse()[0][1] = {};
  assert.throws(
    () => requireWindow(parseWrk(JSON.stringify(report))),
    /it reports \[object Object\] as its latencies\.us\.0/,
  );
});

test('wrk: a window that ended before it began shows that the clock was set', () => {
  const stepped = captured('wrk-4.1-plain.txt').replace(/"durationUs":/, '"durationUs":-');
  assert.throws(() => requireWindow(parseWrk(stepped)), { kind: 'clock-stepped' });
});
