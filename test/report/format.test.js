/** Numbers, names and errors, and the format of another program. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderBenchmarkAction } from '../../scripts/report/render/benchmark-action.js';
import { errorText } from '../../scripts/report/document/tables.js';
import { isTooWide } from '../../scripts/report/text/format.js';
import { caseNames } from '../../scripts/report/text/names.js';
import { wordsIn } from '../../scripts/report/text/words.js';
import { sampleRun } from './sample.js';

const WORDS = wordsIn();
const { count, megabytes, microseconds, milliseconds, percent, portion, rate, multiple } = WORDS;

test('numbers are written with their units and as many digits as they need', () => {
  /** @type {[(value: number) => string, Record<string, number>][]} */
  const rows = [
    [rate, { '94,488': 94_488.4, 12.3: 12.34, 0: 0 }],
    [percent, { '−7.3 %': -7.25, '0.0 %': -0.01, '+5.0 %': 5 }],
    [milliseconds, { 0.12: 0.123, 12.3: 12.34, '1,235': 1234.5, 0.0042: 0.0042, 0: 0 }],
    [multiple, { '4.94x': 4.944, '1x': 1, '0.171x': 0.171, '12x': 12 }],
    [WORDS.size, { '99 %': -99.9, '30 %': -30.2, '3.2 %': 3.21, '100 %': -100 }],
    [megabytes, { 522: 522e6, 1.3: 1.26e6, 0.0009: 900, 0: 0 }],
    [portion, { '84 %': 0.844, '0.012 %': 0.00012, '0 %': 0 }],
    [microseconds, { 19.2: 19.21 }],
    [WORDS.duration, { '0.5 s': 0.5, '90 s': 90, '3 min': 150, '46 min': 2730, '2 h 5 min': 7500 }],
  ];
  for (const [format, texts] of rows) assert.deepEqual(Object.values(texts).map(format), Object.keys(texts));
  assert.equal(WORDS.interval([-9.5, 5]), '−9.5 to +5.0 %');
});

test('what is no number is shown as missing', () => {
  const odd = /** @type {any[]} */ ([Number.NaN, Number.POSITIVE_INFINITY, undefined, null, '<b>', {}]);
  for (const value of odd) {
    const texts = [rate, count, milliseconds, microseconds, megabytes].map((format) => format(value));
    assert.deepEqual([...new Set(texts)], ['–'], String(value));
  }
  assert.deepEqual([multiple(Number.NaN), portion(Number.NaN), percent(Number.NaN)], ['–x', '– %', '– %']);
});

test('an interval that excludes neither half nor double says nothing', () => {
  /** @type {[number, number, boolean][]} */
  const rows = [
    [-49, 300, false],
    [-90, 1, false],
    [-9.5, -5, false],
    [150, 240, false],
    [-99.8, 404, true],
    [-50, 100, true],
  ];
  for (const [low, high, isWide] of rows) assert.equal(isTooWide([low, high]), isWide, `${low} to ${high}`);
});

test('errors are listed by kind, even a kind that only another program knows', () => {
  /** @type {[any, string][]} */
  const rows = [
    [undefined, ''],
    [{}, ''],
    [{ timeouts: 0, non2xx: 0 }, '0'],
    [{ timeouts: 1, connect: 0, non2xx: 2000 }, '1 timeout, 2,000 wrong answers'],
    [{ timeouts: 0, resets: 3 }, '3 resets'],
  ];
  for (const [errors, text] of rows) assert.equal(errorText(errors, WORDS), text);
});

test('a case is named by its server, with its route and its load where these differ', () => {
  const [, express, fastify, limited] = sampleRun().cases;
  assert.ok(express && fastify && limited);
  const slow = { ...express, id: 'express /slow', route: '/slow' };
  const more = { ...limited, id: 'limited c500', load: { ...limited.load, connections: 500 } };
  const run = { cases: [express, fastify, limited, slow, more] };
  assert.deepEqual(
    run.cases.map(({ id }) => caseNames({ run }, WORDS)(id)),
    ['Express /', 'Fastify', 'Limited, 100 connections', 'Express /slow', 'Limited, 500 connections'],
  );
});

test('github-action-benchmark gets its custom format', () => {
  const { throughput, p99 } = renderBenchmarkAction(sampleRun());
  const [, { value = 0, ...rest } = assert.fail()] = throughput;
  assert.deepEqual([throughput.length, Math.round(value)], [4, 10_100]);
  const id = 'express / autocannon c100';
  assert.deepEqual(rest, { name: id, unit: 'req/s', range: '± 141', extra: '2 starts' });
  assert.deepEqual(p99[1], { name: `${id} p99`, unit: 'ms', value: 3 });
});
