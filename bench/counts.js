/**
 * How far counts scatter, and what comparisons of counts find. Each flag prints one table.
 *
 *     node bench/counts.js [--only express] [--starts 20]  bytes, over starts of built-in servers
 *     node bench/counts.js --plant 1 [--only] [--tries 20]  so many percent more bytes, in `run --counts`
 *     node bench/counts.js --statements [--tries 20]  a statement more, with Sequelize
 *     node bench/counts.js --unchanged [--tries 75]  the same code, hard to count, on 4 routes
 *
 * --beside: with a program on each core. --budget 60s: in runs with clocks and that budget, instead of
 * `run --counts`. Exits with 1 where a count of the same code is told as changed.
 */

import { execFileSync, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { deviation, groups, max, mean, median } from 'd3-array';
import { markdownTable } from 'markdown-table';
import { prepare } from '../scripts/deploy/install/prepare.js';
import { startServer } from '../scripts/deploy/start/start-server.js';
import { startLoading } from '../scripts/load/load.js';
import { enter, startWindow } from '../scripts/observe/observe.js';
import { COUNTS } from '../scripts/samples/figures.js';
import { commitAll, copyRepository } from './copy-repository.js';
import { hardService } from './counts/hard-service.js';
import { builtIn, closedLoad } from './one-server.js';
import { perfAction } from './perf-action.js';

/** @import { Comparison, MetricComparison, Run } from '../scripts/types.js' */

const TOP = fileURLToPath(new URL('..', import.meta.url));
const SERVERS = ['node-http', 'express', 'fastify', 'nest-express', 'nest-fastify'];
const WINDOWS = 3;
/** Bytes of an array that holds nothing: its two heads, and of each slot. */
const [HEAD, SLOT] = [48, 8];
/** Ends by itself after an hour, if nobody ends it. */
const BUSY = 'for (const end = Date.now() + 36e5; Date.now() < end; );';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    starts: { type: 'string', default: '20' },
    tries: { type: 'string', default: '20' },
    plant: { type: 'string' },
    statements: { type: 'boolean', default: false },
    unchanged: { type: 'boolean', default: false },
    beside: { type: 'boolean', default: false },
    budget: { type: 'string' },
  },
});
const servers = values.only === undefined ? SERVERS : [values.only];
const { signal } = new AbortController();
const scratch = await mkdtemp(join(tmpdir(), 'counts-'));
const busy = values.beside
  ? Array.from({ length: availableParallelism() }, () => spawn(process.execPath, ['-e', BUSY]))
  : [];
try {
  if (values.plant !== undefined) await printPlanted(Number(values.plant) / 100);
  else if (values.statements) await printStatements();
  else if (values.unchanged) await printUnchanged();
  else await printScatter();
} finally {
  for (const program of busy) program.kill();
  await rm(scratch, { recursive: true });
}

async function printScatter() {
  const loading = startLoading();
  const rows = [];
  try {
    for (const id of servers) {
      const server = builtIn(id);
      await prepare(server, { signal });
      const starts = [];
      while (starts.length < Number(values.starts)) starts.push(await bytesOf(server, loading));
      const means = starts.map((windows) => mean(windows) ?? Number.NaN);
      const within = starts.map((windows) => percent(deviation(windows), mean(windows)));
      rows.push([
        id,
        String(starts.length),
        (mean(means) ?? 0).toFixed(0),
        percent(deviation(means), mean(means)).toFixed(2),
        (mean(within) ?? 0).toFixed(2),
      ]);
    }
  } finally {
    await loading.stop();
  }
  print(['server', 'starts', 'B/request', '% between starts', '% within one'], rows);
}

/**
 * @param {import('../scripts/types.js').Server} server
 * @param {ReturnType<typeof startLoading>} loading
 * @returns {Promise<number[]>} bytes per request of each window of a fresh start, after a warm-up
 */
