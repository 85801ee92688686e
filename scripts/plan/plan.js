/**
 * What is measured, and in which order: servers × routes × loads, every round shuffled anew. Pure.
 * @import { Case, Config, Load, Plan, Route, Server, Side } from '../types.js'
 */

import { UserError } from '../errors.js';
import { refusals } from './refusals.js';
import { seededRandom, shuffle } from './shuffle.js';

/** How long a boot is taken to last where nothing is known of it. */
const BOOT_SECONDS = 1;

/**
 * @param {Config} config
 * @param {Side[]} [sides] a plain run has one
 * @returns {Plan}
 * @throws {UserError} for loads that a tool cannot make, one a line
 */
export function makePlan(config, sides = [onlySide(config)]) {
  const cases = listCases(config);
  const refused = new Set(cases.flatMap(refusals));
  if (refused.size > 0) throw new UserError([...refused].join('\n'));

  const random = seededRandom(config.seed);
  const steps = sides.flatMap((_, side) => cases.map((_case, index) => ({ side, case: index })));
  const order = Array.from({ length: config.rounds }, () => shuffle(steps, random));
  const roundSeconds = cases.reduce((sum, of) => sum + trialSeconds(of), 0);
  return {
    title: config.title,
    sides,
    cases,
    rounds: config.rounds,
    order,
    seed: config.seed,
    estimateSeconds: roundSeconds * sides.length * config.rounds,
  };
}

/**
 * @param {Case} of
 * @returns {number} an estimate, in seconds
 */
export function trialSeconds({ load }) {
  return BOOT_SECONDS + load.warmupSeconds + load.durationSeconds;
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
 * @param {Config} config
 * @returns {Case[]} the reference's first, unless it was asked for among the servers
 */
function listCases(config) {
  const { servers, reference, routes, request, loads } = config;
  const measured = servers.flatMap((server) =>
    findRoutes(server, routes).map((route) => ({ server, route, change: request })),
  );
  const isAdded = reference && !servers.some(({ id }) => id === reference.id);
  // The reference gauges the machine. It need not know the routes of other people's servers, nor answer to requests
  // that were changed for them.
  const gauge = isAdded
    ? gaugeRoutes(reference, routes).map((route) => ({ server: reference, route, change: {} }))
    : [];
  const cases = [...gauge, ...measured].flatMap((target) =>
    loads.map((load) => makeCase({ ...target, load, isReference: target.server.id === reference?.id })),
  );
  return [...new Map(cases.map((each) => [each.id, each])).values()];
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
