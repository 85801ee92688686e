/**
 * Which routes execute changed code: starts both sides of each server once, outside of every measurement, and
 * asks each route.
 * @import { Config, Server, Side, Touched, TouchedReason } from '../types.js'
 * @import { Dependencies } from '../run/dependencies.js'
 * @import { Recording } from '../profile/coverage.js'
 * @import { Surroundings } from './experiments/experiment.js'
 */

import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { isLock } from '../deploy/install/lock-file.js';
import { treeOf } from '../deploy/source/tree-record.js';
import { jsonIn } from '../model/json.js';
import { FAILURES, MeasureError, UserError } from '../model/errors.js';
import { relevantServers } from '../plan/relevant.js';
import { enterCoverage, recorder } from '../profile/coverage.js';
import { touchedRoutes } from '../profile/touched.js';
import { realDependencies } from '../run/dependencies.js';
import { readIfThere } from '../system/bounded-file.js';
import { sidesOf } from './sides.js';
import { startOnly } from './starts-only.js';

/** Times that each route counts. Before that it is asked twice: what is made once is made then. */
const TIMES = 3;
/** What a server does after an answer is done by then. */
const SETTLED_MS = 40;
/** Shows what runs between requests. */
const IDLE_MS = 1000;

const NODE = 'node';
const MANIFEST = 'package.json';
/** What a manifest says of installing and publishing: installed packages are seen when they run. */
const NOT_RUN =
  /^(version|description|keywords|license|author|contributors|repository|bugs|homepage|private|files|.*[dD]ependencies(Meta)?)$/;
const CODE = /\.[cm]?[jt]sx?$/;
const TEST = /(^|\/)(tests?|__tests__|specs?|e2e)\/|\.(test|spec)\.[^/]+$/;

/** Keys of a server that say how it runs. @type {(keyof Server)[]} */
const RUNNING = [
  'runtime',
  'version',
  'start',
  'setup',
  'env',
  'passEnv',
  'needs',
  'heapBytes',
  'processors',
];

/**
 * @param {Config} asked
 * @param {Pick<Surroundings, 'cwd' | 'env' | 'stderr' | 'signal'>} surroundings
 * @param {number} mostSeconds for all of it
 * @returns {Promise<Touched>} of all servers, without the reference
 * @throws {UserError | MeasureError} without a second side; cancelled
 */
export async function routesTouched(asked, surroundings, mostSeconds) {
  const { config, sides, changed = [] } = await sidesOf(asked, surroundings);
  const [base, head] = sides;
  if (!base || !head) throw new UserError('--touched compares two sides: add --against');
  const started = config.servers.filter(({ id }) =>
    sides.every(({ servers }) => servers[id]?.runtime === NODE),
  );
  const recorded = await record(started, { config, sides, surroundings, mostSeconds });
  const all = asked.servers.map(({ id: server }) => {
    const routes = routesIn(asked, server);
    const own = config.servers.find(({ id }) => id === server);
    // No changed file affects it.
    if (!own) return withoutRecording(server, routes, []);
    const [before, after] = [base.servers[server], head.servers[server]];
    /** @type {TouchedReason[]} */
    const reasons = [];
    const add = (/** @type {TouchedReason['why']} */ why, /** @type {Partial<TouchedReason>} */ more = {}) =>
      reasons.push({ server, why, functions: [], ...more });
    if (after && after.runtime !== NODE) add('runtime');
    if (!before || !after || RUNNING.some((key) => !isDeepStrictEqual(before[key], after[key])))
      add('server');
    const { recordings = [], failure } = recorded.get(server) ?? {};
    const seen = changedBeside(own, changed, { config, sides: [before, after], recordings });
    if (seen.files.length > 0) add('file', { files: seen.files });
    if (seen.setup.length > 0) add('setup', { files: seen.setup });
    if (failure !== undefined) add('failed', { message: failure });
    const [was, is] = recordings;
    return was && is
      ? touchedRoutes({ server, routes }, was, is, reasons)
      : withoutRecording(server, routes, reasons);
  });
  return { routes: all.flatMap(({ routes }) => routes), reasons: all.flatMap(({ reasons }) => reasons) };
}

/**
 * @param {Config} config
 * @param {string} id of a server
 * @returns {string[]} ids of the routes that are measured
 */
function routesIn({ cases }, id) {
  return [...new Set(cases.flatMap(({ server, route }) => (server === id ? route : [])))];
}

/**
 * @param {string} server
 * @param {string[]} routes
 * @param {TouchedReason[]} reasons
 * @returns {Touched}
 */
function withoutRecording(server, routes, reasons) {
  const why = reasons[0] && { why: reasons[0].why };
  return {
    reasons,
    routes: routes.map((route) => ({ server, route, touched: why !== undefined, ...why, functions: [] })),
  };
}

/**
 * @param {Server[]} servers that run on Node
 * @param {{ config: Config, sides: Side[], surroundings: Parameters<typeof routesTouched>[1], mostSeconds:
 *   number }} context
 * @returns {Promise<Map<string, { recordings: Recording[], failure?: string }>>} by server: of both sides, or
 *   none where one failed
 */
