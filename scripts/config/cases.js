/**
 * The cases of a run.
 * @import { Case, Conditions, Route, Server } from '../types.js'
 * @import { Point } from './matrix.js'
 */

import { RUNTIMES } from '../deploy/runtimes.js';
import { defined } from '../model/defined.js';
import { splitConditions, distinguishing } from '../model/dimensions.js';
import { findTool } from '../load/tools.js';

/** V8 has compiled Fastify and Express after 3,000 to 8,000 requests, however long they take; Node 24 compiles Fastify again until 14,000. */
const WARMUP_REQUESTS = 15_000;
/** A runtime that compiles while it works takes half a minute and more to be warm, so each start is measured for longer. */
const GROWN_SECONDS = 6;

/**
 * @param {Point[]} points
 * @param {Server} [reference]
 * @returns {Case[]} server by server, the reference's first unless it was asked for among the servers
 */
export function makeCases(points, reference) {
  const servers = [...new Set(points.map(({ server }) => server))];
  const measured = servers.flatMap((server) => points.filter((point) => point.server === server));
  const isAdded = reference && !servers.some(({ id }) => id === reference.id);
  // The reference need not know the routes of other people's servers.
  const cases = [...(isAdded ? controlsOf(reference, points) : []), ...measured].flatMap(
    ({ server, route, load }) =>
      findRoutes(server, [route]).map((measuredRoute) =>
        makeCase({ server, route: measuredRoute, load, isReference: server.id === reference?.id }),
      ),
  );
  // A script is one case, on the first route, whatever the routes are.
  return [...new Map(cases.toReversed().map((each) => [each.id, each])).values()].toReversed();
}

/**
 * Where nobody fixed the warm-up, servers whose runtime compiles while it works warm up until they are level, and are then measured
 * for longer if nobody fixed that either; others that are started often, and so warmed up shortly, until they have answered enough.
 * @param {Case[]} cases
 * @param {{ servers: Server[], free: Partial<Conditions> }} context free: the default times that nobody fixed
 * @returns {Case[]}
 */
export function withWarmUps(cases, { servers, free }) {
  const compiling = servers.filter(({ runtime }) => RUNTIMES[runtime]?.compiles).map(({ id }) => id);
  return cases.map((each) => {
    const { warmupSeconds, durationSeconds, windows, requests } = each.load;
    if (warmupSeconds !== free.warmupSeconds) return each;
    const isFree = durationSeconds === free.durationSeconds && (windows ?? requests) === undefined;
    if (!compiling.includes(each.server)) return isFree ? { ...each, warmupRequests: WARMUP_REQUESTS } : each;
    const load = isFree ? { ...each.load, durationSeconds: GROWN_SECONDS } : each.load;
    return { ...each, load, untilLevel: true };
  });
}

/** The routes that the reference shares with the others, else its first, under every load. @param {Server} reference @param {Point[]} points @returns {Point[]} */
function controlsOf(reference, points) {
  const shared = findRoutes(reference, [...new Set(points.map(({ route }) => route))]);
  // A script makes its own requests, which the reference need not answer.
  const plain = points.map(({ load: { script: _, ...load } }) => load);
  const loads = new Map(plain.map((load) => [JSON.stringify(load), load]));
  return (shared.length > 0 ? shared : reference.routes.slice(0, 1)).flatMap(({ id: route }) =>
    [...loads.values()].map((load) => ({ server: reference, route, load })),
  );
}

/** @param {Server} server @param {string[]} ids @returns {Route[]} in the order asked for */
function findRoutes({ routes }, ids) {
  return ids.flatMap((id) => routes.filter((route) => route.id === id));
}

/** @param {{ server: Server, route: Route, load: Conditions, isReference: boolean }} parts @returns {Case} */
function makeCase({ server, route, load: conditions, isReference }) {
  const { load, deployment } = splitConditions(conditions);
  const { id: name, needs: _, expect, stream, ...request } = route;
  const under = distinguishing(conditions).map(({ row, value }) => row.id.replace('{}', String(value)));
  return {
    id: [server.id, ...(load.script === undefined ? [name] : []), ...under].join(' '),
    server: server.id,
    serverName: server.name,
    route: name,
    ...(server.routes.length > 1 &&
      load.script === undefined && { oneOfRoutes: /** @type {const} */ (true) }),
    request: defined({
      ...request,
      expectedStatus: expect.status > 299 ? expect.status : undefined,
      stream: load.script === undefined ? stream : undefined,
    }),
    load,
    clientCores: findTool(load.tool).coresOf(load),
    ...deployment,
    ...(isReference && { reference: true }),
  };
}