async function bytesOf(server, loading) {
  const { runtime } = server;
  const inside = await enter(runtime, { allocated: true });
  const instance = await startServer(server, { signal, inside });
  try {
    const load = () => loading.load({ ...closedLoad(instance.url, { seconds: 1 }), signal });
    for (let answered = 0; answered < 15_000;) answered += (await load()).requests;
    const bytes = [];
    for (let window = 0; window < WINDOWS; window++) {
      const observed = startWindow(instance.pid, { runtime, inside });
      const { requests } = await load();
      bytes.push(((await observed.stop()).allocatedBytes ?? Number.NaN) / requests);
    }
    return bytes;
  } finally {
    await instance.stop();
    for (const observer of inside) await observer.stop();
  }
}

/** @param {number} share */
async function printPlanted(share) {
  const rows = [];
  for (const id of servers) {
    const top = copyRepository(join(TOP, 'servers', id), scratch);
    rewrite(join(top, 'server.yml'), 'start: node ', 'start: node --require ./plant.cjs ');
    rewrite(join(top, 'server.yml'), 'reference: true\n', '');
    writeFileSync(join(top, 'perf.yml'), JSON.stringify({ servers: ['.'], routes: ['/'] }));
    plant(top, 0);
    const [window] = (await measured(top, ['--counts'])).run.cases[0]?.trials[0]?.windows ?? [];
    const bytes = (window?.allocatedBytes ?? Number.NaN) / (window?.requests ?? 0);
    const slots = Math.round((share * bytes - HEAD) / SLOT);
    plant(top, slots);
    const found = await comparisons(top);
    const changes = found.flatMap(({ changes: all }) => all.filter(({ metric }) => metric === 'allocated'));
    const effects = changes.map(({ base = 0, head = 0 }) => percent(head - base, base));
    rows.push([
      id,
      `${percent(HEAD + SLOT * slots, bytes).toFixed(2)} %`,
      `${Math.min(...effects).toFixed(1)} to ${Math.max(...effects).toFixed(1)} %`,
      `${changes.filter(isTold).length} of ${found.length}`,
      secondsOf(found),
    ]);
  }
  print(['server', 'planted', 'seen', 'told', 'seconds'], rows);
}

/**
 * Commits a module that allocates an array in each request, unless it would have no slots.
 * @type {(top: string, slots: number) => void}
 */
function plant(top, slots) {
  writeFileSync(
    join(top, 'plant.cjs'),
    `const { Server } = require('node:http');
const { emit } = Server.prototype;
const slots = ${slots};
Server.prototype.emit = function (event, first, second) {
  if (event === 'request' && slots > 0) globalThis.kept = new Array(slots);
  return emit.call(this, event, first, second);
};`,
  );
  commitAll(top);
}

async function printStatements() {
  const top = copyRepository(join(TOP, 'examples/sequelize-orders'), scratch);
  rewrite(join(top, 'perf.yml'), 'npm ci', linkedModules());
  commitAll(top);
  const show = 'async function showOrder(id) {\n';
  rewrite(join(top, 'server.js'), show, `${show}  await Order.count();\n`);
  commitAll(top);
  const found = await comparisons(top);
  const all = found.flatMap(({ changes }) => changes.filter(({ metric }) => metric === 'statements'));
  const rows = groups(all, ({ id }) => id).map(([id, changes]) => [
    id,
    [...new Set(changes.map(({ base, head }) => `${base} → ${head}`))].join(', '),
    `${changes.filter(({ why }) => why.code === 'exact-count').length} of ${found.length}`,
    `${changes.filter(isTold).length} of ${found.length}`,
    secondsOf(found),
  ]);
  print(['case', 'statements per request', 'exact', 'told', 'seconds'], rows);
}

