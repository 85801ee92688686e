/** What was measured: the reports of load tools, run files, and what becomes of them. */

import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { compare } from '../../scripts/judge/compare.js';
import { requireWindow } from '../../scripts/load/read-window.js';
import { TOOLS } from '../../scripts/load/tools.js';
import { renderComment } from '../../scripts/report/render/comment.js';
import { renderHtml } from '../../scripts/report/page/page.js';
import { renderReport } from '../../scripts/report/render/markdown.js';
import { renderTerminal } from '../../scripts/report/render/terminal.js';
import { mergeRuns } from '../../scripts/store/merge.js';
import { readRun } from '../../scripts/store/run-file.js';
import { kindOf } from '../../scripts/store/json-file.js';
import { target } from '../load/target.js';
import { amount, anything, figure, holdsFor, MANY, mostly, odd, rightly } from './property.js';
import { scratchFolder } from '../scratch.js';

const dir = scratchFolder();

const RECORDED = fileURLToPath(new URL('../data/load/', import.meta.url));
const RULES = { margin: 0.05, failOn: /** @type {const} */ ('regressed') };
const isRun = kindOf('run.schema.json', '').check;
const isComparison = kindOf('comparison.schema.json', '', ['run.schema.json']).check;

/** @param {typeof mostly} some */
function runOf(some) {
  const window = some(
    {
      at: amount,
      seconds: fc.double({ min: 0.001, max: 100, noNaN: true }),
      requests: fc.nat(),
      bytes: amount,
      latencyMs: fc.dictionary(fc.oneof(fc.constantFrom('avg', 'p50', 'p99', 'max'), odd), amount, {
        maxKeys: 4,
      }),
      errors: fc.dictionary(fc.oneof(fc.constantFrom('timeouts', 'connect', 'non2xx'), odd), amount, {
        maxKeys: 3,
      }),
      cpu: some({ serverSeconds: amount, clientSeconds: amount, foreignShare: amount, stealShare: amount }),
      requestsPerSecond: fc.dictionary(fc.constantFrom('p1', 'avg', 'min'), amount),
      rssBytes: amount,
      others: fc.array(odd, { maxLength: 2 }),
    },
    ['seconds', 'requests'],
  );
  const trial = some(
    {
      round: fc.nat(5),
      startupMs: amount,
      shard: fc.nat(3),
      failure: fc.option(
        some(
          {
            kind: fc.oneof(fc.constant('never-ready'), odd),
            message: odd,
            logTail: fc.array(odd, { maxLength: 3 }),
          },
          ['kind', 'message'],
        ),
      ),
      windows: fc.array(window, { maxLength: 4 }),
      latencies: some(
        { us: fc.array(amount, { maxLength: 4 }), counts: fc.array(amount, { maxLength: 4 }) },
        ['us', 'counts'],
      ),
    },
    ['windows'],
  );
  const one = some(
    {
      id: fc.constantFrom('a', 'b', '__proto__', 'constructor', '::x'),
      server: odd,
      serverName: odd,
      route: odd,
      load: some({
        tool: odd,
        connections: fc.nat(),
        threads: fc.nat(),
        durationSeconds: amount,
        rate: amount,
      }),
      reference: fc.constant(true),
      instances: fc.nat(4),
      trials: fc.oneof(fc.array(trial, { maxLength: 5 }), fc.array(trial, { minLength: 6, maxLength: 12 })),
    },
    ['id', 'trials'],
  );
  return fc
    .record({
      schema: fc.constant('perf-action/run@1'),
      id: fc.constantFrom('x', 'y'),
      startedAt: fc.oneof(fc.constant('2026-01-01T00:00:00Z'), odd),
      environment: fc.record({ fingerprint: fc.constantFrom('f', 'g'), cores: fc.nat(64) }),
      cases: fc.array(one, { maxLength: 3 }),
      rest: some({
        session: fc.constant('s'),
        title: odd,
        seed: amount,
        shard: some(
          {
            index: fc.integer({ min: 1, max: 3 }),
            of: fc.constant(3),
            cases: fc.array(odd, { maxLength: 2 }),
          },
          ['index', 'of', 'cases'],
        ),
        against: odd,
        looks: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 2 }),
        relativeTo: odd,
        gate: some({ failed: fc.array(odd, { maxLength: 2 }) }, ['failed']),
        revision: some({ sha: odd, label: odd }),
        warnings: fc.array(some({ code: odd, message: odd, case: odd }, ['code']), { maxLength: 3 }),
        command: odd,
        published: fc.dictionary(odd, anything, { maxKeys: 3 }),
      }),
    })
    .map(({ rest, ...whole }) => ({ ...whole, ...rest }));
}
const run = fc.oneof(runOf(mostly), runOf(rightly));

