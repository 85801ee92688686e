/**
 * Refuses what a load tool or a server cannot do, before anything starts.
 * @import { Case, Deployment, Load, Server } from '../types.js'
 * @import { Ability } from '../load/tools.js'
 * @import { Key } from './settings.js'
 */

import { proxyOf } from '../deploy/topology/proxies.js';
import { managerOf } from '../deploy/topology/managers.js';
import { RUNTIMES } from '../deploy/runtimes.js';
import { findTool, TOOLS } from '../load/tools.js';
import { DIMENSIONS, distinguishing } from '../model/dimensions.js';
import { ROUTE_KEYS } from '../model/route-keys.js';

/** An impossible request, and the setting that makes it. @typedef {{ key: Key, why: string }} Refusal */
/** @typedef {[isBroken: boolean, key: Key, why: string]} Rule */

/**
 * What a load tool must be able to do.
 * @type {{ can: Ability, key: Key, what: string, isAsked: (planned: Case) => boolean }[]}
 */
const ABILITIES = [
  ...DIMENSIONS.flatMap((row) => {
    const isAsked = (/** @type {Case} */ { load }) => distinguishing(load).some((each) => each.row === row);
    return 'needs' in row ? [{ can: row.needs.can, what: row.needs.what, key: row.key, isAsked }] : [];
  }),
  {
    can: 'requests',
    key: 'load.requests',
    what: 'send a fixed number of requests',
    isAsked: ({ load }) => load.requests !== undefined,
  },
  ...ROUTE_KEYS.filter(({ can }) => can).map(
    ({ key, can, what = '', isAsked = (asked) => key in asked }) => ({
      can: /** @type {Ability} */ (can),
      key: /** @type {const} */ ('load.tool'),
      what,
      // A script makes its own requests.
      isAsked: (/** @type {Case} */ { load, request }) => load.script === undefined && isAsked(request),
    }),
  ),
];

/** In words. @type {(tool: { can: Ability[] }) => string[]} */
export function abilitiesOf({ can: own }) {
  return ABILITIES.filter(({ can }) => own.includes(can)).map(({ what }) => what);
}

/** None refuses a case that can be measured. @type {(planned: Case) => Refusal[]} */
export function refusals(planned) {
  const { load } = planned;
  const tool = findTool(load.tool);
  const lacking = ABILITIES.filter(({ can, isAsked }) => isAsked(planned) && !tool.can.includes(can));
  return [
    ...lacking.map(({ can, key, what }) => {
      const able = TOOLS.filter((other) => other.can.includes(can)).map(({ id }) => id);
      return { key, why: `${load.tool} cannot ${what}; use ${able.join(' or ')}` };
    }),
    ...broken([...combinations(load), ...excluded(planned), ...(tool.wholeSeconds ? fractions(load) : [])]),
  ];
}

/** @type {(rules: Rule[]) => Refusal[]} */
function broken(rules) {
  return rules.filter(([isBroken]) => isBroken).map(([, key, why]) => ({ key, why }));
}

/** Settings that exclude one another. @type {(load: Load) => Rule[]} */
function combinations(load) {
  const { tool, connections, threads, pipelining, keepAlive, rate, requests, windows = 1 } = load;
  const { script, processes = 1, workers, host } = load;
  const isRated = rate !== undefined;
  const due = (/** @type {string} */ what) =>
    `a rate sends every request when it is due, which ${what} cannot; leave it out`;
  const split = (/** @type {number} */ parts, /** @type {string} */ what) =>
    `${tool} cannot split ${connections} connections over ${parts} ${what}; use fewer ${what} or more connections`;
  const perWindow = windows > 1 ? ` in each of ${windows} windows` : '';
  return [
    [threads > connections, 'load.threads', split(threads, 'threads')],
    [
      requests !== undefined && requests < connections * windows,
      'load.requests',
      `${requests} requests are too few for ${connections} connections${perWindow}; use at least ${connections * windows}`,
    ],
    [isRated && threads > 1, 'load.threads', due('several threads')],
    [isRated && threads <= 1 && pipelining > 1, 'load.pipelining', due('pipelining')],
    [isRated && script !== undefined, 'load.rate', 'a script sets its own request rate; remove `rate`'],
    [processes > connections, 'load.processes', split(processes, 'processes')],
    [
      host !== undefined && workers === undefined,
      'load.host',
      'only workers on other machines use this address; set workers, or leave host out',
    ],
    [
      workers !== undefined && processes > 1,
      'load.processes',
      'workers send the load, each in its own processes; leave processes out',
    ],
    [
      pipelining > 1 && !keepAlive,
      'load.pipelining',
      'pipelining needs connections that stay open; leave keepAlive on',
    ],
  ];
}

/** What no load of its request can have. @type {(planned: Case) => Rule[]} */
function excluded({ load, request }) {
  const set = distinguishing(load).map(({ row }) => row.key);
  return ROUTE_KEYS.filter(({ key }) => key in request).flatMap(({ excludes = [], because }) =>
    excludes.map(([key, what]) => [
      set.includes(key),
      key,
      `${because}: ${what} cannot be used; leave it out`,
    ]),
  );
}

/** @type {(load: Load) => Rule[]} */
function fractions({ tool, durationSeconds, warmupSeconds, windows = 1 }) {
  const part = windows > 1 ? `one of ${windows} windows of ` : '';
  const why = (/** @type {string} */ time) => `${tool} runs for whole seconds only; ${time} is not possible`;
  return [
    [!Number.isInteger(warmupSeconds), 'load.warmup', why(`${warmupSeconds} s`)],
    [!Number.isInteger(durationSeconds / windows), 'load.duration', why(`${part}${durationSeconds} s`)],
  ];
}

/** None refuses what can be deployed so. @type {(server: Server, deployment: Deployment) => Refusal[]} */
export function refusalsOf({ id, runtime }, deployment) {
  if (RUNTIMES[runtime]?.preload) return [];
  const { proxy, tls } = proxyOf(deployment);
  const { instances, manager } = deployment;
  const node = `a Node server, and ${id} runs on ${runtime}`;
  const isManagedAlone = instances === 1 && managerOf(deployment) !== undefined;
  return broken([
    [instances > 1, 'instances', `several instances need ${node}; exclude it`],
    [isManagedAlone, 'manager', `${manager} needs ${node}; exclude it`],
    [tls === true && !proxy, 'proxy', `https needs ${node}; use https+nginx`],
  ]);
}
