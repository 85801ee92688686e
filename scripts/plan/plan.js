/**
 * What is measured: servers × routes × loads, in rounds. Pure.
 * @import { Case, Config, Load, Plan, Route, Server, Side, Step } from '../types.js'
 */

import { findTool } from '../load/tools.js';
import { makeOrder } from './order.js';
import { seededRandom } from './shuffle.js';

/** How long a server takes to boot where nothing is known of it. */
const BOOT_SECONDS = 0.6;
/** So many of a group boot at a time, on the two cores that the smallest runners have. */
const AT_ONCE = 2;
/** What the check of the answers, the start of the warm-up and the stop add to a boot, and what a window takes beyond its time. */
const BOOT_EXTRA_SECONDS = 0.15;
const WINDOW_EXTRA_SECONDS = 0.04;

/** More boots would add nothing that anybody waits for. */
const MOST_ROUNDS = 500;

/**
 * @param {Config} config
 * @param {Side[]} [sides] a plain run has one
 * @returns {Plan}
 */
export function makePlan(config, sides = [onlySide(config)]) {
  const cases = listCases(config);
  const random = seededRandom(config.seed);
  const steps = sides.flatMap((side, index) =>
    cases.flatMap((of, number) =>
      isOnSide(of, side, config.request) ? [{ side: index, case: number }] : [],
    ),
  );
  const { budgetSeconds = Number.POSITIVE_INFINITY } = config;
  const most = config.rounds ?? mostRounds(cases, steps, budgetSeconds);
  const untilDecided = config.rounds === undefined;
  const order = makeOrder(cases, { steps, sides: sides.length, rounds: most, random });
  return {
    title: config.title,
    sides,
    cases,
    rounds: fittingRounds(cases, order, budgetSeconds),
    ...(untilDecided && { untilDecided }),
    order,
    seed: config.seed,
    estimateSeconds: Math.min(budgetSeconds, secondsOf(cases, order.flat(2))),
    ...(config.budgetSeconds !== undefined && { budgetSeconds: config.budgetSeconds }),
    ...(config.alive !== undefined && { alive: config.alive }),
  };
}

/**
 * @param {Case[]} cases
 * @param {Plan['order']} order
 * @param {number} budgetSeconds
 * @returns {number} at least one
 */
function fittingRounds(cases, order, budgetSeconds) {
  let seconds = 0;
  const first = order.findIndex((groups) => (seconds += secondsOf(cases, groups.flat())) > budgetSeconds);
  return first < 0 ? order.length : Math.max(1, first);
}

/**
 * @param {Case} of
 * @param {Side} side
 * @param {Config['request']} change with another method than the manifest's, the path alone tells the route
 * @returns {boolean}
 */
function isOnSide({ server, route, request }, { servers }, change) {
  const routes = servers[server]?.routes ?? [];
  return routes.some(({ id, path }) => (change.method === undefined ? id === route : path === request.path));
}

/**
 * As many as fit if only the shortest case were left to decide.
 * @param {Case[]} cases
 * @param {Step[]} steps
 * @param {number} budgetSeconds
 */
function mostRounds(cases, steps, budgetSeconds) {
  const shortest = Math.min(...steps.map((step) => secondsOf(cases, [step])));
  return Math.max(1, Math.min(MOST_ROUNDS, Math.ceil(budgetSeconds / shortest)));
}

/**
 * @param {Plan} plan
 * @param {Record<string, number>} bootSeconds by server's id, as earlier runs tell
 * @returns {Plan} with an estimate that rests on them
 */
export function withBoots(plan, bootSeconds) {
  const { cases, order, budgetSeconds = Number.POSITIVE_INFINITY } = plan;
  const seconds = secondsOf(cases, order.flat(2), bootSeconds);
  return { ...plan, bootSeconds, estimateSeconds: Math.min(budgetSeconds, seconds) };
}

/**
 * @param {Case[]} cases
 * @param {Step[]} steps
 * @param {Record<string, number>} [bootSeconds]
 * @returns {number} what booting and loading them once takes
 */
export function secondsOf(cases, steps, bootSeconds) {
  return steps.reduce(
    (sum, step) => sum + trialSeconds(/** @type {Case} */ (cases[step.case]), bootSeconds),
    0,
  );
}

/**
 * @param {Case} of
 * @param {Record<string, number>} [bootSeconds]
 * @returns {number} an estimate, in seconds
 */