async function record(servers, { config, sides, surroundings, mostSeconds }) {
  const cases = servers.flatMap(({ id }) => config.cases.find(({ server }) => server === id) ?? []);
  if (cases.length === 0) return new Map();
  let starting = '';
  /** @type {Map<string, Server>} */
  const inside = new Map();
  /** @type {Map<string, Recording>} */
  const recordings = new Map();
  const keyOf = (/** @type {string} */ side, /** @type {string} */ server) => `${side} ${server}`;
  /** @type {Awaited<ReturnType<typeof enterCoverage>>} */
  let coverage;
  const real = realDependencies(async () => [(coverage = await enterCoverage())]);
  const dependencies = {
    ...real,
    /** @type {Dependencies['startServer']} */
    async startServer(server, options) {
      inside.set(starting, server);
      return real.startServer(server, options);
    },
    /** @type {Dependencies['verify']} */
    async verify(instance, routes, bounds) {
      const answers = await real.verify(instance, routes, bounds);
      const server = inside.get(starting);
      if (recordings.has(starting) || !server) return answers;
      const { folder, buildDir } = server;
      const { recording, note, end } = recorder({ folder, tree: buildDir ? treeOf(buildDir) : folder });
      const ranIn = async (/** @type {number} */ ms, /** @type {string} */ route = '') => {
        await sleep(ms);
        return note(await coverage.take(), route);
      };
      recording.first.push(...(await ranIn(SETTLED_MS)));
      const wanted = routesIn(config, server.id);
      for (let time = -1; time < TIMES; time++) {
        // What a timer does beside a route is beside another one the next time.
        wanted.reverse();
        for (const route of wanted) {
          const rows = routes.filter(({ id }) => id === route);
          // One side may lack it.
          if (rows.length === 0) continue;
          await real.verify(instance, rows, bounds).catch(unlessAnswered);
          const ran = await ranIn(SETTLED_MS, time < 0 ? '' : route);
          if (time < 0) recording.first.push(...ran);
          else recording.routes.set(route, [...(recording.routes.get(route) ?? []), ran]);
        }
      }
      recording.idle.push(...(await ranIn(IDLE_MS)));
      recordings.set(starting, end());
      return answers;
    },
  };
  const alone = cases.map(({ manager: _, ...planned }) => ({ ...planned, instances: 1 }));
  const runs = await startOnly({ config, sides, cases: alone }, surroundings, {
    ...{ mostSeconds, dependencies },
    onStart: ({ side, case: planned }) => (starting = keyOf(side.label, planned.server)),
  });
  return new Map(
    servers.map(({ id }) => {
      const both = sides.flatMap(({ label }) => recordings.get(keyOf(label, id)) ?? []);
      const failures = runs.flatMap((run) =>
        run.cases.flatMap(({ server, trials: [trial] }) => (server === id && trial?.failure) || []),
      );
      if (both.length === sides.length && failures.length === 0) return [id, { recordings: both }];
      return [id, { recordings: [], failure: failures[0]?.message ?? '' }];
    }),
  );
}

/** A load would get that answer, too, as a second write of the same row may. @param {unknown} error */
function unlessAnswered(error) {
  if (!(error instanceof MeasureError && FAILURES[error.kind]?.ofAnswer)) throw error;
}

/**
 * Changed files whose effect coverage does not show.
 * @param {Server} server
 * @param {string[]} changed from the top of the repository
 * @param {{ config: Config, sides: (Server | undefined)[], recordings: Recording[] }} context
 */
function changedBeside(server, changed, { config, sides, recordings }) {
  const affecting = changed.filter(
    (file) => relevantServers({ ...config, servers: [server] }, [file]).length > 0,
  );
  const own = affecting.filter((file) => !TEST.test(file));
  const files = own.filter(
    (file) =>
      !CODE.test(file) && !isLock(file) && !(basename(file) === MANIFEST && isOnlyInstalled(file, sides)),
  );
  // Built files have other folders than their sources, and mostly the same names.
  const loaded = new Set(recordings.flatMap((recording) => [...recording.files.keys()]).map(stemOf));
  const isLoaded = (/** @type {string} */ file) => loaded.has(stemOf(file));
  const setup = server.setup === undefined ? [] : own.filter((file) => CODE.test(file) && !isLoaded(file));
  return { files, setup };
}

/**
 * @param {string} file
 * @returns {string}
 */
const stemOf = (file) => basename(file).replace(CODE, '');

/**
 * @param {string} file a manifest
 * @param {(Server | undefined)[]} sides
 * @returns {boolean} whether it says only something else about packages
 */
function isOnlyInstalled(file, sides) {
  const [before, after] = sides.map((server) => {
    const manifest = jsonIn(readIfThere(join(server?.buildDir ? treeOf(server.buildDir) : '', file)) ?? '');
    return manifest && Object.entries(manifest).filter(([key]) => !NOT_RUN.test(key));
  });
  return before !== undefined && isDeepStrictEqual(before, after);
}
