/**
 * How limits and capacities come out on this machine, again and again: a server at 90 % of its limit, which
 * must not fail, and the capacity of a server beside itself, which should be the same. Some 20 seconds and
 * five minutes each.
 *
 *     node bench/limits.js [--runs 20] [--only limit|capacity]
 */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { max, median, quantile } from 'd3-array';
import { markdownTable } from 'markdown-table';
import { stringify } from 'yaml';
import { perfAction } from './perf-action.js';

/** Some of a millisecond's work each, which the event loop does one after the other. */
const SERVER = `require('node:http').createServer((request, response) => {
  const end = performance.now() + 0.3;
  while (performance.now() < end);
  response.end('ok');
}).listen(process.env.PORT, process.env.HOST);
`;
const RATE = 500;
const { values } = parseArgs({
  options: { runs: { type: 'string', default: '20' }, only: { type: 'string' } },
});
const runs = Number(values.runs);

const folder = mkdtempSync(join(tmpdir(), 'perf-limits-'));
try {
  writeFileSync(join(folder, 'server.js'), SERVER);
  if (values.only !== 'capacity') await tryLimits();
  if (values.only !== 'limit') await tryCapacities();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function tryLimits() {
  const learned = [];
  for (let i = 0; i < 3; i++) learned.push((await judge(1000)).value);
  const bound = (median(learned) ?? 0) / 0.9;
  /** @type {{ value: number, verdict: string }[]} */
  const limits = [];
  for (let i = 0; i < runs; i++) limits.push(await judge(bound));
  const parts = limits.map(({ value }) => value / bound);
  print([
    ['limit of p99', 'runs', 'passes', 'unsure', 'fails', 'p99 as a part of the limit, median', 'highest'],
    [
      `${bound.toFixed(2)} ms at ${RATE}/s`,
      limits.length,
      ...['passes', 'unsure', 'fails'].map((verdict) => countOf(limits, verdict)),
      share(median(parts)),
      share(max(parts)),
    ],
  ]);
}

/**
 * @param {number} bound in ms
 * @returns {Promise<{ value: number, verdict: string }>}
 */
async function judge(bound) {
  await runWithLimit(`${bound}ms`, ['--duration', '2s', '--warmup', '1s', '--reference', 'off']);
  const { limits } = JSON.parse(readFileSync(join(folder, 'perf-results/run.json'), 'utf8'));
  return limits[0];
}

async function tryCapacities() {
  /** @type {{ off: number, rate: number, verdict: string }[]} */
  const found = [];
  for (let i = 0; i < runs; i++) {
    const output = await runWithLimit('20ms', ['--capacity', '--against', 'self', '--json']);
    const { head, base, compared } = JSON.parse(output);
    found.push({ off: Math.abs(head.rate / base.rate - 1), rate: head.rate, verdict: compared.verdict });
    process.stderr.write(`${JSON.stringify(found.at(-1))}\n`);
  }
  const offs = found.map(({ off }) => off);
  print([
    [
      'capacity, p99 of 20 ms',
      'runs',
      'same',
      'unsure',
      'changed',
      'head from base, median',
      '95 of 100',
      'within 5 %',
    ],
    [
      `${Math.round(median(found, ({ rate }) => rate) ?? 0)}/s`,
      found.length,
      ...['same', 'unsure'].map((verdict) => countOf(found, verdict)),
      countOf(found, 'regressed') + countOf(found, 'improved'),
      share(median(offs)),
      share(quantile(offs, 0.95)),
      offs.filter((off) => off <= 0.05).length,
    ],
  ]);
}

/** What it printed. @type {(p99: string, options: string[]) => Promise<string>} */
async function runWithLimit(p99, options) {
  const server = { id: 'busy', folder: '.', start: 'node server.js', routes: [{ path: '/' }] };
  writeFileSync(join(folder, 'perf.yml'), stringify({ servers: [server], limits: { p99, at: `${RATE}/s` } }));
  return perfAction(folder, ['run', '--fail-on', 'never', ...options]);
}

/**
 * @param {{ verdict: string }[]} outcomes
 * @param {string} verdict
 */
function countOf(outcomes, verdict) {
  return outcomes.filter((outcome) => outcome.verdict === verdict).length;
}

/** @param {number | undefined} part */
function share(part = Number.NaN) {
  return `${(100 * part).toFixed(1)} %`;
}

/** @param {unknown[][]} rows */
function print(rows) {
  console.log(`${markdownTable(rows.map((row) => row.map(String)))}\n`);
}
