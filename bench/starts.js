/**
 * How far the CPU time until ready of both sides differs from start to start, on any core and on one. Reads
 * the results of a comparison.
 *
 *     perf-action run --against self --servers fastify,express --routes / --rounds 12
 *     node bench/starts.js [perf-results]
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deviation, median } from 'd3-array';
import { markdownTable } from 'markdown-table';

const [, , results = 'perf-results'] = process.argv;
const [base, head] = ['base/run.json', 'run.json'].map(
  (file) => JSON.parse(readFileSync(join(results, file), 'utf8')).cases,
);
const rows = head.flatMap((/** @type {any} */ { id, trials }, /** @type {number} */ place) => {
  const pairs = trials.flatMap((/** @type {any} */ { startups = [] }, /** @type {number} */ round) =>
    startups.map((/** @type {any} */ startup, /** @type {number} */ start) => ({
      ...startup,
      pct: 100 * Math.log(startup.cpuMs / base[place].trials[round]?.startups?.[start]?.cpuMs),
    })),
  );
  return [undefined, true].map((sharesCore) => {
    const ofKind = pairs.filter((/** @type {any} */ pair) => pair.sharesCore === sharesCore);
    const of = (/** @type {string} */ key) => ofKind.map((/** @type {any} */ pair) => pair[key]);
    return [
      id,
      sharesCore ? 'one' : 'any',
      ofKind.length,
      `${Math.round(median(of('cpuMs')) ?? NaN)} ms`,
      `${deviation(of('pct'))?.toFixed(1)} %`,
    ];
  });
});
console.log(
  markdownTable(
    [['case', 'core', 'pairs', 'CPU until ready', 'standard deviation of differences'], ...rows].map((row) =>
      row.map(String),
    ),
    { align: ['l', 'l', 'r', 'r', 'r'] },
  ),
);
