/** Each published experiment is one command, and its table comes filled. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { runCommands } from '../../commands.js';
import { ROOT, toolEnvironment } from '../tools.js';
import { scratchFolder } from '../../scratch.js';

/**
 * What the tables of each preset must have a figure under, in every row, and what its sentences must say.
 * @typedef {object} Expected
 * @property {number} rows of the table of cases
 * @property {string[]} columns
 * @property {number} [runtimeRows] of the table of runtime metrics
 * @property {number} [instanceRows] of the table of instances
 * @property {RegExp[]} [says]
 * @property {string[]} [flags] beside the usual ones
 * @property {string} [scale]
 * @property {string} [rounds]
 */
/** @type {Record<string, Expected>} */
const PRESETS = {
  frameworks: {
    rows: 5,
    columns: ['Avg ms', 'p99', 'Req/s', 'Requests', 'MB read', 'Errors', 'of node:http', 'Ratio'],
    says: [/Express[ |]+18,592 /],
  },
  ladder: {
    rows: 4,
    columns: ['Req/s', 'p50', 'p95', 'Errors'],
    says: [/throughput (stops growing|grows)/],
  },
  keepalive: {
    rows: 4,
    columns: ['Req/s', 'Errors'],
    says: [/ab, 200 connections: .* a factor/, /wrk, 200 connections: .* a factor/],
  },
  limit: {
    rows: 9,
    columns: ['Req/s', 'p50', 'p95', 'Errors'],
    says: [
      /throughput (stops growing|grows)/,
      /the most is [\d,]+ req\/s \([\d,]+ to [\d,]+\), with \d+ connections?; .*(% CPU|limit)/,
    ],
  },
  scenarios: { rows: 5, columns: ['Req/s', 'p50', 'Errors'], says: [/a factor of/], rounds: '1' },
  stream: { rows: 3, columns: ['First byte p50 ms', 'Longest gap p50 ms', 'Req/s', 'Errors'] },
  backpressure: { rows: 4, columns: ['Req/s', 'p50', 'p95', 'Errors'], runtimeRows: 4 },
  'jvm-redis': {
    rows: 10,
    columns: ['Avg ms', 'Max', 'Req/s', 'Requests', 'MB read', 'Errors'],
    runtimeRows: 7,
    scale: '0.03',
    rounds: '1',
  },
  'spring-vs-nest': { rows: 3, columns: ['Req/s', 'Errors', 'CPU µs/req', 'Ratio'] },
  quick: { rows: 5, columns: ['Req/s', 'Errors', 'Ratio'] },
  // Composer's registry cannot be reached everywhere.
  'webman-gin': {
    rows: 3,
    columns: ['Req/s', 'Errors', 'CPU µs/req'],
    rounds: '1',
    flags: ['--servers', 'gin'],
  },
  'data-access': {
    rows: 7,
    runtimeRows: 2,
    columns: ['Avg ms', 'Req/s', 'Errors', 'CPU µs/req', 'Ratio'],
    says: [/Kysely[ |]+9,400 /, /The published ratio to pg .*Kysely/, /TypeORM[ |]+7,200 /],
  },
  proxy: {
    rows: 8,
    columns: ['Req/s', 'Errors', 'CPU µs/req'],
    says: [/Proxy µs\/req/, /https\+nginx[^\n]* [\d.]+ /],
  },
  processes: {
    rows: 3,
    instanceRows: 6,
    columns: ['Req/s', 'Errors', 'CPU µs/req'],
    says: [/Busiest instance/],
  },
  cluster: {
    rows: 4,
    instanceRows: 4,
    columns: ['Req/s', 'Errors', 'CPU µs/req'],
    says: [/Busiest instance/, /1 instance[ |]+2,016/],
  },
};

test('every preset gives a plan', async () => {
  const ids = readdirSync(join(ROOT, 'presets'))
    .filter((name) => name.endsWith('.yml'))
    .map((name) => basename(name, '.yml'));
  assert.deepEqual(ids.sort(), Object.keys(PRESETS).sort());
  const commands = ids.map((id) => ({ args: ['plan', '--preset', id, '--json'] }));
  const ended = await runCommands(commands, { cwd: tmpdir(), env: toolEnvironment() });
  for (const [index, { code, stdout, stderr }] of ended.entries()) {
    assert.equal(code, 0, stderr);
    const planned = JSON.parse(stdout).cases.length;
    assert.ok(planned >= (PRESETS[ids[index] ?? '']?.rows ?? 0), `${ids[index]}: ${planned} cases`);
  }
});

