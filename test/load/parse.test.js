/** The parsers against captured output of the real tools, odd ones included. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parseAb } from '../../scripts/load/tools/ab.js';
import { readAutocannon } from '../../scripts/load/tools/autocannon.js';
import { parseWrk } from '../../scripts/load/tools/wrk.js';

/** @param {string} text */
const parseAutocannon = (text) => readAutocannon(JSON.parse(text));

/** @param {string} name */
const captured = (name) => readFileSync(new URL(`../data/load/${name}`, import.meta.url), 'utf8');

test('wrk: microseconds, thousands and binary megabytes', () => {
  const text = captured('wrk-4.1-plain.txt');
  const { requests, bytes, seconds, latencyMs, errors } = parseWrk(text);
  assert.equal(requests, Number(/(\d+) requests in/.exec(text)?.[1]));
  assert.equal(bytes, Math.round(Number(/, ([\d.]+)MB read/.exec(text)?.[1]) * 1024 * 1024));
  assert.equal(seconds, Number(/requests in ([\d.]+)s/.exec(text)?.[1]));
  assert.deepEqual(errors, { timeouts: 0, connect: 0, read: 0, write: 0, non2xx: 0 });
  assert.equal(latencyMs?.p97_5, Number(/p97_5 (\d+)us/.exec(text)?.[1]) / 1000);
  const order = ['p2_5', 'p50', 'p75', 'p90', 'p95', 'p97_5', 'p99', 'p99_9', 'max'];
  const values = order.map((name) => latencyMs?.[/** @type {'p50'} */ (name)] ?? Number.NaN);
  assert.deepEqual(
    values,
    values.toSorted((a, b) => a - b),
    'percentiles rise',
  );
});

test('wrk: seconds become milliseconds', () => {
  const { latencyMs, bytes, requests } = parseWrk(captured('wrk-4.1-slow.txt'));
  assert.deepEqual(
    [latencyMs?.avg, latencyMs?.p50, latencyMs?.stdev, latencyMs?.max],
    [1500, 1500, 0.38372, 1500],
  );
  assert.deepEqual([requests, bytes], [5, 615]);
});

test('wrk: zero requests have no latency', () => {
  const window = parseWrk(captured('wrk-4.1-zero-requests.txt'));
  assert.equal(window.requests, 0);
  assert.equal('latencyMs' in window, false);
});

test('wrk: dropped connections and non-2xx answers are counted', () => {
  assert.equal(parseWrk(captured('wrk-4.1-dropped-connections.txt')).errors?.read, 13079);
  const text = captured('wrk-4.1-non-2xx.txt');
  assert.equal(parseWrk(text).errors?.non2xx, Number(/responses: (\d+)/.exec(text)?.[1]));
  assert.ok(Number(parseWrk(text).errors?.non2xx) > 0);
});

test('wrk: minutes, hours, kilobytes and gigabytes', () => {
  const text = `  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency     1.20m    12.50s     1.00h    94.52%
  Latency Distribution
     50%    1.10m
     99%  900.00ms
  3000000 requests in 1.50m, 2.50GB read
  Socket errors: connect 1, read 2, write 3, timeout 4
`;
  assert.deepEqual(parseWrk(text), {
    seconds: 90,
    requests: 3_000_000,
    bytes: 2.5 * 2 ** 30,
    errors: { connect: 1, read: 2, write: 3, timeouts: 4, non2xx: 0 },
    latencyMs: { avg: 72_000, stdev: 12_500, max: 3_600_000, p50: 66_000, p99: 900 },
  });
  assert.equal(parseWrk('  5 requests in 900.00ms, 1.50KB read\n').bytes, 1536);
});

test('autocannon: its own totals, percentiles and spreads', () => {
  const text = captured('autocannon-9-plain.json');
  const raw = JSON.parse(text);
  const window = parseAutocannon(text);
  assert.equal(window.requests, raw['2xx']);
  assert.equal(window.seconds, raw.duration);
  assert.equal(window.bytes, raw.throughput.total);
  assert.equal(window.latencyMs?.p97_5, raw.latency.p97_5);
  assert.equal(window.requestsPerSecond?.stdev, raw.requests.stddev);
});

test('autocannon: non-2xx answers, refused connections, timeouts', () => {
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

test('ab: totals, percentiles and what it does not tell', () => {
  const text = captured('ab-2.3-plain.txt');
  const { requests, bytes, latencyMs, errors } = parseAb(text);
  assert.equal(requests, Number(/Complete requests:\s+(\d+)/.exec(text)?.[1]));
  assert.equal(bytes, Number(/Total transferred:\s+(\d+)/.exec(text)?.[1]));
  assert.deepEqual(errors, { connect: 0, read: 0, write: 0, non2xx: 0 });
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
  assert.deepEqual([requests, errors?.read], [0, 76032]);
});

test('ab: non-2xx answers are counted', () => {
  const text = captured('ab-2.3-non-2xx.txt');
  assert.equal(parseAb(text).errors?.non2xx, Number(/Non-2xx responses:\s+(\d+)/.exec(text)?.[1]));
});

for (const parse of [parseWrk, parseAb, parseAutocannon]) {
  test(`${parse.name}: what is no report is refused`, () => {
    assert.throws(() => parse('unable to connect'));
    assert.throws(() => parse(''));
  });
}
