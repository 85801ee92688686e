/**
 * A report has one figure for one thing: what it says in several places agrees, also where the starts of a
 * case differ.
 * @import { Latencies, Load, Run, RunCase, Trial, Window } from '../../scripts/types.js'
 * @import { Block } from '../../scripts/report/document/blocks.js'
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compare } from '../../scripts/judge/compare.js';
import { documentOf } from '../../scripts/report/document/document.js';
import { latencyMsOf } from '../../scripts/samples/latencies.js';
import { summarize } from '../../scripts/samples/summary.js';
import { caseOf, runOf } from '../judge/runs.js';

/** Rates of starts on a machine that was twice as fast for some of them. */
const RATES = [1000, 1100, 2050, 2000, 980, 1040];
/**
 * Most requests take some ms, some wait: in each start others.
 * @type {(ms: number, share: number) => Latencies}
 */
const latenciesOf = (ms, share) => ({
  us: [ms, 2 * ms, 4 * ms, 9 * ms].map((value) => 1000 * value),
  counts: [1000 * (1 - share), 600 * share, 300 * share, 100 * share],
});

/**
 * @type {(round: number, rate: number, more?: { latencies?: Latencies, window?: Partial<Window> }) => Trial}
 */
function startOf(round, rate, { latencies, window } = {}) {
  const cpu = { serverSeconds: 0.9, clientSeconds: 0.4, foreignShare: 0, stealShare: 0 };
  const latencyMs = latencies && { ...latencyMsOf(latencies), max: (latencies.us.at(-1) ?? 0) / 1000 };
  const measured = {
    at: 10 * round,
    seconds: 1,
    requests: rate,
    cpu,
    ...(latencyMs && { latencyMs }),
    ...window,
  };
  return { round, failure: null, windows: [measured], ...(latencies && { latencies }) };
}

/**
 * @param {string} id
 * @param {(rate: number, round: number) => number} [rateOf] of a start
 * @param {Partial<Load>} [load]
 * @returns {RunCase}
 */
const ofRates = (id, rateOf = (rate) => rate, load = {}) =>
  measured(
    id,
    RATES.map((rate, round) => startOf(round, rateOf(rate, round))),
    load,
  );

/** @type {(id: string, trials: Trial[], load?: Partial<Load>) => RunCase} */
function measured(id, trials, load) {
  const runCase = caseOf(id, trials);
  const whole = { ...runCase, load: { ...runCase.load, ...load } };
  const summary = summarize(trials, whole);
  return { ...whole, ...(summary && { summary }) };
}

/**
 * @param {Run} run
 * @param {string} id of a part
 * @param {import('../../scripts/report/document/document.js').Options} [options]
 */
const blocksOf = (run, id, options = {}) =>
  documentOf(run, options).parts.find((part) => part.id === id)?.blocks ?? [];

/**
 * @param {Run} run
 * @param {string} id
 * @param {import('../../scripts/report/document/document.js').Options} [options]
 * @returns {Record<string, string>[]} rows by heading
 */
const rowsOf = (run, id, options) => rowsIn(blocksOf(run, id, options));

/** @type {(blocks: Block[]) => Record<string, string>[]} */
const rowsIn = (blocks) =>
  blocks.flatMap((block) =>
    block.kind !== 'table'
      ? []
      : (block.columns[0]?.cells ?? []).map((_, row) =>
          Object.fromEntries(block.columns.map(({ head, cells }) => [head, cells[row] ?? ''])),
        ),
  );

/** Of numbers with three digits. */
const ROUNDING = 0.005;

/**
 * @param {Run} run
 * @param {string} id
 * @param {import('../../scripts/report/document/document.js').Options} [options]
 * @returns {string}
 */
const textOf = (run, id, options = {}) => JSON.stringify(blocksOf(run, id, options));

/** The first number in it. @type {(text: string | undefined) => number} */
const numberIn = (text) => Number(/[\d,.]+/.exec(text ?? '')?.[0].replaceAll(',', ''));

/** @param {number} slow the factor of every second start */
const withTails = (slow) =>
  measured(
    'api',
    RATES.map((rate, round) =>
      startOf(round, rate, {
        latencies: latenciesOf(round % 2 === 0 ? 1 : slow, round % 3 === 0 ? 0.2 : 0.03),
      }),
    ),
  );

test('in a comparison, no percentile of a row is below a smaller one', () => {
  const [base, head] = [runOf([withTails(9)]), runOf([withTails(12)])];
  const comparison = compare(base, head);
  const rows = rowsOf(head, 'allFigures', { comparison, base });
  assert.equal(rows.length, 1);
  for (const side of [0, 1]) {
    const percentiles = ['p50', 'p95', 'p97.5', 'p99', 'Max'].map((name) =>
      numberIn(rows[0]?.[name]?.split(' → ')[side]),
    );
    assert.deepEqual(
      percentiles,
      percentiles.toSorted((a, b) => a - b),
    );
  }
  const [fold] = blocksOf(head, 'boxes');
  const [box] = fold?.kind === 'fold' ? rowsIn(fold.blocks) : [];
  assert.equal(box?.['99%'], rows[0]?.p99?.split(' → ')[1], 'the statistics of the case say the same');
});

