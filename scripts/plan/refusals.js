/**
 * What a load tool cannot do, said before anything is started.
 * @import { Case } from '../types.js'
 * @import { Ability } from '../load/tools.js'
 */

import { findTool, TOOLS } from '../load/tools.js';

/** What cannot be, and the setting that asks for it. @typedef {{ key: string, why: string }} Refusal */

/** @type {{ can: Ability, key: string, what: string, isAsked: (of: Case) => boolean }[]} */
const ABILITIES = [
  { can: 'rate', key: 'load.rate', what: 'hold a rate', isAsked: ({ load }) => load.rate !== undefined },
  { can: 'pipelining', key: 'load.pipelining', what: 'pipeline', isAsked: ({ load }) => load.pipelining > 1 },
  {
    can: 'keepAliveOff',
    key: 'load.keepAlive',
    what: 'open a connection for every request',
    isAsked: ({ load }) => !load.keepAlive,
  },
  {
    can: 'threads',
    key: 'load.threads',
    what: 'use several threads',
    isAsked: ({ load }) => load.threads > 1,
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
    isAsked: ({ request }) => request.body !== undefined,
  },
];

/**
 * @param {Case} of
 * @returns {Refusal[]} none where the case can be measured
 */
export function refusals(of) {
  const { load } = of;
  const { tool, connections, threads, pipelining, keepAlive } = load;
  const lacking = ABILITIES.filter(({ can, isAsked }) => isAsked(of) && !findTool(tool).can[can]);
  const found = lacking.map(({ can, key, what }) => ({
    key,
    why: `${tool} cannot ${what}${others(can)}`,
  }));
  if (threads > connections) {
    const why = `${tool} cannot share ${connections} connections among ${threads} threads; ask for fewer threads or more connections`;
    found.push({ key: 'load.threads', why });
  }
  if (pipelining > 1 && !keepAlive) {
    const why = 'requests are pipelined on a connection that stays open only; leave keepAlive on';
    found.push({ key: 'load.pipelining', why });
  }
  return [...found, ...fractions(load)];
}

/**
 * @param {Case['load']} load
 * @returns {Refusal[]}
 */
function fractions({ tool, durationSeconds, warmupSeconds, windows = 1 }) {
  if (!findTool(tool).wholeSeconds) return [];
  const rule = `${tool} runs for whole seconds only`;
  const part = windows > 1 ? `one of ${windows} windows of ` : '';
  return [
    ...(Number.isInteger(warmupSeconds)
      ? []
      : [{ key: 'load.warmup', why: `${rule}; ${warmupSeconds} s will not do` }]),
    ...(Number.isInteger(durationSeconds / windows)
      ? []
      : [{ key: 'load.duration', why: `${rule}; ${part}${durationSeconds} s will not do` }]),
  ];
}

/**
 * @param {Ability} ability
 * @returns {string} the hint that names the tools that can
 */
function others(ability) {
  const able = TOOLS.filter(({ can }) => can[ability]);
  return able.length > 0
    ? `; use ${able.map(({ id }) => id).join(' or ')}`
    : '; no load tool here can, so leave it out';
}