/** What is printed. @type {(args: string[], out: string) => Promise<string>} */
async function bench(args, out) {
  const command = [...args, '--out', out];
  const { stdout } = await promisify(execFile)(join(ROOT, 'scripts/bench'), command, { cwd: tmpdir() });
  return stdout;
}

for (const [id, expected] of Object.entries(PRESETS)) {
  const { rows, columns, runtimeRows = 0, instanceRows = 0, says = [], flags = [] } = expected;
  const { scale = '0.1', rounds = '2' } = expected;
  test(`scripts/bench --preset ${id} --scale ${scale} fills its table`, async () => {
    const out = scratchFolder();
    const stdout = await bench(
      ['--preset', id, '--scale', scale, '--rounds', rounds, '--baseline', '', ...flags],
      out,
    );
    const report = readFileSync(join(out, 'report.md'), 'utf8');
    const filled = tableRows(report, 'MB read');
    assert.equal(filled.length, rows, report);
    for (const column of columns)
      // A reference is not compared with itself.
      for (const row of filled.filter(
        ({ Server }) => column !== 'of node:http' || !Server?.includes('(reference)'),
      ))
        assert.match(row[column] ?? '', /^[\d,.]/, `${column} of ${JSON.stringify(row)}`);
    assertRuntimeTable(report, runtimeRows);
    const instances = instanceRows > 0 ? tableRows(report, 'Successful') : [];
    assert.equal(instances.length, instanceRows, report);
    for (const row of instances)
      for (const name of ['TPS', 'Executed', 'Successful', 'Errors', 'CPU cores', 'Memory MB'])
        assert.match(row[name] ?? '', /^[\d,.]/, name);
    for (const sentence of says) assert.match(stdout, sentence);
    const { cases } = JSON.parse(readFileSync(join(out, 'run.json'), 'utf8'));
    for (const { trials } of cases)
      for (const { failure } of trials) assert.equal(failure, null, JSON.stringify(failure));
  });
}

/**
 * @param {string} report
 * @param {number} count of rows
 */
function assertRuntimeTable(report, count) {
  const rows = count > 0 ? tableRows(report, 'Longest GC') : [];
  assert.equal(rows.length, count, report);
  for (const { Server: _, '': _edge, ...row } of rows)
    for (const [name, text] of Object.entries(row)) assert.match(text, /^[+−]?[\d,.]/, name);
}

/**
 * @param {string} report
 * @param {string} heading
 * @returns {Record<string, string>[]} the rows of the first table with it, by heading
 */
function tableRows(report, heading) {
  const lines = report.split('\n');
  const first = lines.findIndex((line) => /^\| (Server|Route|Load) /.test(line) && line.includes(heading));
  const last = lines.findIndex((line, index) => index > first && !line.startsWith('|'));
  const [heads = [], , ...cells] = lines
    .slice(first, last)
    .map((line) => line.split('|').map((cell) => cell.trim()));
  return cells.map((row) => Object.fromEntries(heads.map((head, index) => [head, row[index] ?? ''])));
}

test('runtime metrics fill their table; a server that ignores backpressure keeps more in memory', async () => {
  const out = scratchFolder();
  const routes = ['--preset', 'backpressure', '--routes', '/bad-case,/drain'];
  const times = ['--duration', '2s', '--rounds', '4', '--warmup', '1s'];
  await bench([...routes, ...times], out);
  assertRuntimeTable(readFileSync(join(out, 'report.md'), 'utf8'), 2);
  const { cases } = JSON.parse(readFileSync(join(out, 'run.json'), 'utf8'));
  for (const { trials } of cases)
    for (const { windows } of trials) assert.ok(Number.isFinite(windows[0].rssBytesPerSecond));
  const [ignoring, draining] = ['/bad-case', '/drain'].map((path) =>
    cases
      .filter((/** @type {any} */ { route }) => route === path)
      .flatMap((/** @type {any} */ { trials }) => trials.flatMap((/** @type {any} */ { windows }) => windows))
      .map((/** @type {any} */ { rssMeanBytes }) => rssMeanBytes),
  );
  assert.ok(Math.min(...ignoring) > Math.max(...draining), String([ignoring, draining]));
});
