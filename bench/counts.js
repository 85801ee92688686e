/**
 * How far counts scatter, and what comparisons of counts find. Each flag prints one table.
 *
 *     node bench/counts.js [--only typeorm] [--starts 20]  bytes, over starts of built-in servers and ORMs
 *     node bench/counts.js --plant 1 [--only] [--tries 20]  so many percent more bytes, in `run --counts`
 *     node bench/counts.js --statements [--only python] [--tries 20]  a statement more; or one of the ORMs
 *     node bench/counts.js --unchanged [--tries 75]  the same code, hard to count, on 4 routes
 *     node bench/counts.js --twenty --tries 3  how long 20 routes take, on PostgreSQL with Sequelize
 *
 * --beside: with a program on each core. --budget 60s: in runs with clocks and that budget, instead of
 * `run --counts`. After SIGINT it prints what it has. Exits with 1 where a count of the same code is told as
 * changed.
 */

import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { deviation, groups, max, mean, median, sum } from 'd3-array';
import jstat from 'jstat';
import { markdownTable } from 'markdown-table';
import { prepare } from '../scripts/deploy/install/prepare.js';
import { addressVariables } from '../scripts/deploy/services.js';
import { startServices } from '../scripts/deploy/services/start-services.js';
import { startServer } from '../scripts/deploy/start/start-server.js';
import { startLoading } from '../scripts/load/load.js';
import { enter, startWindow } from '../scripts/observe/observe.js';
import { COUNTS } from '../scripts/samples/figures.js';
import { commitAll, copyRepository } from './copy-repository.js';
import { hardService } from './counts/hard-service.js';
import { builtIn, closedLoad } from './one-server.js';
import { perfAction } from './perf-action.js';

/** @import { Comparison, MetricComparison, Run, Server } from '../scripts/types.js' */

const TOP = fileURLToPath(new URL('..', import.meta.url));
/** Modules of one server, which takes the name of one. */
const ORMS = ['drizzle', 'typeorm'];
const SERVERS = ['node-http', 'express', 'fastify', 'nest-express', 'nest-fastify', ...ORMS];
const ORDERS = 'examples/sequelize-orders';
/** Where a statement more is planted. */
const PLANTS = {
  sequelize: {
    from: ORDERS,
    file: 'server.js',
    after: 'async function showOrder(id) {\n',
    more: '  await Order.count();\n',
  },
  python: {
    from: 'bench/counts/prices',
    file: 'server.py',
    after: 'def price(item):\n',
    more: '    read("SELECT count(*) FROM prices")\n',
  },
  drizzle: {
    from: 'servers/node-sql',
    file: 'access/drizzle.js',
    after: 'find: async (/** @type {number} */ id) => {\n',
    more: '      await db.select().from(article).limit(1);\n',
  },
  typeorm: {
    from: 'servers/node-sql',
    file: 'access/typeorm.js',
    after: 'articles.findOneBy({ id })',
    more: '.then(async (row) => (await articles.count()) > 0 && row)',
  },
};
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
    twenty: { type: 'boolean', default: false },
    beside: { type: 'boolean', default: false },
    budget: { type: 'string' },
  },
});
let isInterrupted = false;
process.once('SIGINT', () => (isInterrupted = true));
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
  else if (values.twenty) await printTwenty();
  else await printScatter();
} finally {
  for (const program of busy) program.kill();
  await rm(scratch, { recursive: true });
}

