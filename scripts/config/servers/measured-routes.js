/**
 * The routes that are measured: named, or written out for every server.
 * @import { Caller, Route, Server } from '../../types.js'
 * @import { Layer } from '../layers.js'
 * @import { Point } from '../matrix.js'
 * @import { Settings } from '../settings.js'
 */

import { UserError } from '../../model/errors.js';
import { nearest } from '../../model/nearest.js';
import { TOKEN } from '../../secrets/variables.js';
import { resolveRoute } from '../../catalog/catalog.js';
import { routeName, splitRoute } from '../../catalog/route-requests.js';

/**
 * Routes that a file writes out are in place of a server's own of the same name.
 * @type {(servers: Server[], layers: Layer[], caller: Caller) => Server[]}
 */
export function withWrittenRoutes(servers, layers, caller) {
  const written = layers.flatMap((layer) =>
    [layer.get('routes') ?? []].flat().flatMap((entry, index) => {
      if (typeof entry !== 'object') return [];
      const where = (/** @type {string} */ key) => layer.where('routes', index, key);
      const given = servers.every(({ before }) => before) ? [TOKEN] : [];
      return resolveRoute(entry, { folder: layer.folder, where, caller, given });
    }),
  );
  if (written.length === 0) return servers;
  // A route of the layer with the highest precedence replaces others that share its name.
  const last = written.toReversed();
  return servers.map((server) => ({
    ...server,
    routes: [...new Map([...server.routes, ...last].map((route) => [route.id, route])).values()],
  }));
}

/** Those asked for, else all of a server. @type {(settings: Settings) => (server: Server) => string[]} */
export function routesFor(settings) {
  const own = (/** @type {Server} */ { routes }) => routes.map(({ id }) => id);
  const asked = settings.get('routes');
  if (!asked) return own;
  const ids = [...new Set(asked.value.map(routeId))];
  // Routes that a file lists for its servers do not bind the servers that replace them.
  const isInherited = (settings.get('servers')?.rank ?? asked.rank) < asked.rank;
  if (!isInherited) return () => ids;
  return (server) => {
    const shared = ids.filter((id) => own(server).includes(id));
    return shared.length > 0 ? shared : own(server);
  };
}

/**
 * What nobody measures is neither checked nor provided for: a server keeps the services of its measured
 * routes, given by id, and no routes that need others.
 * @type {(server: Server, measured: string[]) => Server}
 */
export function asMeasured(server, measured) {
  const own = server.routes.flatMap(({ id, needs = [] }) => (measured.includes(id) ? needs : []));
  const needs = [...new Set([...server.needs, ...own])];
  const isServed = (/** @type {Route} */ route) => (route.needs ?? []).every((id) => needs.includes(id));
  return { ...server, needs, routes: server.routes.filter(isServed) };
}

/** A file or a flag names the route, or writes it out. @type {(route: any) => string} */
export function routeId(route) {
  const { method = 'GET', path } = typeof route === 'string' ? splitRoute(route) : route;
  return routeName(method, path);
}

/**
 * @type {(points: Point[], settings: Settings) => void}
 * @throws {UserError} for every server that lacks a route it is to be measured on
 */
export function checkRoutes(points, settings) {
  const listed = settings.get('routes')?.layer.where('routes') ?? 'routes';
  const lines = points
    .filter(({ server, route }) => !server.routes.some(({ id }) => id === route))
    .map(({ server, route, place = listed }) => {
      const known = server.routes.map(({ id }) => id);
      return `${place}: server "${server.id}" has no route "${route}"${nearest(route, known)}`;
    });
  if (lines.length > 0) throw new UserError([...new Set(lines)].join('\n'));
}
