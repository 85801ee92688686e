/**
 * Which routes execute changed code: starts both sides of each server once, outside of every measurement, and
 * asks each route.
 * @import { Config, Server, Side, Touched, TouchedReason } from '../types.js'
 * @import { Dependencies } from '../run/dependencies.js'
 * @import { Recording } from '../profile/coverage.js'
 * @import { Here } from './first-start.js'
 */

import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { group } from 'd3-array';
import { isLock } from '../deploy/install/lock-file.js';
import { treeOf } from '../deploy/source/tree-record.js';
import { jsonIn } from '../model/json.js';
import { FAILURES, MeasureError, UserError } from '../model/errors.js';
import { relevantServers } from '../plan/relevant.js';
import { enterCoverage, recorder } from '../profile/coverage.js';
import { touchedRoutes } from '../profile/touched.js';
import { realDependencies } from '../run/dependencies.js';
import { readIfThere } from '../system/bounded-file.js';
import { startOnly } from './first-start.js';
import { sidesOf } from './sides.js';

/** Times that each route counts. Before that it is asked twice: what is made once is made then. */
const TIMES = 3;
/** What a server does after an answer is done by then. */
const SETTLED_MS = 40;
/** Shows what runs between requests. */
const IDLE_MS = 1000;

/** For all starts. */
const MOST_SECONDS = 900;

const NODE = 'node';
const MANIFEST = 'package.json';
/** What a manifest says of installing and publishing: installed packages are seen when they run. */
const NOT_RUN = /^(version|description|.*[dD]ependencies(Meta)?)$/;
const CODE = /\.[cm]?[jt]sx?$/;
const TEST = /(^|\/)(tests?|__tests__|specs?|e2e)\/|\.(test|spec)\.[^/]+$/;

/** How it runs. @param {Server} server */
const runningOf = ({ runtime, version, start, setup, env, passEnv, needs, heapBytes, processors }) => [
  ...[runtime, version, start, setup, env, passEnv, needs, heapBytes, processors],
];

/**
 * Of all servers but the reference. Throws a UserError without a second side, a MeasureError if cancelled.
 * @type {(asked: Config, surroundings: Here) => Promise<Touched>}
 */
export async function routesTouched(asked, surroundings) {
  const { config, sides, changed = [] } = await sidesOf(asked, surroundings);
  if (sides.length < 2) throw new UserError('--touched compares two sides: add --against');
  const recorded = await record({ config, sides }, surroundings);
  const all = asked.servers.map(({ id: server }) => {
    const routes = [...new Set(asked.cases.flatMap((each) => (each.server === server ? each.route : [])))];
    /** @type {TouchedReason[]} */
    const reasons = [];
    const add = (/** @type {TouchedReason['why']} */ why, /** @type {string[]} */ files = []) =>
      reasons.push({ server, why, places: files.map((file) => ({ name: '', file })) });
    const { recordings = [], message = '' } = recorded.get(server) ?? {};
    const own = config.servers.find(({ id }) => id === server);
    // Without it, no changed file affects it.
    if (own) {
      const pair = sides.map(({ servers }) => servers[server]);
      const [before, after] = pair.map((side) => side && runningOf(side));
      if (pair[1] && pair[1].runtime !== NODE) add('runtime');
      if (!before || !after || !isDeepStrictEqual(before, after)) add('server');
      const { files, setup } = changedBeside({ ...config, servers: [own] }, changed, { pair, recordings });
      if (files.length > 0) add('file', files);
      if (setup.length > 0) add('setup', setup);
      if (recorded.has(server) && recordings.length === 0)
        reasons.push({ server, why: 'failed', places: [], message });
    }
    const [was, is] = recordings;
    if (was && is) return touchedRoutes({ server, routes }, [was, is], reasons);
    const why = reasons[0]?.why;
    const rest = { touched: why !== undefined, ...(why && { why }), functions: [] };
    return { reasons, routes: routes.map((route) => ({ server, route, ...rest })) };
  });
  return { routes: all.flatMap(({ routes }) => routes), reasons: all.flatMap(({ reasons }) => reasons) };
}

/**
 * By each server that runs on Node: of both sides, or none where one failed.
 * @type {(asked: { config: Config, sides: Side[] }, surroundings: Here) => Promise<Map<string, { recordings:
 *   Recording[], message?: string }>>}
 */