async function printScatter() {
  const loading = startLoading();
  const ids = servers.some((id) => ORMS.includes(id)) ? ['postgres'] : [];
  const services = await startServices(ids, { sides: 1, env: process.env, signal });
  const env = Object.assign({}, ...services.started.map(({ id, urlOf }) => addressVariables(id, urlOf(0))));
  const rows = [];
  try {
    for (const id of servers) {
      const server = subject(id);
      await prepare(server, { signal });
      const starts = [];
      while (!isInterrupted && starts.length < Number(values.starts))
        starts.push(await bytesOf(server, loading, env));
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
    await services.stop();
  }
  print(['server', 'starts', 'B/request', '% between starts', '% within one'], rows);
}

/** @param {string} id */
function folderOf(id) {
  return ORMS.includes(id) ? 'node-sql' : id;
}

/** @type {(id: string) => Server} */
function subject(id) {
  const server = builtIn(folderOf(id));
  return ORMS.includes(id) ? { ...server, start: `node server.js ${id}` } : server;
}

/** @param {Server} server */
function firstPath({ routes: [route] }) {
  return route?.path ?? '/';
}

/**
 * Bytes per request of each window of a fresh start, after a warm-up; services: their addresses.
 * @type {(server: Server, loading: ReturnType<typeof startLoading>, services: NodeJS.ProcessEnv) =>
 *   Promise<number[]>}
 */
async function bytesOf(server, loading, services) {
  const { runtime } = server;
  const inside = await enter(runtime, { allocated: true });
  const alone = values.budget === undefined && { PERF_ACTION_COUNTS_ALONE: '1' };
  const instance = await startServer(
    { ...server, env: { ...server.env, ...alone } },
    { signal, inside, services },
  );
  const closed = closedLoad(instance.url, { seconds: 1 });
  const target = { ...closed, request: { ...closed.request, path: firstPath(server) }, signal };
  try {
    const load = () => loading.load(target);
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
    const top = copyServer(id);
    rewrite(join(top, 'server.yml'), 'start: node ', 'start: node --require ./plant.cjs ');
    plant(top, 0);
    let bytes = Number.NaN;
    // On a crowded machine some do not settle.
    while (Number.isNaN(bytes)) {
      const [window] = (await measured(top, ['--counts'])).run.cases[0]?.trials[0]?.windows ?? [];
      bytes = (window?.allocatedBytes ?? Number.NaN) / (window?.requests ?? 0);
    }
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

/** A built-in server, as somebody would have it in a repository. @param {string} id */
function copyServer(id) {
  const from = `servers/${folderOf(id)}`;
  const server = subject(id);
  const top = copyRepository(join(TOP, from), join(scratch, id));
  const manifest = join(top, 'server.yml');
  rewrite(manifest, 'server.js raw', `server.js ${id}`);
  rewrite(manifest, 'reference: true\n', '');
  if (server.install) rewrite(manifest, /install: .*/, `install: ${linkedModules(from)}`);
  writeFileSync(join(top, 'perf.yml'), JSON.stringify({ servers: ['.'], routes: [firstPath(server)] }));
  commitAll(top);
  return top;
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
  const rows = [];
  for (const [id, { from, file, after, more }] of Object.entries(PLANTS)) {
    if (values.only !== undefined && values.only !== id) continue;
    const top = ORMS.includes(id) ? copyServer(id) : copyRepository(join(TOP, from), scratch);
    if (!ORMS.includes(id)) {
      const install = id === 'python' ? linkedVenv(from) : linkedModules(from);
      rewrite(join(top, 'perf.yml'), /(?<=install: ).*/, install);
      commitAll(top);
    }
    rewrite(join(top, file), after, `${after}${more}`);
    commitAll(top);
    const found = await comparisons(top);
    const all = found.flatMap(({ changes }) => changes.filter(({ metric }) => metric === 'statements'));
    for (const [name, changes] of groups(all, (change) => change.id))
      rows.push([
        name,
        [...new Set(changes.map(({ base, head }) => `${base} → ${head}`))].join(', '),
        `${changes.filter(({ why }) => why.code === 'exact-count').length} of ${found.length}`,
        `${changes.filter(isTold).length} of ${found.length}`,
        secondsOf(found),
      ]);
  }
  print(['case', 'statements per request', 'exact', 'told', 'seconds'], rows);
}

/** From the first load to the last, once without and once with a change that takes more starts. */
async function printTwenty() {
  const top = copyRepository(join(TOP, ORDERS), scratch);
  const { file, after, more } = PLANTS.sequelize;
  const routes = ['/orders', ...Array.from({ length: 19 }, (_, place) => `/orders/${1 + place}`)];
  const server = {
    id: 'orders',
    install: linkedModules(ORDERS),
    start: 'node server.js',
    needs: ['postgres'],
  };
  writeFileSync(join(top, 'perf.yml'), JSON.stringify({ servers: [{ ...server, routes }] }));
  commitAll(top);
  const rows = [];
  for (const [name, change] of Object.entries({
    'the same code': '// The same.\n',
    'a statement more': more,
  })) {
    rewrite(join(top, file), after, `${after}${change}`);
    commitAll(top);
    const found = await comparisons(top);
    const told = found.map(({ changes }) => new Set(changes.filter(isTold).map(({ id }) => id)).size);
    const left = found.map(({ unsettled }) => unsettled);
    rows.push([name, String(found.length), told.join(', '), left.join(', '), secondsOf(found)]);
  }
  print(['20 routes', 'runs', 'told to have changed', 'bytes did not settle', 'seconds'], rows);
}

async function printUnchanged() {
  const top = copyRepository(join(TOP, ORDERS), scratch);
  const { file, source, settings } = hardService(linkedModules(ORDERS));
  writeFileSync(join(top, 'perf.yml'), JSON.stringify(settings));
  writeFileSync(join(top, file), source);
  commitAll(top);
  writeFileSync(join(top, file), `${source}// The same code.\n`);
  commitAll(top);
  const found = await comparisons(top);
  const all = found.flatMap(({ changes }) => changes);
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
  const told = found.flatMap(({ changes }) => [...new Set(changes.filter(isTold).map(({ id }) => id))]);
  const [alarms, routes] = [told.length, sum(found, ({ cases }) => cases)];
  // Clopper and Pearson's bound.
  const most = 100 * jstat.beta.inv(0.95, alarms + 1, routes - alarms);
  console.log(`\n${alarms} alarms in ${routes} comparisons: with 95 % at most ${most.toFixed(2)} in 100.`);
}

/** A command that installs what was installed once. @param {string} folder */
function linkedModules(folder) {
  const top = join(scratch, 'modules');
  const modules = join(top, basename(folder), 'node_modules');
  if (!existsSync(modules)) {
    const quiet = ['--include=dev', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
    const cwd = copyRepository(join(TOP, folder), top);
    execFileSync('npm', ['ci', ...quiet], { cwd, stdio: 'inherit' });
  }
  return `ln -s ${modules} node_modules`;
}

/** Of Python. @param {string} folder */
function linkedVenv(folder) {
  const from = copyRepository(join(TOP, folder), join(scratch, 'venv'));
  const [, install = ''] = /install: (.*)/.exec(readFileSync(join(from, 'perf.yml'), 'utf8')) ?? [];
  execFileSync('sh', ['-c', install], { cwd: from, stdio: 'inherit' });
  return `ln -s ${join(from, '.venv')} .venv`;
}

/** As many as are asked for, or until it is interrupted. @param {string} top */
async function comparisons(top) {
  /** @type {Awaited<ReturnType<typeof compared>>[]} */
  const found = [];
  do found.push(await compared(top));
  while (!isInterrupted && found.length < Number(values.tries));
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
  const seconds = max(windows, ({ at = 0, seconds }) => at + seconds) ?? Number.NaN;
  const unsettled = run.cases.filter(({ trials }) => trials.some((trial) => trial.unsettled)).length;
  return { changes, cases: comparison?.cases.length ?? 0, unsettled, seconds };
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

/** @type {(file: string, from: string | RegExp, to: string) => void} */
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
