/**
 * The measured combinations of servers, routes and loads: `exclude` removes some, `include` changes or adds
 * some, as in a workflow's matrix (docs.github.com, "Running variations of jobs in a workflow").
 * @import { Caller, Conditions, Server } from '../types.js'
 * @import { Layer } from './layers.js'
 * @import { Key, Settings } from './settings.js'
 */

import { DIMENSIONS, entryKey } from '../model/dimensions.js';
import { defined } from '../model/defined.js';
import { UserError } from '../model/errors.js';
import { KINDS } from './kinds.js';
import { writtenIn } from './layers.js';
import { readLoadChanges, scriptOf } from './asked-loads.js';
import { nearest } from '../model/nearest.js';
import { routeId } from './servers/measured-routes.js';

/** More than anybody reads in a report. */
const MOST_CASES = 5000;

/** The setting that lists the values of an entry's key. @type {Record<string, Key>} */
const LISTS = {
  server: 'servers',
  route: 'routes',
  ...Object.fromEntries(DIMENSIONS.map(({ key }) => [entryKey(key), key])),
};

/**
 * An entry of include or exclude, valid by the schema; its other keys are dimensions. place: of the entry
 * that added a point.
 * @typedef {{ server?: string, route?: string, duration?: string, warmup?: string, requests?: number,
 *   windows?: number, [dimension: string]: string | number | boolean | undefined }} PointEntry
 * @typedef {{ servers: Server[], routesOf: (server: Server) => string[], loads: Conditions[] }} Lists
 * @typedef {{ server: Server, route: string, load: Conditions, place?: string }} Point
 * @typedef {{ value: PointEntry, layer: Layer, where: (...path: string[]) => string }} Entry
 */

/**
 * @param {Lists} lists
 * @param {{ layers: Layer[], settings: Settings, caller: Caller }} sources
 * @returns {Point[]} by server, then route, then load; added ones last
 * @throws {UserError} for an entry that matches nothing
 */
export function readMatrix(lists, { layers, settings, caller }) {
  const routes = lists.servers.reduce((sum, server) => sum + lists.routesOf(server).length, 0);
  if (routes * lists.loads.length > MOST_CASES)
    throw new UserError(
      `${routes} routes under ${lists.loads.length} loads are more than ${MOST_CASES} cases; use shorter lists`,
    );
  const product = combine(lists);
  /** @param {Entry} entry */
  const isReplaced = ({ layer }) =>
    Object.values(LISTS).some((key) => (settings.get(key)?.rank ?? layers.length) < layers.indexOf(layer));
  const excluded = entriesOf('exclude', layers, caller);
  for (const entry of excluded) {
    // A file's entries need not match the lists that flags replaced.
    if (product.some((point) => agrees(point, entry.value)) || isReplaced(entry)) continue;
    checkServer(entry, lists.servers);
    const why = 'no combination has these values; correct them or remove this entry';
    throw new UserError(`${entry.where()}: ${why}`);
  }
  const kept = product.filter((point) => !excluded.some(({ value }) => agrees(point, value)));
  const included = entriesOf('include', layers, caller).filter((entry) => {
    if (lists.servers.some((server) => isMeant(server, entry.value))) return true;
    if (!isReplaced(entry)) checkServer(entry, lists.servers);
    return false;
  });
  const points = included.length > 0 ? withIncluded(kept, included, { lists, settings }) : kept;
  if (points.length > 0 || product.length === 0) return points;
  throw new UserError(`${excluded[0]?.where()}: nothing is left to measure; remove an entry`);
}

/**
 * As in GitHub's matrix, an entry extends every combination that it does not contradict; where there is none,
 * it adds combinations, with every value of what it leaves open.
 * @type {(kept: Point[], included: Entry[], context: { lists: Lists, settings: Settings }) => Point[]}
 */
function withIncluded(kept, included, { lists, settings }) {
  /** @param {string} key */
  const isListed = (key) => {
    if (['server', 'route'].includes(key)) return true;
    const setting = LISTS[key] && settings.get(LISTS[key]);
    return setting !== undefined && !setting.layer.isDefault;
  };
  const points = kept.map((point) => ({ ...point }));
  const added = included.flatMap(({ value, where }) => {
    const { route } = value;
    const listed = Object.fromEntries(Object.entries(value).filter(([key]) => isListed(key)));
    const changes = readLoadChanges(value, { settings, where });
    const hits = points.filter((_, index) => agrees(/** @type {Point} */ (kept[index]), listed));
    for (const point of hits) point.load = { ...point.load, ...changes };
    if (hits.length > 0) return [];
    return combine({
      servers: lists.servers.filter((server) => isMeant(server, value)),
      routesOf: route === undefined ? lists.routesOf : () => [routeId(route)],
      loads: lists.loads.map((load) => ({ ...load, ...changes })),
    }).map((point) => ({ ...point, place: where() }));
  });
  return [...points, ...added];
}

/** @type {(lists: Lists) => Point[]} */
function combine({ servers, routesOf, loads }) {
  return servers.flatMap((server) =>
    routesOf(server).flatMap((route) => loads.map((load) => ({ server, route, load }))),
  );
}

/** @type {(key: 'include' | 'exclude', layers: Layer[], caller: Caller) => Entry[]} */
function entriesOf(key, layers, caller) {
  const { value: entries, layer } = writtenIn(layers, key) ?? {};
  if (!layer) return [];
  return /** @type {PointEntry[]} */ (entries).map(({ instances, script, ...value }, index) => {
    const where = (/** @type {string[]} */ ...path) => layer.where(key, index, ...path);
    const [count] = instances === undefined ? [] : KINDS.instances(instances, where('instances'), caller);
    const at = { layer, where: where('script'), folder: caller.folder };
    const file = script === undefined ? undefined : scriptOf(String(script), at);
    return { value: { ...value, ...defined({ instances: count, script: file }) }, layer, where };
  });
}

/** Whether the point has every value of the entry. @type {(point: Point, entry: PointEntry) => boolean} */
function agrees({ server, route, load }, { server: name, route: path, ...others }) {
  return (
    [undefined, server.id].includes(name) &&
    (path === undefined || routeId(path) === route) &&
    DIMENSIONS.every(({ key, field }) => [undefined, load[field]].includes(others[entryKey(key)]))
  );
}

/** @type {(server: Server, entry: Pick<PointEntry, 'server'>) => boolean} */
function isMeant({ id }, { server = id }) {
  return id === server;
}

/**
 * @type {(entry: Entry, servers: Server[]) => void}
 * @throws {UserError} if it names a server that is not measured
 */
function checkServer({ value: { server }, where }, servers) {
  const ids = servers.map(({ id }) => id);
  if (server === undefined || ids.includes(server)) return;
  throw new UserError(`${where('server')}: server "${server}" is not measured${nearest(server, ids)}`);
}
