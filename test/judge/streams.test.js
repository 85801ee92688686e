/** Base against head of a route that streams. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decidedCases } from '../../scripts/judge/alpha-spending.js';
import { compare } from '../../scripts/judge/compare.js';
import { renderReport } from '../../scripts/report/render/markdown.js';
import { caseOf, runOf, seededNormal, startsOf } from './runs.js';

/**
 * @param {{ firstByte: number, gap?: number, level?: number, starts?: number, random: () => number }} side in
 *   ms, and requests a second
 */
function sideOf({ firstByte, gap = 20, level = 40, starts = 8, random }) {
  const about = (/** @type {number} */ ms) => ms * Math.exp(0.01 * random());
  const trials = startsOf({ level, noise: 0.01, starts, random }).map((trial) => ({
    ...trial,
    windows: trial.windows.map((window) => ({
      ...window,
      firstByteMs: { p50: about(firstByte), p99: about(1.2 * firstByte) },
      longestGapMs: { p50: about(gap), p99: about(1.2 * gap) },
    })),
  }));
  const made = caseOf('api', trials);
  return runOf([{ ...made, request: { method: 'GET', path: '/', headers: {}, stream: true } }]);
}

/**
 * @param {object} base
 * @param {object} head
 */
function comparedOf(base, head) {
  const random = seededNormal(3);
  const [before, after] = [
    sideOf({ firstByte: 50, random, ...base }),
    sideOf({ firstByte: 50, random, ...head }),
  ];
  return { after, comparison: compare(before, after) };
}

test('the first byte decides, at the same throughput, and is called so', () => {
  const { after, comparison } = comparedOf({}, { firstByte: 60 });
  const [compared] = comparison.cases;
  assert.deepEqual([compared?.verdict, compared?.decisive], ['regressed', 'firstByteP50']);
  assert.equal(compared?.metrics.find(({ metric }) => metric === 'throughput')?.verdict, 'same');
  const report = renderReport(after, { comparison });
  assert.match(report, /- \*\*api\*\*: first byte p50 regressed: [\d.]+ ms → [\d.]+ ms, \+2\d/i);
  assert.match(report, /\| First byte p50 ms \| First byte p99 \| Longest gap p50 ms/);
});

test('a longer gap is a regression, too, and named before the throughput that it costs', () => {
  const [compared] = comparedOf({}, { gap: 30, level: 30 }).comparison.cases;
  assert.deepEqual([compared?.verdict, compared?.decisive], ['regressed', 'longestGapP50']);
});

test('a throughput that is the same decides nothing: a case stays open until its first byte is known', () => {
  const { comparison } = comparedOf({}, {});
  assert.deepEqual([comparison.verdict, decidedCases(comparison).size], ['same', 1]);
  const early = comparedOf({ starts: 2 }, { starts: 2 }).comparison;
  assert.deepEqual([early.verdict, decidedCases(early).size], ['unsure', 0]);
});

test('against a stored run, a first byte is compared although the reference streams nothing', () => {
  const random = seededNormal(4);
  const ofDay = (/** @type {string} */ session, /** @type {number} */ firstByte) => {
    const { cases } = sideOf({ firstByte, random });
    const gauge = caseOf('gauge', startsOf({ level: 1000, noise: 0.01, starts: 8, random }));
    return { ...runOf([{ ...gauge, reference: true }, ...cases], { session }), id: session };
  };
  const [compared] = compare(ofDay('yesterday', 50), ofDay('today', 500)).cases;
  const { verdict, effectPct } = compared?.metrics.find(({ metric }) => metric === 'firstByteP50') ?? {};
  assert.equal(verdict, 'regressed');
  assert.ok(Number(effectPct) > 800, `${effectPct}`);
});