export function trialSeconds(of, bootSeconds) {
  const { load } = of;
  const cost = guessCost(of, bootSeconds);
  const windows = load.windows ?? Math.max(1, Math.round(load.durationSeconds));
  return cost.bootSeconds + load.durationSeconds + windows * (cost.windowSeconds - 1);
}

/**
 * @param {Case} of
 * @param {Record<string, number>} [known] seconds by server's id
 * @returns {{ bootSeconds: number, windowSeconds: number }} of a fresh boot with its warm-up, and of a window of one second
 */
export function guessCost({ server, load }, known = {}) {
  const boot = (known[server] ?? BOOT_SECONDS) / AT_ONCE + BOOT_EXTRA_SECONDS;
  return { bootSeconds: boot + load.warmupSeconds, windowSeconds: 1 + WINDOW_EXTRA_SECONDS };
}

/**
 * @param {Config} config
 * @returns {Side}
 */
function onlySide({ servers, reference }) {
  const all = [...(reference ? [reference] : []), ...servers];
  return { label: 'head', servers: Object.fromEntries(all.map((server) => [server.id, server])) };
}

/**
 * @param {Pick<Config, 'servers' | 'reference' | 'routes' | 'request' | 'loads' | 'matrix'>} config
 * @returns {Case[]} the reference's first, unless it was asked for among the servers
 */
export function listCases(config) {
  const { servers, reference, routes, request, loads } = config;
  const matrix = config.matrix ?? product(config);
  const measured = servers.flatMap((server) =>
    matrix
      .filter((point) => point.server === server.id)
      .flatMap(({ route: id, load }) =>
        findRoutes(server, [id]).map((route) => ({ server, route, load, change: request })),
      ),
  );
  const isAdded = reference && !servers.some(({ id }) => id === reference.id);
  // The reference gauges the machine. It need not know the routes of other people's servers, nor answer to requests
  // that were changed for them.
  const gauge = isAdded
    ? gaugeRoutes(reference, routes).flatMap((route) =>
        loads.map((load) => ({ server: reference, route, load, change: {} })),
      )
    : [];
  const cases = [...gauge, ...measured].map((target) =>
    makeCase({ ...target, isReference: target.server.id === reference?.id }),
  );
  return [...new Map(cases.map((each) => [each.id, each])).values()];
}

/**
 * @param {Pick<Config, 'servers' | 'routes' | 'loads'>} config
 * @returns {NonNullable<Config['matrix']>}
 */
function product({ servers, routes, loads }) {
  return servers.flatMap(({ id: server }) =>
    routes.flatMap((route) => loads.map((load) => ({ server, route, load }))),
  );
}

/**
 * @param {Server} reference
 * @param {string[]} ids
 * @returns {Route[]}
 */
function gaugeRoutes(reference, ids) {
  const shared = findRoutes(reference, ids);
  return shared.length > 0 ? shared : reference.routes.slice(0, 1);
}

/**
 * @param {Server} server
 * @param {string[]} ids
 * @returns {Route[]} in the order asked for
 */
function findRoutes({ routes }, ids) {
  return ids.flatMap((id) => routes.filter((route) => route.id === id));
}

/**
 * @param {{ server: Server, route: Route, change: Config['request'], load: Load, isReference: boolean }} parts
 * @returns {Case}
 */
function makeCase({ server, route, change, load, isReference }) {
  const { method, path, headers, body } = { ...route, ...change };
  const name = method === 'GET' ? path : `${method} ${path}`;
  return {
    id: [server.id, name, ...describeLoad(load)].join(' '),
    server: server.id,
    serverName: server.name,
    route: name,
    request: { method, path, headers, ...(body !== undefined && { body }) },
    load,
    clientCores: findTool(load.tool).coresOf(load),
    instances: 1,
    ...(isReference && { reference: true }),
  };
}

/**
 * What tells cases apart. Durations do not: a longer look at the same case is the same case.
 * @param {Load} load
 * @returns {string[]}
 */
function describeLoad({ tool, connections, keepAlive, pipelining, rate, threads }) {
  return [
    tool,
    `c${connections}`,
    ...(keepAlive ? [] : ['no-keep-alive']),
    ...(pipelining > 1 ? [`p${pipelining}`] : []),
    ...(rate === undefined ? [] : [`r${rate}`]),
    ...(threads > 1 ? [`t${threads}`] : []),
  ];
}