/**
 * @param {string} file
 * @param {unknown} value
 */
async function asRead(file, value) {
  writeFileSync(join(dir, file), typeof value === 'string' ? value : JSON.stringify(value));
  return readRun(join(dir, file));
}

test('every run file is read and shown, or refused in one line', () =>
  holdsFor(fc.oneof({ arbitrary: run, weight: 9 }, { arbitrary: fc.string(), weight: 1 }), async (text) => {
    const read = await asRead('run.json', text);
    for (const render of [renderReport, renderHtml]) render(read, {});
    renderTerminal(read, {});
    renderComment(read, { key: 'perf' });
    mergeRuns([read]);
  }));

test('any two runs compare, and the schema knows what comes of it', () =>
  holdsFor(
    fc.oneof(fc.tuple(run, run), fc.tuple(runOf(rightly), runOf(rightly))),
    async ([first, second]) => {
      const [base, head] = [await asRead('base.json', first), await asRead('head.json', second)];
      const comparison = compare(base, head, RULES);
      assert.ok(isComparison(JSON.parse(JSON.stringify(comparison))), JSON.stringify(isComparison.errors[0]));
      renderReport(head, { comparison });
      renderTerminal(head, { comparison });
    },
  ));

const recorded = readdirSync(RECORDED).map((file) => readFileSync(join(RECORDED, file), 'utf8'));

/** A recorded report with parts of it replaced. */
const report = fc
  .tuple(
    fc.constantFrom(...recorded),
    fc.array(fc.tuple(fc.nat(), fc.nat(40), fc.oneof(odd, figure.map(String))), { maxLength: 4 }),
  )
  .map(([text, changes]) =>
    changes.reduce((now, [at, length, put]) => {
      const start = at % (now.length + 1);
      return now.slice(0, start) + put + now.slice(start + length);
    }, text),
  );
const result = mostly({
  duration: figure,
  requests: mostly({ total: figure, average: figure, stddev: figure, min: figure, p1: figure, p50: figure }),
  throughput: mostly({ total: figure, average: figure }),
  latency: mostly({ average: figure, p50: figure, p99: figure, max: figure }),
  latencies: mostly({ us: fc.array(figure, { maxLength: 3 }), counts: fc.array(figure, { maxLength: 3 }) }),
  errors: figure,
  timeouts: figure,
  non2xx: figure,
  statusCodeStats: mostly({ 200: mostly({ count: figure }) }),
});

for (const tool of TOOLS)
  test(`every report of ${tool.id} is a window that a run file may hold, or it is refused`, () =>
    holdsFor(
      fc.oneof(report, fc.string(), result),
      (said) => {
        let made;
        try {
          made = requireWindow('parse' in tool ? tool.parse(String(said)) : tool.read(said, target('')));
        } catch {
          // Whoever runs the tool makes a failure of whatever its reader throws.
          return;
        }
        const { latencies, ...window } = made;
        const trials = [{ windows: [window], ...(latencies && { latencies }) }];
        const file = {
          schema: 'perf-action/run@1',
          id: 'x',
          startedAt: 'x',
          environment: { fingerprint: 'f' },
        };
        const isRight = isRun(JSON.parse(JSON.stringify({ ...file, cases: [{ id: 'c', trials }] })));
        assert.ok(isRight, JSON.stringify(isRun.errors[0]));
      },
      MANY,
    ));
