/** The picture that a run's page begins with: its data choose it. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderHtml } from '../../scripts/report/page/page.js';
import { ladder, runOf } from './built.js';

const RATES = [500, 1000, 1000, 900].map((rate) => [rate, rate + 1, rate + 2]);

/** The names of the overview's charts. @type {(page: string) => string[]} */
const charts = (page) =>
  [
    ...((page.split('id="overview"')[1] ?? '')
      .split('</section>')[0]
      ?.matchAll(/aria-label="([^"]*)">(?!<table)/gs) ?? []),
  ].flatMap(([, name = '']) => name);

test('a ladder of connections is a curve of throughput and one of latency, with published figures as a second line', () => {
  const published = {
    source: 'somewhere',
    conditions: 'another machine',
    loads: [20, 50, 100, 200].map((connections, nth) => ({
      load: { connections },
      throughput: [9000, 9600, 9500, 8300][nth] ?? 0,
    })),
  };
  const page = renderHtml(
    ladder(RATES, { windowOf: () => ({ latencyMs: { p50: 1, p99: 5 } }) }, { published }),
  );
  const [throughput = '', latency = '', ...more] = charts(page);
  assert.match(throughput, /^Throughput, req\/s, with 20 … 200 connections/);
  assert.match(latency, /^p99 latency, ms/);
  assert.deepEqual(
    more.filter((name) => /bars|Latency by/.test(name)),
    [],
  );
  assert.match(page, /published, drawn to the same height \(highest: 9,600 req\/s\)/);
  const lines = [...page.matchAll(/class="line thick (s0|aside)" d="(M[^"]*L[^"]*)"/g)];
  assert.deepEqual(
    lines.map(([, kind]) => kind),
    ['s0', 'aside', 's0'],
  );
  const heights = lines
    .slice(0, 2)
    .map(([, , path = '']) => Math.min(...path.split('L').map((point) => Number(point.split(',')[1]))));
  assert.equal(heights[0], heights[1], 'as high as the measured one');
  assert.match(page, /<title>50 connections: 1,001 \(/);
});

test('two servers on a ladder are two lines of two colours; two steps are bars', () => {
  const two = ['express', 'fastify'].flatMap((server) =>
    [20, 50, 100].map((connections, nth) => ({
      rates: RATES[nth] ?? [],
      conditions: { connections },
      facts: { server },
    })),
  );
  const page = renderHtml(runOf(two));
  const [chart = ''] = page.match(/<svg [^>]*aria-label="Throughput, req\/s, with.*?<\/svg>/) ?? [];
  assert.deepEqual(chart.match(/class="line thick s\d"/g), [
    'class="line thick s0"',
    'class="line thick s1"',
  ]);
  assert.match(charts(renderHtml(ladder(RATES.slice(0, 2)))).join(), /2 cases as bars/);
});

test('where keep-alive is on and off, on has one colour and off the other, beside each other for each tool', () => {
  const steps = [true, false].flatMap((keepAlive) =>
    ['ab', 'wrk'].map((tool, nth) => ({ rates: RATES[nth] ?? [], conditions: { tool, keepAlive } })),
  );
  const page = renderHtml(runOf(steps));
  const bars = [...page.matchAll(/class="bar (s\d)"[^>]*><title>([^:]*)/g)].map(([, kind, name]) => [
    kind,
    name,
  ]);
  assert.deepEqual(bars, [
    ['s0', 'ab, keep-alive on'],
    ['s1', 'ab, keep-alive off'],
    ['s0', 'wrk, keep-alive on'],
    ['s1', 'wrk, keep-alive off'],
  ]);
});

test('servers that were observed from inside have their memory and event-loop delay first', () => {
  const routes = ['/pipe', '/bad-case'].map((route, nth) => ({
    rates: RATES[nth] ?? [],
    facts: { route },
    windowOf: () => ({
      rssMeanBytes: (nth + 1) * 1e8,
      eventLoopDelayMs: { mean: 11, p50: 10, p99: 20 * (nth + 1), max: 50 },
    }),
  }));
  const shown = charts(renderHtml(runOf(routes)));
  assert.match(shown[0] ?? '', /^Mean memory, MB/);
  assert.match(shown[1] ?? '', /^Event-loop delay p99, ms/);
  assert.match(shown[2] ?? '', /^Throughput, req\/s/);
});
