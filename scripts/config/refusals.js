/**
 * Refuses what a load tool or a server cannot do, before anything starts.
 * @import { Case, Deployment, Server } from '../types.js'
 * @import { Ability } from '../load/tools.js'
 * @import { Key } from './settings.js'
 */

import { frontOf } from '../deploy/topology/fronts.js';
import { managerOf } from '../deploy/topology/managers.js';
import { RUNTIMES } from '../deploy/runtimes.js';
import { DIMENSIONS, telling } from '../model/dimensions.js';
import { findTool, TOOLS } from '../load/tools.js';

/** An impossible request, and the setting that makes it. @typedef {{ key: Key, why: string }} Refusal */

/** @type {{ can: Ability, key: Key, what: string, isAsked: (of: Case) => boolean }[]} */
const ABILITIES = [
  ...DIMENSIONS.flatMap((row) =>
    'needs' in row
      ? {
          ...{ ...row.needs, key: row.key },
          isAsked: (/** @type {Case} */ { load }) => telling(load).some((each) => each.row === row),
        }
      : [],
  ),
  {
    can: 'https',
    key: 'proxy',
    what: 'load a server over HTTPS',
    isAsked: (of) => frontOf(of).tls === true,
  },
  {
    can: 'requests',
    key: 'load.requests',
    what: 'send a fixed number of requests',
    isAsked: ({ load }) => load.requests !== undefined,
  },
  {
    can: 'anyPath',
    key: 'load.tool',
    what: 'ask for a path that begins with two slashes',
    isAsked: ({ request, load }) => load.script === undefined && request.path.startsWith('//'),
  },
  {
    can: 'method',
    key: 'request.method',
    what: 'send another method than GET',
    isAsked: ({ request }) => request.method !== 'GET',
  },
  {
    can: 'headers',
    key: 'request.headers',
    what: 'send headers',
    isAsked: ({ request }) => Object.keys(request.headers).length > 0,
  },
  {
    can: 'body',
    key: 'request.body',
    what: 'send a body',
    isAsked: ({ request: { body, bodyFile } }) => (body ?? bodyFile) !== undefined,
  },
];

/** @param {Case} of @returns {Refusal[]} none where the case can be measured */
export function refusals(of) {
  const { load } = of;
  const { tool, connections, threads, pipelining, keepAlive, rate, requests, windows = 1 } = load;
  const { script, processes = 1, workers, host } = load;
  const lacking = ABILITIES.filter(({ can, isAsked }) => isAsked(of) && !findTool(tool).can[can]);
  const found = lacking.map(({ can, key, what }) => ({
    key,
    why: `${tool} cannot ${what}${others(can)}`,
  }));
  if (threads > connections) {
    const why = `${tool} cannot split ${connections} connections over ${threads} threads; use fewer threads or more connections`;
    found.push({ key: 'load.threads', why });
  }
  if (requests !== undefined && requests < connections * windows) {
    const each = windows > 1 ? ` in each of ${windows} windows` : '';
    const why = `${requests} requests are too few for ${connections} connections${each}; use at least ${connections * windows}`;
    found.push({ key: 'load.requests', why });
  }
  if (rate !== undefined && (threads > 1 || pipelining > 1)) {
    const [key, what] = /** @type {[Key, string]} */ (
      threads > 1 ? ['load.threads', 'several threads'] : ['load.pipelining', 'pipelining']
    );
    found.push({ key, why: `a rate sends every request when it is due, which ${what} cannot; leave it out` });
  }
  if (script !== undefined && rate !== undefined) {
    const why = 'a script sets its own request rate; remove `rate`';
    found.push({ key: 'load.rate', why });
  }
  if (processes > connections) {
    const why = `${tool} cannot split ${connections} connections over ${processes} processes; use fewer processes or more connections`;
    found.push({ key: 'load.processes', why });
  }
  if (host !== undefined && workers === undefined) {
    const why = 'no other machine takes part without workers; give their number, or leave host out';
    found.push({ key: 'load.host', why });
  }
  if (workers !== undefined && processes > 1) {
    const why = 'workers send the load, each in processes of its own; leave processes out';
    found.push({ key: 'load.processes', why });
  }
  if (pipelining > 1 && !keepAlive) {
    const why = 'pipelining needs connections that stay open; leave keepAlive on';
    found.push({ key: 'load.pipelining', why });
  }
  return [...found, ...fractions(load)];
}

/**
 * @param {Server} server
 * @param {Deployment} deployment
 * @returns {Refusal[]} none if it can be deployed so
 */
export function refusalsOf({ id, runtime }, deployment) {
  const { proxy, tls } = frontOf(deployment);
  if (RUNTIMES[runtime]?.preload) return [];
  const is = `a Node server, and ${id} runs on ${runtime}`;
  /** @type {Refusal[]} */
  const found = [];
  if (managerOf(deployment) !== undefined) {
    const [key, what] =
      deployment.instances > 1
        ? ['instances', 'several instances need']
        : ['manager', `${deployment.manager} needs`];
    found.push({ key: /** @type {Key} */ (key), why: `${what} ${is}; exclude it` });
  }
  if (tls && !proxy) found.push({ key: 'proxy', why: `https needs ${is}; use https+nginx` });
  return found;
}

/** @param {Case['load']} load @returns {Refusal[]} */
function fractions({ tool, durationSeconds, warmupSeconds, windows = 1 }) {
  if (!findTool(tool).wholeSeconds) return [];
  const part = windows > 1 ? `one of ${windows} windows of ` : '';
  /** @type {[Key, number, string][]} */
  const times = [
    ['load.warmup', warmupSeconds, `${warmupSeconds} s`],
    ['load.duration', durationSeconds / windows, `${part}${durationSeconds} s`],
  ];
  return times
    .filter(([, seconds]) => !Number.isInteger(seconds))
    .map(([key, , told]) => ({ key, why: `${tool} runs for whole seconds only; ${told} is not possible` }));
}

/** @param {Ability} ability @returns {string} the hint that names the tools that can */
function others(ability) {
  const able = TOOLS.filter(({ can }) => can[ability]);
  return able.length > 0
    ? `; use ${able.map(({ id }) => id).join(' or ')}`
    : '; no load tool can, so leave it out';
}
