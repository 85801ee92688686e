/** Each published experiment is one command, and its table comes filled. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { ROOT } from './tools.js';

/** Without it, what takes minutes is cut to its shortest. */
const IS_WHOLE = process.env.PERF_TEST_ALL === '1';

/**
 * What each one's tables must have a figure under, in every row; and what its sentences must tell. flags: beside the usual ones;
 * instances: rows of that table.
 * @type {Record<string, { rows: number, columns: string[], felt: number, says: RegExp[], scale?: string, rounds?: string, skip?: boolean, flags?: string[], instances?: number }>}
 */
const PROFILES = {
  frameworks: {
    ...(IS_WHOLE ? { rows: 5 } : { rows: 2, rounds: '1', flags: ['--servers', 'express'] }),
    columns: ['Avg ms', 'p99', 'Req/s', 'Requests', 'MB read', 'Errors', 'of node:http', 'Ratio'],
    felt: 0,
    says: [/Express[ |]+18,592 /],
  },
  ladder: {
    rows: 4,
    columns: ['Req/s', 'p50', 'p95', 'Errors'],
    felt: 0,
    says: [/throughput (stops growing|grows)/],
  },
  keepalive: {
    rows: 4,
    columns: ['Req/s', 'Errors'],
    felt: 0,
    says: [/ab, 200 connections: .* a factor/, /wrk, 200 connections: .* a factor/],
  },
  limit: {
    ...(IS_WHOLE ? { rows: 9 } : { rows: 3, flags: ['--connections', '8,32,128'] }),
    columns: ['Req/s', 'p50', 'p95', 'Errors'],
    felt: 0,
    says: [
      /throughput (stops growing|grows)/,
      /the most is [\d,]+ req\/s \([\d,]+ to [\d,]+\), with \d+ connections?; .*% CPU|limit/,
    ],
  },
  scenarios: {
    ...(IS_WHOLE ? { rows: 5 } : { rows: 3, flags: ['--servers', 'express'] }),
    columns: ['Req/s', 'p50', 'Errors'],
    felt: 0,
    says: [/a factor of/],
    rounds: '1',
  },
  backpressure: { rows: 4, columns: ['Req/s', 'p50', 'p95', 'Errors'], felt: 4, says: [] },
  // Maven's downloads and the JVMs' warm-up: with `scripts/test --all`.
  'jvm-redis': {
    rows: 10,
    columns: ['Avg ms', 'Max', 'Req/s', 'Requests', 'MB read', 'Errors'],
    felt: 7,
    says: [],
    scale: '0.03',
    rounds: '1',
    skip: !IS_WHOLE,
  },
  'spring-vs-nest': {
    rows: 3,
    columns: ['Req/s', 'Errors', 'CPU µs/req', 'Ratio'],
    felt: 0,
    says: [],
    skip: !IS_WHOLE,
  },
  quick: { rows: 5, columns: ['Req/s', 'Errors', 'Ratio'], felt: 0, says: [], skip: !IS_WHOLE },
  // Composer's registry is not reached everywhere.
  'webman-gin': {
    rows: 3,
    columns: ['Req/s', 'Errors', 'CPU µs/req'],
    felt: 0,
    says: [],
    rounds: '1',
    flags: ['--servers', 'gin'],
    skip: !IS_WHOLE,
  },
  // Without what Maven downloads, unless with --all.
  'data-access': {
    ...(IS_WHOLE
      ? { rows: 7, felt: 2 }
      : { rows: 5, felt: 0, flags: ['--servers', 'pg,pg-prepared,kysely,drizzle,typeorm'] }),
    columns: ['Avg ms', 'Req/s', 'Errors', 'CPU µs/req', 'Ratio'],
    says: [
      // A ratio too unsure to say anything is left out beside its name.
      /Throughput compared with pg \(\/row, .*Kysely/,
      /Kysely[ |]+9,400 .*published 0\.53x pg, here [\d.]+x/,
      /TypeORM[ |]+7,200 /,
    ],
  },
  proxy: {
    ...(IS_WHOLE ? { rows: 8 } : { rows: 4, rounds: '1', flags: ['--keep-alive', 'true'] }),
    columns: ['Req/s', 'Errors', 'CPU µs/req'],
    felt: 0,
    says: [
      /100 connections: direct [\d,]+ req\/s, .*; nginx [\d,]+ req\/s \(.*https\+nginx [\d,]+ req\/s .* before it/,
    ],
  },
  processes: {
    ...(IS_WHOLE
      ? { rows: 3, instances: 6 }
      : { rows: 2, instances: 4, rounds: '1', flags: ['--instances', '1x,2x'] }),
    columns: ['Req/s', 'Errors', 'CPU µs/req'],
    felt: 0,
    says: [/\/db, wrk, .* its services [\d.]+, the load tool [\d.]+ .* of the machine’s \d+ cores/],
  },
  cluster: {
    ...(IS_WHOLE
      ? { rows: 4, instances: 4 }
      : { rows: 2, instances: 2, rounds: '1', flags: ['--instances', '1,5'] }),
    columns: ['Req/s', 'Errors', 'CPU µs/req'],
    felt: 0,
    says: [/with (5|15) instances, the server uses/, /1 instance[ |]+2,016/],
  },
};

for (const [
  id,
  { rows, columns, felt, says, rounds = '2', scale = '0.1', skip = false, flags = [], instances = 0 },
] of Object.entries(PROFILES)) {
  test(`scripts/bench --preset ${id} --scale ${scale} fills its table`, { skip }, async () => {
    const out = mkdtempSync(join(tmpdir(), `perf-preset-${id}-`));
    try {
      const args = [
        '--preset',
        id,
        '--scale',
        scale,
        '--rounds',
        rounds,
        '--baseline',
        '',
        '--out',
        out,
        ...flags,
      ];
      const { stdout } = await promisify(execFile)(join(ROOT, 'scripts/bench'), args, { cwd: tmpdir() });
      const report = readFileSync(join(out, 'report.md'), 'utf8');
      const filled = tableRows(report, 'Errors');
      assert.equal(filled.length, rows, report);
      for (const column of columns)
        for (const row of filled)
          assert.match(row[column] ?? '', /^[\d,.]/, `${column} of ${JSON.stringify(row)}`);
      const told = felt > 0 ? tableRows(report, 'Longest GC') : [];
      assert.equal(told.length, felt, report);
      for (const { Server: _, '': _edge, ...row } of told)
        for (const [name, text] of Object.entries(row)) assert.match(text, /^[+−]?[\d,.]/, name);
      const counted = instances > 0 ? tableRows(report, 'Peak TPS') : [];
      assert.equal(counted.length, instances, report);
      for (const row of counted)
        for (const name of ['TPS', 'Peak TPS', 'Executed', 'Successful', 'Errors', 'CPU cores', 'Memory MB'])
          assert.match(row[name] ?? '', /^[\d,.]/, name);
      for (const sentence of says) assert.match(stdout, sentence);
      const { cases } = JSON.parse(readFileSync(join(out, 'run.json'), 'utf8'));
      for (const { trials } of cases)
        for (const { failure } of trials) assert.equal(failure, null, JSON.stringify(failure));
    } finally {
      rmSync(out, { recursive: true });
    }
  });
}

/**
 * @param {string} report
 * @param {string} heading
 * @returns {Record<string, string>[]} the rows of the first table with it, by heading
 */
function tableRows(report, heading) {
  const lines = report.split('\n');
  const first = lines.findIndex((line) => line.startsWith('| Server') && line.includes(heading));
  const last = lines.findIndex((line, index) => index > first && !line.startsWith('|'));
  const [heads = [], , ...cells] = lines
    .slice(first, last)
    .map((line) => line.split('|').map((cell) => cell.trim()));
  return cells.map((row) => Object.fromEntries(heads.map((head, index) => [head, row[index] ?? ''])));
}

test('who ignores backpressure keeps more in memory than who waits', async () => {
  const out = mkdtempSync(join(tmpdir(), 'perf-backpressure-'));
  try {
    const args = ['--preset', 'backpressure', '--routes', '/bad-case,/drain', '--duration', '2s'];
    const more = ['--rounds', '4', '--warmup', '1s', '--out', out];
    const { stdout } = await promisify(execFile)(join(ROOT, 'scripts/bench'), [...args, ...more], {
      cwd: tmpdir(),
    });
    assert.match(
      stdout,
      /memory under load, mean over time: \/bad-case \d+ MB \(.*\), more than \/drain \d+ MB/,
    );
    const { cases } = JSON.parse(readFileSync(join(out, 'run.json'), 'utf8'));
    for (const { trials } of cases)
      for (const { windows } of trials) assert.ok(Number.isFinite(windows[0].rssBytesPerSecond));
  } finally {
    rmSync(out, { recursive: true });
  }
});
