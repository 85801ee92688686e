/**
 * What the figures of a run say, as sentences: what the intervals carry is said, nothing else.
 * @import { Run } from '../../scripts/types.js'
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { documentOf } from '../../scripts/report/document/document.js';
import { instanceBlocks, runtimeMetrics } from '../../scripts/report/document/server-tables.js';
import { insightsOf } from '../../scripts/report/document/insights.js';
import { publishedBlocks } from '../../scripts/report/document/published.js';
import { renderHtml } from '../../scripts/report/page/page.js';
import { wordsIn } from '../../scripts/report/text/words.js';
import { assertExcerpts, excerpt, markdownOf } from './excerpts.js';
import { ladder, runOf } from './built.js';
import { sampleRun } from './sample.js';

const WORDS = wordsIn();
const SAMPLE = sampleRun();

const STEPS = [
  [500, 501, 502],
  [1000, 1002, 1001],
  [1001, 1000, 1003],
  [900, 901, 899],
];

test('sentences', () => {
  /** The title first: it claims what a sentence supports, or nothing. */
  const said = (/** @type {Run} */ run) =>
    [`**${documentOf(run, {}).headline}**`, ...insightsOf(run, WORDS)].join('\n\n');
  const wild = [
    [500, 1500, 900],
    [1500, 500, 700],
    [900, 400, 1600],
    [300, 1500, 800],
  ];
  /** @param {{ server: number, client: number, cores?: number, foreign?: number }} used in cores */
  const using = ({ server, client, cores = 4, foreign: foreignShare = 0 }) => {
    const windowOf = (/** @type {number} */ round) => {
      const serverSeconds = server * (1 + round / 100);
      return { bytes: 2e6, cpu: { serverSeconds, clientSeconds: client, foreignShare, stealShare: 0 } };
    };
    const run = ladder(
      STEPS,
      { windowOf, facts: { clientCores: 1, serverCores: 1 } },
      { environment: { ...SAMPLE.environment, cores } },
    );
    return insightsOf(run, WORDS).find((text) => text.includes('the most is')) ?? '';
  };
  assertExcerpts('documents/sentences.md', {
    'the knee is where no later step adds more than five percent': said(ladder(STEPS)),
    'a knee that the intervals leave open is a range of steps': said(
      ladder([
        [500, 501, 502],
        [1000, 1000, 1000],
        [1000, 1060, 1120],
        [1060, 1060, 1060],
      ]),
    ),
    'wild figures say nothing of a knee': said(ladder(wild)),
    'a throughput that grows has no knee': said(
      ladder([
        [100, 101, 102],
        [200, 201, 202],
        [300, 301, 302],
        [400, 401, 402],
      ]),
    ),
    'one round says nothing of a knee': said(ladder([[500], [900], [900], [900]])),
    'two steps say nothing of a knee': said(ladder([[500], [900]])),
    'a new connection for every request costs a factor with its interval': said(
      runOf([
        { rates: [5000, 5010, 4990], conditions: { keepAlive: true } },
        { rates: [1000, 1001, 999], conditions: { keepAlive: false } },
      ]),
    ),
    'the server is the limit': using({ server: 0.96, client: 0.5, cores: 2, foreign: 0.25 }),
    'its processes are the limit': using({ server: 0.96, client: 0.5 }),
    'the load tool is the limit': using({ server: 0.5, client: 0.99 }),
    'the machine is the limit': using({ server: 0.4, client: 0.5, foreign: 0.75 }),
    'nothing is at its limit': using({ server: 0.4, client: 0.5 }),
  });
});

test('tables', () => {
  const cpu = { serverSeconds: 1.2, clientSeconds: 0.75, foreignShare: 0, stealShare: 0 };
  const instances = runOf(
    [1, 4].map((count) => ({
      rates: [100 * count, 101 * count, 102 * count],
      conditions: { instances: count },
      windowOf: (_, requests) => ({
        cpu,
        peakRequestsPerSecond: requests,
        errors: { non2xx: 3, timeouts: 2 },
        ...(count === 4 && { instanceSeconds: [0.6, 0.2, 0.2, 0.2] }),
      }),
    })),
  );
  const besides = (/** @type {string} */ relativeTo) =>
    runOf(
      [
        { rates: [1000, 1010, 990], conditions: { instances: 1 }, facts: { server: 'spring' } },
        { rates: [800, 805, 795], conditions: { instances: 1 }, facts: { server: 'nest' } },
        { rates: [1500, 1490, 1520], conditions: { instances: 2 }, facts: { server: 'nest' } },
      ],
      { relativeTo },
    );
  const published = {
    source: 'somewhere',
    conditions: 'another machine',
    loads: [990, 1000, 999, 800].map((throughput, place) => ({
      load: { connections: [20, 50, 100, 200][place] ?? 0 },
      throughput,
    })),
  };
  assertExcerpts('documents/more-tables.md', {
    'one server under several loads is one table, a row each': excerpt(
      ladder([
        [500, 501],
        [900, 901],
      ]),
      'allFigures',
    ),
    'a server that runs as one process is the yardstick of any number of instances': excerpt(
      besides('spring'),
      'allFigures',
    ),
    'a server with several counts of instances is the yardstick of each beside its own': excerpt(
      besides('nest'),
      'allFigures',
    ),
    'published loads are set beside ours, and what holds here is said': markdownOf(
      publishedBlocks(ladder([...STEPS.slice(0, 3), [500, 1000, 700]], {}, { published }), WORDS),
    ),
    'instances have a table': markdownOf(instanceBlocks(instances, WORDS)),
    'other loads have none': markdownOf(instanceBlocks(ladder([[1], [2], [3], [4]]), WORDS)),
    'a JVM has its heap, collections, threads, classes and compilers, and no columns of an event loop':
      markdownOf(metricsOf(20).blocks),
  });
  assert.deepEqual([metricsOf(20).standsOut, metricsOf(5000).standsOut], [false, true]);
});

test('the throughput of a warm-up is drawn', () => {
  assert.ok(renderHtml(onJvm(20)).includes('Throughput while warming up'));
  assert.ok(!renderHtml(SAMPLE).includes('Throughput while warming up'));
});

/**
 * @param {number} pauseMs
 * @returns {Run} whose first case ran on a JVM
 */
function onJvm(pauseMs) {
  const jvm = { metaspaceBytes: 22e6, threads: 85, classes: 9980, compileMs: 50 };
  const gc = { count: 4, pauseMs, longestMs: 12.5 };
  const warm = [4000, 9000, 16_000].map((requests, at) => ({ at, seconds: 1, requests }));
  const [first = assert.fail(), ...others] = SAMPLE.cases;
  const trials = first.trials.map((trial) => ({
    ...trial,
    warmup: { level: true, windows: warm },
    windows: trial.windows.map((window) => ({ ...window, gc, heapBytes: 82e6, jvm })),
  }));
  return { ...SAMPLE, cases: [{ ...first, trials }, ...others] };
}

/** @param {number} pauseMs */
const metricsOf = (pauseMs) =>
  runtimeMetrics({ run: onJvm(pauseMs), comparison: undefined, words: WORDS, nameOf: String });
