/** Limits in reports: a line each, the worst first, the machine, and the headline. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeGate, limitLines } from '../../scripts/github/action/gate.js';
import { renderBadge } from '../../scripts/report/badge.js';
import { renderHtml } from '../../scripts/report/page/page.js';
import { renderComment } from '../../scripts/report/render/comment.js';
import { renderReport } from '../../scripts/report/render/markdown.js';
import { renderTerminal } from '../../scripts/report/render/terminal.js';
import { sampleComparison, sampleRun } from './sample.js';

const run = sampleRun();
const [first, second] = run.cases;
/** @type {import('../../scripts/types.js').LimitResult[]} */
const LIMITS = [
  {
    case: first?.id ?? '',
    metric: 'memory',
    bound: 256e6,
    value: 8e7,
    interval: [7e7, 9e7],
    verdict: 'passes',
  },
  {
    case: second?.id ?? '',
    metric: 'p99',
    bound: 50,
    rate: 500,
    value: 71.2,
    interval: [64, 79],
    verdict: 'fails',
  },
  {
    case: first?.id ?? '',
    metric: 'throughput',
    bound: 9000,
    verdict: 'unsure',
    why: { code: 'not-measured' },
  },
];
/** @param {typeof LIMITS} limits */
const limited = (limits) => ({ ...run, limits });

test('every renderer prints the limits with the machine, the worst first', () => {
  const markdown = renderReport(limited(LIMITS));
  const lines = markdown.split('\n').filter((line) => /, limit at (most|least)/.test(line));
  assert.match(
    lines[0] ?? '',
    /p99 latency at 500 req\/s 71\.2 ms \(64 ms to 79 ms\), limit at most 50 ms: fails$/,
  );
  assert.match(lines[1] ?? '', /throughput, limit at least 9,000 req\/s: unsure, nothing was measured$/);
  assert.match(lines[2] ?? '', /memory 80 MB \(70 MB to 90 MB\), limit at most 256 MB: passes$/);
  const machine = /Limits are judged on this machine, \d+ cores? of \S/;
  for (const text of [
    markdown,
    renderTerminal(limited(LIMITS), {}),
    renderComment(limited(LIMITS), { key: 'perf' }),
    renderHtml(limited(LIMITS)),
  ])
    assert.match(text, machine);
});

test('the headline names what is beyond a limit before anything else', () => {
  const headOf = (/** @type {any} */ limits, options = {}) =>
    renderReport(limited(limits), options).split('\n')[0];
  const [passes, fails, unsure] = LIMITS;
  assert.match(headOf(LIMITS) ?? '', /^## 🔴 Beyond a limit: \S/);
  assert.match(headOf([passes, unsure]) ?? '', /^## 🟡 Unsure about a limit: \S/);
  assert.equal(headOf([passes]), '## 🟢 Within all limits');
  const comparison = sampleComparison();
  const compared = renderReport(run, { comparison }).split('\n')[0];
  assert.equal(headOf([passes], { comparison }), compared);
  assert.match(headOf([fails], { comparison }) ?? '', /^## 🔴 Beyond a limit: [^;]+; [a-z]/);
});

test('a run without limits says nothing of them', () => {
  assert.doesNotMatch(renderReport(run), /limits are judged/i);
});

test('a limit that fails is an annotation, closes the gate without a comparison, and colours the badge', () => {
  assert.deepEqual(limitLines(limited(LIMITS)).length, 1);
  const { level, lines } = judgeGate(1, { run: limited(LIMITS) });
  assert.equal(level, 'error');
  assert.match(lines[0]?.message ?? '', /limit at most 50 ms: fails$/);
  const accepted = judgeGate(1, { run: { ...limited(LIMITS), cases: [] } }, true);
  assert.deepEqual([accepted.level, accepted.lines.length], ['warning', 1]);
  assert.equal(renderBadge(limited(LIMITS)).color, 'red');
});
