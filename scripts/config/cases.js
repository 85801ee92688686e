/**
 * The cases of a run.
 * @import { Case, Conditions, Route, Server } from '../types.js'
 * @import { Point } from './matrix.js'
 */

import { defined } from '../model/defined.js';
import { splitConditions, distinguishing } from '../model/dimensions.js';
import { findTool } from '../load/tools.js';

/**
 * Server by server, the reference's first unless it was asked for among the servers.
 * @type {(points: Point[], reference?: Server) => Case[]}
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
 * The routes that the reference shares with the others, else its first, under every load.
 * @type {(reference: Server, points: Point[]) => Point[]}
 */
function controlsOf(reference, points) {
  const shared = findRoutes(reference, [...new Set(points.map(({ route }) => route))]);
  // A script makes its own requests, which the reference need not answer.
  const plain = points.map(({ load: { script: _, ...load } }) => load);
  const loads = new Map(plain.map((load) => [JSON.stringify(load), load]));
  return (shared.length > 0 ? shared : reference.routes.slice(0, 1)).flatMap(({ id: route }) =>
    [...loads.values()].map((load) => ({ server: reference, route, load })),
  );
}

/** Returns them in the order asked for. @type {(server: Server, ids: string[]) => Route[]} */
function findRoutes({ routes }, ids) {
  return ids.flatMap((id) => routes.filter((route) => route.id === id));
}

/** @type {(parts: { server: Server, route: Route, load: Conditions, isReference: boolean }) => Case} */
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