test('a row has base and head in one cell, the same as in what was compared', () => {
  const { cases: base } = runOf([ofRates('api')]);
  const head = runOf([ofRates('api', (rate, round) => rate * (round % 2 === 0 ? 0.6 : 0.7))]);
  const options = { base: runOf(base), comparison: compare(runOf(base), head) };
  const compared = ['Throughput', 'CPU per request'].map((metric) => {
    const change = rowsOf(head, 'compared', options).find(({ Metric }) => Metric === metric);
    return [change?.Base, change?.Head].map((size) => size?.replace(/ (req\/s|µs)$/, '')).join(' → ');
  });
  for (const part of ['figures', 'allFigures']) {
    const [row] = rowsOf(head, part, options);
    assert.deepEqual([row?.['Req/s'], row?.['CPU µs/req'] ?? compared[1]], compared);
    assert.match(textOf(head, part, options), /\(closed loop; base → head\)/);
    // Of days that are apart, the comparison is relative to the reference.
    const stored = {
      ...options,
      comparison: { ...options.comparison, method: /** @type {const} */ ('stored') },
    };
    assert.doesNotMatch(textOf(head, part, stored), /→/);
  }
});

test('the title of a table names its only server, and rows name routes', () => {
  const [items, orders] = ['/items', '/orders'].map((route) => ({
    ...ofRates('api', Number),
    id: route,
    route,
  }));
  assert.ok(items && orders);
  const rows = rowsOf(runOf([items, orders]), 'figures');
  assert.deepEqual(
    rows.map((row) => Object.keys(row)[0]),
    ['Route', 'Route'],
  );
  assert.match(textOf(runOf([items, orders]), 'figures'), /"title":"api, wrk, /);
  const others = [items, { ...orders, serverName: 'shop' }];
  assert.equal(Object.keys(rowsOf(runOf(others), 'figures')[0] ?? {})[0], 'Server');
});

test('the figure of a case is the same in the table of instances', () => {
  const cases = [1, 2].map((instances) => ({
    ...ofRates(`api x${instances}`, (rate) => rate * instances),
    server: 'api',
    instances,
  }));
  const run = runOf(cases);
  const [rows, instances] = [rowsOf(run, 'allFigures'), rowsOf(run, 'instances')];
  assert.equal(instances.length, 2);
  for (const [place, row] of instances.entries()) {
    assert.equal(row.TPS, rows[place]?.['Req/s']?.split(' ')[0]);
    assert.equal(row['CPU µs/req'], rows[place]?.['CPU µs/req']);
  }
});

test('the ratio of two servers is the quotient of the rates beside it', () => {
  const cases = [ofRates('fast', (rate, round) => 5 * rate * (round === 2 ? 0.5 : 1)), ofRates('slow')];
  const run = { ...runOf(cases), relativeTo: 'slow' };
  const [fast, slow] = rowsOf(run, 'allFigures');
  const ratio = numberIn(fast?.['Req/s']) / numberIn(slow?.['Req/s']);
  assert.ok(Math.abs(numberIn(fast?.Ratio) / ratio - 1) < ROUNDING, `${fast?.Ratio} is not ${ratio}`);
});

test('the share of the reference is to its figure on the same route', () => {
  const on = (/** @type {string} */ server, /** @type {string} */ route, /** @type {number} */ factor) => ({
    ...ofRates(`${server} ${route}`, (rate) => factor * rate),
    ...{ server, serverName: server, route },
    ...(server === 'gauge' && { reference: /** @type {const} */ (true) }),
  });
  const pairs = [on('gauge', '/', 10), on('gauge', '/json', 4), on('api', '/', 5), on('api', '/json', 3)];
  const shares = rowsOf(runOf(pairs), 'allFigures').map((row) => [row.Server, row.Route, row['of gauge']]);
  assert.deepEqual(shares, [
    ['api', '/', '50 %'],
    ['api', '/json', '75 %'],
    ['gauge (reference)', '/', ''],
    ['gauge (reference)', '/json', ''],
  ]);
});

test('the factor of keep-alive is the quotient of the rates before it', () => {
  const run = runOf([
    ofRates('api', (rate, round) => rate * (round === 0 ? 9 : 4)),
    {
      ...measured(
        'api off',
        RATES.map((rate, round) => startOf(round, rate)),
        { keepAlive: false },
      ),
      server: 'api',
    },
  ]);
  const said = /([\d,]+) req\/s with keep-alive, ([\d,]+) req\/s with a new.*a factor of ([\d.]+)/.exec(
    textOf(run, 'insights'),
  );
  assert.ok(said);
  const [on, off, factor] = said.slice(1).map(numberIn);
  const ratio = (on ?? 0) / (off ?? 1);
  assert.ok(Math.abs((factor ?? 0) / ratio - 1) < ROUNDING, `${factor} is not ${ratio}`);
});

test('a throughput lies within the interval that is printed with it', () => {
  const steps = [1, 10, 100].map((connections) => ({
    ...measured(
      `api c${connections}`,
      [1000, 1001, 999, 1002, 998, 1000, 1001, 9000].map((rate, round) => startOf(round, rate * connections)),
      { connections },
    ),
    server: 'api',
  }));
  const said = /the most is ([\d,]+) req\/s \(([\d,]+) to ([\d,]+)\)/.exec(textOf(runOf(steps), 'insights'));
  assert.ok(said);
  const [value = NaN, low = NaN, high = NaN] = said.slice(1).map(numberIn);
  assert.ok(low <= value && value <= high, `${low} to ${high} without ${value}`);
});

test('what follows ± is half the interval of the mean, and a note says so', () => {
  const run = runOf([ofRates('api')]);
  const [row] = rowsOf(run, 'figures');
  const spread = /^1,289 ± ([\d,]+)$/.exec(row?.['Req/s'] ?? '');
  assert.ok(spread, row?.['Req/s']);
  // Of the logarithms: t = 2.5706 with 5 degrees of freedom, standard error 0.14364.
  const half = (1289 * (Math.exp(2.5706 * 0.14364) - Math.exp(-2.5706 * 0.14364))) / 2;
  assert.ok(Math.abs(numberIn(spread[1]) - half) < 10, `${spread[1]} is not ${half}`);
  assert.match(textOf(run, 'notes'), /±: half the 95 % confidence interval/);
});
