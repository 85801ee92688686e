/**
 * Which routes execute changed code: starts both sides of each server once, outside of every measurement, and
 * asks each route.
 * @import { Case, Config, Plan, Server, Touched, TouchedReason } from '../types.js'
 * @import { Scout } from '../run/conduct.js'
 * @import { Dependencies } from '../run/dependencies.js'
 * @import { Recording } from '../profile/coverage.js'
 * @import { Here } from './first-start.js'
 */

import { basename, join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { group } from 'd3-array';
import { RUNTIMES } from '../deploy/runtimes.js';
import { treeOf } from '../deploy/source/tree-record.js';
import { jsonIn } from '../model/json.js';
import { FAILURES, MeasureError, UserError } from '../model/errors.js';
import { makePlan } from '../plan/plan.js';
import { relevantServers } from '../plan/relevant.js';
import { withRoles } from '../plan/roles.js';
import { UNFITTED } from '../plan/timetable.js';
import { enterCoverage, recorder } from '../profile/coverage.js';
import { touchedRoutes } from '../profile/touched.js';
import { realDependencies } from '../run/dependencies.js';
import { readIfThere } from '../system/bounded-file.js';
import { asking, measureNothing, startsOf } from './first-start.js';
import { sidesOf } from './sides.js';

/** Times that each route counts. Before that it is asked twice: what is made once is made then. */
const TIMES = 3;
/** What a server does after an answer is done by then. */
const SETTLED_MS = 40;
/** Shows what runs between requests. */
const IDLE_MS = 1000;

/** For all starts, where nothing else is asked for. */
const MOST_SECONDS = 900;
/** Before a run: twenty routes of a tenth of a second take half of it. */
const SCOUT_SECONDS = 60;

const NODE = 'node';
const MANIFEST = 'package.json';
const LOCKS = RUNTIMES[NODE]?.packages?.locked.map(({ lock }) => lock) ?? [];
/** What a manifest says of installing and publishing: installed packages are seen when they run. */
const NOT_RUN = /^(version|description|.*[dD]ependencies(Meta)?)$/;
const CODE = /\.[cm]?[jt]sx?$/;
const TEST = /(^|\/)(tests?|__tests__|e2e)\/|\.(test|spec)\.[^/]+$/;
const MIGRATION = /(^|\/)migrations?\//;
const BUILT = /(?<![^/])(src|dist|build|out)\//g;

/** How it runs. @param {Server} server */
const runningOf = ({ runtime, version, start, setup, env, passEnv, needs, heapBytes, processors }) => [
  ...[runtime, version, start, setup, env, passEnv, needs, heapBytes, processors],
];

/**
 * Of all servers but the reference. Throws a UserError without a second side, a MeasureError if cancelled.
 * @type {(asked: Config, surroundings: Here) => Promise<Touched>}
 */
export async function routesTouched(asked, surroundings) {
  const { config, sides, changed } = await sidesOf(asked, surroundings);
  if (sides.length < 2) throw new UserError('--touched compares two sides: add --against');
  // Nothing is measured.
  const scout = {
    ...scouting(config, changed, MOST_SECONDS),
    rolesOf: (/** @type {Plan} */ plan) => ({ ...plan, order: [] }),
  };
  const order = { plan: makePlan({ ...config, ...UNFITTED }, sides), config };
  const context = { mostSeconds: MOST_SECONDS, dependencies: realDependencies(), scout };
  const runs = await measureNothing(order, surroundings, context);
  const { routes = [], reasons = [] } = runs.at(-1)?.touched ?? {};
  const untouched = asked.servers
    .filter(({ id }) => !config.servers.some((server) => server.id === id))
    // No changed file affects it.
    .flatMap((server) =>
      routesOf(asked.cases, server.id).map((route) => ({
        server: server.id,
        route,
        touched: false,
        functions: [],
      })),
    );
  return { routes: [...routes, ...untouched], reasons };
}

/** @type {(cases: Case[], id: string) => string[]} */
function routesOf(cases, id) {
  return [...new Set(cases.flatMap(({ server, route }) => (server === id ? route : [])))];
}

/**
 * Starts each server that runs on Node once on each side and asks its routes; the others have a reason.
 * @type {(config: Config, changed?: string[], mostSeconds?: number) => Scout} changed: files
 */
export function scouting(config, changed = [], mostSeconds = SCOUT_SECONDS) {
  /** Of each server's copy that was started. @type {Map<string, Recording>} */
  const recordings = new Map();
  const keyOf = (/** @type {Server} */ { id, folder }) => `${id} ${folder}`;
  /** @type {Plan} */
  let plan;
  return {
    dependencies: recording(recordings, {
      keyOf,
      isMeasured: (id, route) => routesOf(plan.cases, id).includes(route),
    }),
    startsOf(whole) {
      plan = whole;
      const { sides } = plan;
      const cases = config.servers.flatMap(({ id }) => {
        const planned = plan.cases.find(({ server }) => server === id);
        if (!planned || sides.some(({ servers }) => servers[id]?.runtime !== NODE)) return [];
        const { manager: _, ...alone } = planned;
        return { ...alone, instances: 1 };
      });
      return startsOf(plan, cases, mostSeconds);
    },
    learn(trials) {
      const all = config.servers.map((server) => {
        const { id } = server;
        const pair = plan.sides.map(({ servers }) => servers[id]);
        const own = pair.flatMap((side) => (side && recordings.get(keyOf(side))) ?? []);
        const starts = [...trials].filter(([step]) => step.case.server === id);
        const failure = starts.flatMap(([, of]) => of.flatMap((trial) => trial.failure ?? []))[0];
        const both = own.length < 2 || failure ? [] : own;
        const reasons = reasonsBeside({ ...config, servers: [server] }, changed, { pair, recordings: both });
        const routes = routesOf(plan.cases, id);
        const [was, is] = both;
        if (was && is) return touchedRoutes({ server: id, routes }, [was, is], reasons);
        if (starts.length > 0)
          reasons.push({ server: id, why: 'failed', places: [], message: failure?.message });
        const why = reasons[0]?.why;
        const rest = { touched: why !== undefined, why, functions: [] };
        return { reasons, routes: routes.map((route) => ({ server: id, route, ...rest })) };
      });
      return { routes: all.flatMap(({ routes }) => routes), reasons: all.flatMap(({ reasons }) => reasons) };
    },
    rolesOf: withRoles,
  };
}

/**
 * Real servers with V8's coverage; each records what it executes when it is first checked.
 * @type {(recordings: Map<string, Recording>, known: { keyOf: (server: Server) => string,
 *   isMeasured: (server: string, route: string) => boolean }) => Dependencies}
 */
function recording(recordings, { keyOf, isMeasured }) {
  return asking({
    enter: async () => [await enterCoverage()],
    async ask(instance, routes, { bounds, verify, server, inside: [entered] }) {
      const answers = await verify(instance, routes, bounds);
      if (recordings.has(keyOf(server))) return answers;
      const coverage = /** @type {Awaited<ReturnType<typeof enterCoverage>>} */ (entered);
      const { id: own, folder, buildDir } = server;
      const { recording: all, note } = recorder({ folder, tree: buildDir ? treeOf(buildDir) : folder });
      recordings.set(keyOf(server), all);
      const ranIn = async (/** @type {number} */ ms, /** @type {string | undefined} */ route = undefined) => {
        await sleep(ms);
        return note(await coverage.take(), route);
      };
      all.first.push(...(await ranIn(SETTLED_MS)));
      const byRoute = [...group(routes, ({ id }) => id)].filter(([id]) => isMeasured(own, id));
      for (let time = -1; time < TIMES; time++) {
        // What a timer does beside a route is beside another one the next time.
        for (const [route, rows] of byRoute.reverse()) {
          await verify(instance, rows, bounds).catch((error) => {
            // A load would get that answer, too, as a second write of the same row may.
            if (!(error instanceof MeasureError && FAILURES[error.kind]?.ofAnswer)) throw error;
          });
          const ran = await ranIn(SETTLED_MS, time < 0 ? undefined : route);
          if (time < 0) all.first.push(...ran);
          else all.routes.set(route, [...(all.routes.get(route) ?? []), ran]);
        }
      }
      all.idle.push(...(await ranIn(IDLE_MS)));
      return answers;
    },
  });
}

/**
 * What is known without any start.
 * @type {(alone: Config, changed: string[], context: { pair: (Server | undefined)[],
 *   recordings: Recording[] }) => TouchedReason[]} alone: with one server
 */
function reasonsBeside(alone, changed, context) {
  const [{ id: server }] = /** @type {[Server]} */ (alone.servers);
  const { pair } = context;
  const [before, after] = pair.map((side) => side && runningOf(side));
  const { files, setup } = changedBeside(alone, changed, context);
  /** @type {[TouchedReason['why'], boolean, string[]][]} */
  const all = [
    ['runtime', pair[1] !== undefined && pair[1].runtime !== NODE, []],
    ['server', !before || !after || !isDeepStrictEqual(before, after), []],
    ['file', files.length > 0, files],
    ['setup', setup.length > 0, setup],
  ];
  return all
    .filter(([, holds]) => holds)
    .map(([why, , places]) => ({ server, why, places: places.map((file) => ({ name: '', file })) }));
}

/**
 * Changed files whose effect coverage does not show.
 * @param {Pick<Config, 'servers' | 'ignore'>} alone with one server
 * @param {string[]} changed from the top of the repository
 * @param {{ pair: (Server | undefined)[], recordings: Recording[] }} context
 */
export function changedBeside(alone, changed, { pair, recordings }) {
  const [server] = alone.servers;
  const head = pair.at(-1);
  const placeOf = (/** @type {string} */ file) =>
    sourceOf(head?.buildDir ? relative(head.folder, join(treeOf(head.buildDir), file)) : file);
  const own = changed.filter((file) => relevantServers(alone, [file]).length > 0);
  const scripts = recordings.flatMap(({ files }) => [...files.keys()]);
  const loaded = new Set(scripts.filter((file) => !file.includes('node_modules/')).map(sourceOf));
  const named = head ? namedBy(head) : new Set();
  const isSetUp = (/** @type {string} */ file) =>
    MIGRATION.test(file) || named.has(placeOf(file)) || (server?.setup && !TEST.test(file));
  const isLock = (/** @type {string} */ file) => LOCKS.includes(basename(file));
  const isRead = (/** @type {string} */ file) =>
    !(CODE.test(file) || TEST.test(file) || isLock(file) || isOnlyInstalled(file, pair));
  return {
    files: own.filter(isRead),
    setup: own.filter((file) => CODE.test(file) && !loaded.has(placeOf(file)) && isSetUp(file)),
  };
}

/** Built files have other folders than their sources. @param {string} file from the server's folder */
function sourceOf(file) {
  return file.replace(/^\.\//, '').replace(BUILT, '').replace(CODE, '');
}

/** By its own commands, and those of the scripts in its manifest that these name. @param {Server} server */
function namedBy({ setup, start, folder }) {
  const commands = JSON.stringify([setup, start]);
  const { scripts } = Object(jsonIn(readIfThere(join(folder, MANIFEST)) ?? ''));
  const named = Object.entries(Object(scripts)).filter(([name]) =>
    commands.includes(name.replace(/^(pre|post)/, '')),
  );
  const all = [commands, ...named.map(([, command]) => command)].join(' ');
  return new Set(all.split(/[^\w./@-]+/).map(sourceOf));
}

/**
 * Whether it is a manifest that says only something else about packages.
 * @type {(file: string, pair: (Server | undefined)[]) => boolean}
 */
function isOnlyInstalled(file, pair) {
  if (basename(file) !== MANIFEST) return false;
  const [before, after] = pair.map((server) => {
    const manifest = jsonIn(readIfThere(join(server?.buildDir ? treeOf(server.buildDir) : '', file)) ?? '');
    return manifest && Object.entries(manifest).filter(([key]) => !NOT_RUN.test(key));
  });
  return before !== undefined && isDeepStrictEqual(before, after);
}