async function record({ config, sides }, surroundings) {
  const cases = config.servers.flatMap(({ id }) => {
    const planned = config.cases.find(({ server }) => server === id);
    if (!planned || sides.some(({ servers }) => servers[id]?.runtime !== NODE)) return [];
    const { manager: _, ...alone } = planned;
    return { ...alone, instances: 1 };
  });
  if (cases.length === 0) return new Map();
  /** @type {Server | undefined} */
  let started;
  let starting = '';
  /** By side and server. @type {Map<string, Recording>} */
  const recordings = new Map();
  /** @type {Awaited<ReturnType<typeof enterCoverage>>} */
  let coverage;
  const real = realDependencies(async () => [(coverage = await enterCoverage())]);
  const dependencies = {
    ...real,
    /** @type {Dependencies['startServer']} */
    async startServer(server, options) {
      started = server;
      return real.startServer(server, options);
    },
    /** @type {Dependencies['verify']} */
    async verify(instance, routes, bounds) {
      const answers = await real.verify(instance, routes, bounds);
      if (recordings.has(starting) || !started) return answers;
      const { id: own, folder, buildDir } = started;
      const { recording, note } = recorder({ folder, tree: buildDir ? treeOf(buildDir) : folder });
      const ranIn = async (/** @type {number} */ ms, /** @type {string | undefined} */ route = undefined) => {
        await sleep(ms);
        return note(await coverage.take(), route);
      };
      recording.first.push(...(await ranIn(SETTLED_MS)));
      const isMeasured = (/** @type {string} */ id) =>
        config.cases.some(({ server, route }) => server === own && route === id);
      const byRoute = [...group(routes, ({ id }) => id)].filter(([id]) => isMeasured(id));
      for (let time = -1; time < TIMES; time++) {
        // What a timer does beside a route is beside another one the next time.
        for (const [route, rows] of byRoute.reverse()) {
          await real.verify(instance, rows, bounds).catch(unlessAnswered);
          const ran = await ranIn(SETTLED_MS, time < 0 ? undefined : route);
          if (time < 0) recording.first.push(...ran);
          else recording.routes.set(route, [...(recording.routes.get(route) ?? []), ran]);
        }
      }
      recording.idle.push(...(await ranIn(IDLE_MS)));
      recordings.set(starting, recording);
      return answers;
    },
  };
  const runs = await startOnly({ config, sides, cases }, surroundings, {
    ...{ mostSeconds: MOST_SECONDS, dependencies },
    onStart: ({ side, case: planned }) => (starting = `${side.label} ${planned.server}`),
  });
  return new Map(
    cases.map(({ server: id }) => {
      const both = sides.flatMap(({ label }) => recordings.get(`${label} ${id}`) ?? []);
      const all = runs.flatMap((run) => run.cases.filter(({ server }) => server === id));
      const failure = all.map(({ trials: [trial] }) => trial?.failure).find(Boolean);
      return [id, { recordings: both.length < 2 || failure ? [] : both, message: failure?.message }];
    }),
  );
}

/** A load would get that answer, too, as a second write of the same row may. @param {unknown} error */
function unlessAnswered(error) {
  if (!(error instanceof MeasureError && FAILURES[error.kind]?.ofAnswer)) throw error;
}

/**
 * Changed files whose effect coverage does not show.
 * @param {Config} alone with one server
 * @param {string[]} changed from the top of the repository
 * @param {{ pair: (Server | undefined)[], recordings: Recording[] }} context
 */
function changedBeside(alone, changed, { pair, recordings }) {
  const own = changed.filter((file) => !TEST.test(file) && relevantServers(alone, [file]).length > 0);
  const stemOf = (/** @type {string} */ file) => basename(file).replace(CODE, '');
  // Built files have other folders than their sources, and mostly the same names.
  const loaded = new Set(recordings.flatMap(({ files }) => [...files.keys()]).map(stemOf));
  return {
    files: own.filter((file) => !CODE.test(file) && !isLock(file) && !isOnlyInstalled(file, pair)),
    setup: own.filter((file) => alone.servers[0]?.setup && CODE.test(file) && !loaded.has(stemOf(file))),
  };
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