async function printUnchanged() {
  const top = copyRepository(join(TOP, 'examples/sequelize-orders'), scratch);
  const { file, source, settings } = hardService(linkedModules());
  writeFileSync(join(top, 'perf.yml'), JSON.stringify(settings));
  writeFileSync(join(top, file), source);
  commitAll(top);
  writeFileSync(join(top, file), `${source}// The same code.\n`);
  commitAll(top);
  const all = (await comparisons(top)).flatMap(({ changes }) => changes);
  for (const change of all.filter(isTold)) console.error(JSON.stringify(change));
  if (all.some(isTold)) process.exitCode = 1;
  const rows = groups(
    all,
    ({ id }) => id,
    ({ metric }) => metric,
  ).flatMap(([id, byFigure]) =>
    byFigure.map(([figure, changes]) => {
      const those = (/** @type {(change: MetricComparison) => boolean} */ are) =>
        String(changes.filter(are).length);
      return [
        id,
        figure,
        String(changes.length),
        those(({ why }) => why.code === 'exact-count'),
        those(({ verdict }) => verdict === 'same'),
        those(({ verdict }) => verdict === 'unsure'),
        those(isTold),
      ];
    }),
  );
  print(['case', 'count', 'comparisons', 'exact', 'same', 'unsure', 'told as changed'], rows);
}

/** A command that installs what was installed once. */
function linkedModules() {
  const modules = join(scratch, 'modules');
  const from = copyRepository(join(TOP, 'examples/sequelize-orders'), modules);
  const quiet = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync('npm', ['ci', ...quiet], { cwd: from, stdio: 'inherit' });
  return `ln -s ${join(from, 'node_modules')} node_modules`;
}

/** As many as are asked for, or until it is interrupted (SIGINT). @param {string} top */
async function comparisons(top) {
  let most = Number(values.tries);
  process.once('SIGINT', () => (most = 0));
  /** @type {Awaited<ReturnType<typeof compared>>[]} */
  const found = [];
  do found.push(await compared(top));
  while (found.length < most);
  return found;
}

/** Compares the last two commits. seconds: from the first load to the last. @param {string} top */
async function compared(top) {
  const timed = ['--reference', 'off', '--no-controls', '--no-explain', '--fail-on', 'never'];
  const how = values.budget === undefined ? ['--counts'] : ['--budget', values.budget, ...timed];
  const { run, comparison } = await measured(top, ['--against', 'HEAD~1', ...how]);
  const changes = (comparison?.cases ?? []).flatMap(({ id, metrics }) =>
    metrics.flatMap((change) => (COUNTS.some((row) => row.id === change.metric) ? { id, ...change } : [])),
  );
  const windows = run.cases.flatMap(({ trials }) => trials.flatMap((trial) => trial.windows));
  return { changes, seconds: max(windows, ({ at = 0, seconds }) => at + seconds) ?? Number.NaN };
}

/** @type {(top: string, options: string[]) => Promise<{ run: Run, comparison?: Comparison }>} */
async function measured(top, options) {
  // What a gate says is not asked for.
  const output = await perfAction(top, ['run', '--json', ...options]).catch(({ stdout }) => stdout);
  const { error, ...results } = JSON.parse(output);
  if (error) throw new Error(error.message);
  return results;
}

/** @param {{ verdict: string }} change */
function isTold({ verdict }) {
  return verdict === 'regressed' || verdict === 'improved';
}

/** @param {{ seconds: number }[]} found */
function secondsOf(found) {
  const all = found.map(({ seconds }) => seconds);
  return `${(median(all) ?? 0).toFixed(0)}, at most ${Math.max(...all).toFixed(0)}`;
}

/** @type {(file: string, from: string, to: string) => void} */
function rewrite(file, from, to) {
  writeFileSync(file, readFileSync(file, 'utf8').replace(from, to));
}

/** @type {(part?: number, whole?: number) => number} */
function percent(part = Number.NaN, whole = Number.NaN) {
  return (100 * part) / whole;
}

/** @type {(heads: string[], rows: string[][]) => void} */
function print(heads, rows) {
  console.log(markdownTable([heads, ...rows], { align: ['l', ...heads.slice(1).map(() => 'r')] }));
}
