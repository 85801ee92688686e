/** Figures that runtimes report from inside the servers. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runtimeMetrics } from '../../scripts/report/document/inside.js';
import { renderHtml } from '../../scripts/report/page/page.js';
import { renderReport } from '../../scripts/report/render/markdown.js';
import { wordsIn } from '../../scripts/report/text/words.js';
import { markdownOf } from './parts.js';
import { sampleRun } from './sample.js';

/** @param {number} pauseMs @returns {import('../../scripts/types.js').Run} whose first case ran on a JVM */
function runOnJvm(pauseMs) {
  const run = sampleRun();
  const jvm = { metaspaceBytes: 22e6, threads: 85, classes: 9980, compileMs: 50 };
  const gc = { count: 4, pauseMs, longestMs: 12.5 };
  const [first, ...others] = run.cases;
  assert.ok(first);
  const trials = first.trials.map((trial) => ({
    ...trial,
    warmup: {
      level: true,
      windows: [4000, 9000, 16000].map((requests, at) => ({ at, seconds: 1, requests })),
    },
    windows: trial.windows.map((window) => ({ ...window, gc, heapBytes: 82e6, jvm })),
  }));
  return { ...run, cases: [{ ...first, trials }, ...others] };
}

/** @param {number} pauseMs */
function metricsOf(pauseMs) {
  return runtimeMetrics({ run: runOnJvm(pauseMs), comparison: undefined, words: wordsIn(), nameOf: String });
}

test('a JVM has its heap, collections, threads, classes and compilers; columns that nobody fills are left out', () => {
  const { blocks, standsOut } = metricsOf(20);
  const table = markdownOf(blocks);
  const [heads = [], , cells = [], ...more] = table
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()));
  assert.equal(more.length, 0, table);
  const row = Object.fromEntries(heads.map((head, index) => [head, cells[index]]));
  assert.deepEqual(
    [row['Heap MB'], row['Metaspace MB'], row.Threads, row.Classes, row['Longest GC ms']],
    ['82', '22', '85', '9,980', '12.5'],
  );
  assert.ok(!heads.some((head) => head.startsWith('Loop')), table);
  assert.equal(standsOut, false);
  assert.equal(metricsOf(5000).standsOut, true);
});

test('the length of the warm-up is printed, and its throughput is drawn', () => {
  assert.match(renderReport(runOnJvm(20)), /servers with JIT compilers warmed up for 3 s/);
  assert.ok(renderHtml(runOnJvm(20)).includes('Throughput while warming up'));
  assert.ok(!renderHtml(sampleRun()).includes('Throughput while warming up'));
});
