/**
 * What the figures of one run say, as data; the intervals carry every claim.
 * @import { RunCase, Run } from '../types.js'
 * @import { Level } from '../samples/case-figures.js'
 * @import { Group } from './groups.js'
 * @import { Quotient } from './ratio.js'
 */

import { greatest, group, sum } from 'd3-array';
import { conditionsOf, DIMENSIONS } from '../model/dimensions.js';
import { levelOf, windowsOf } from '../samples/case-figures.js';
import { LEADING } from '../samples/figures.js';
import { alikeBut, groupsOf } from './groups.js';
import { NEGLIGIBLE, quotientOf } from './ratio.js';

/** Two points have no knee. */
const LEAST_STEPS = 3;
/** The share of the cores above which there is no room for more work. */
const FULL = 0.9;
const WORTH = 1 + NEGLIGIBLE;
/** Allocators alone cause smaller differences. */
const MORE_MEMORY = 1.2;

/** @typedef {'connections' | 'instances' | 'keepAlive'} Field */

/**
 * Where throughput stops growing. low, high: steps between which the knee lies, of first to last; gained: up to there; further: the
 * most that a later step adds.
 * @typedef {{ code: 'knee', runCase: RunCase, field: 'connections' | 'instances', first: number, low: number, high: number,
 *   last: number, gained: Quotient | undefined, further: Quotient | undefined }} Knee
 */
/**
 * The limit of a server where its throughput is highest. share: of the cores that it can keep busy; client, all: cores in use.
 * @typedef {{ code: 'limit', runCase: RunCase, field: 'connections', connections: number, throughput: Level, share: Level,
 *   serverCores: number, client: number, clientCores: number, all: number, machine: number, bytesPerSecond: number | undefined,
 *   bound: 'client' | 'server' | 'processes' | 'machine' | 'waiting' }} HighestThroughput
 */
/**
 * The cost of a new connection for every request. limited: whether the load tool was at its limit with keep-alive on, and off.
 * @typedef {{ code: 'keepAlive', runCase: RunCase, field: 'keepAlive', on: number, off: number, limited: boolean[],
 *   factor: Quotient | undefined }} KeepAlive
 */
/** Routes of a server that hold more memory than another under load, most first. @typedef {{ code: 'memory', more: Holding[], least: Holding }} Memory */
/** @typedef {{ runCase: RunCase, level: Level }} Holding */
/** Servers against the one that ratios refer to. @typedef {{ code: 'yardstick', group: Group, yardstick: RunCase, others: Ranked[] }} Yardstick */
/** open: it cannot be distinguished. @typedef {{ runCase: RunCase, quotient: Quotient, rank: 'faster' | 'slower' | 'open' }} Ranked */
/** @typedef {Knee | HighestThroughput | KeepAlive | Memory | Yardstick} Finding */

/** @param {Run} run @returns {Finding[]} */
export function findingsOf(run) {
  const { cases, environment } = run;
  return [
    ...alikeBut(cases, 'connections').flatMap((alike) => knee(alike, 'connections')),
    ...alikeBut(cases, 'connections').flatMap((alike) => limit(alike, environment.cores)),
    ...alikeBut(cases, 'instances').flatMap((alike) => knee(alike, 'instances')),
    ...alikeBut(cases, 'keepAlive').flatMap(keepAlive),
    ...memories(cases),
    ...groupsOf(run).flatMap(ranks),
  ];
}

/**
 * The first step that no later one exceeds. It is a range of steps where comparisons stay open. Steps that the load tool limits are
 * left out.
 * @param {RunCase[]} cases @param {'connections' | 'instances'} field @returns {Knee[]}
 */
function knee(cases, field) {
  const stepOf = (/** @type {RunCase} */ runCase) => conditionsOf(runCase)[field];
  const steps = cases
    .filter(({ summary }) => summary && !summary.clientBound)
    .toSorted((a, b) => stepOf(a) - stepOf(b));
  const [first] = steps;
  if (!first || steps.length < LEAST_STEPS) return [];
  const gains = steps.map((step, index) => steps.slice(index + 1).map((later) => quotientOf(later, step)));
  const from = gains.findIndex((later) => !later.some((gain) => gain && gain.low > WORTH));
  const to = gains.findIndex((later) => !later.some((gain) => !gain || gain.high > WORTH));
  const high = /** @type {RunCase} */ (steps[to]);
  return [
    {
      code: 'knee',
      runCase: first,
      field,
      first: stepOf(first),
      low: stepOf(steps[from] ?? first),
      high: stepOf(high),
      last: stepOf(steps.at(-1) ?? first),
      gained: to > 0 ? quotientOf(high, first) : undefined,
      further: greatest(gains[to] ?? [], (gain) => gain?.high ?? 0),
    },
  ];
}

/** @param {RunCase[]} cases @param {number} machine its cores @returns {HighestThroughput[]} */
function limit(cases, machine) {
  const steps = cases.filter(({ summary }) => summary);
  const best = greatest(steps, ({ summary }) => summary?.throughput);
  if (!best || steps.length < LEAST_STEPS || !machine) return [];
  const { clientCores = best.load.threads ?? 1, serverCores = 1, summary } = best;
  const [throughput, server] = [levelOf(best, LEADING.id), levelOf(best, 'serverCores')];
  const client = levelOf(best, 'clientCores')?.value;
  if (!throughput || !server || client === undefined) return [];
  const beside = sum(['proxyCores', 'servicesCores'], (id) => levelOf(best, id)?.value);
  const all = server.value + client + beside + (summary?.foreignShare ?? 0) * machine;
  const [isBusy, isFull] = [server.value > FULL * serverCores, all > FULL * machine];
  const ofServer = isBusy ? (isFull ? 'server' : 'processes') : isFull ? 'machine' : 'waiting';
  const share = (/** @type {number} */ cores) => cores / serverCores;
  const { n, value, low, high } = server;
  return [
    {
      code: 'limit',
      runCase: best,
      field: 'connections',
      connections: best.load.connections,
      bound: summary?.clientBound ? 'client' : ofServer,
      throughput,
      share: {
        n,
        value: share(value),
        ...(low !== undefined && high !== undefined && { low: share(low), high: share(high) }),
      },
      serverCores,
      client,
      clientCores,
      all,
      machine,
      bytesPerSecond: summary?.bytes && summary.bytes / sum(windowsOf(best), ({ seconds }) => seconds),
    },
  ];
}

/** @param {RunCase[]} cases @returns {KeepAlive[]} */
function keepAlive(cases) {
  const [on, off] = [true, false].map((kept) => cases.find(({ load }) => load.keepAlive === kept));
  if (!on?.summary || !off?.summary) return [];
  return [
    {
      code: 'keepAlive',
      runCase: on,
      field: 'keepAlive',
      on: on.summary.throughput,
      off: off.summary.throughput,
      limited: [on, off].map(({ summary }) => summary?.clientBound === true),
      factor: quotientOf(on, off),
    },
  ];
}

/** @param {RunCase[]} all @returns {Memory[]} over the whole time under load */
function memories(all) {
  const groups = group(all, (runCase) => {
    const conditions = conditionsOf(runCase);
    return JSON.stringify([runCase.server, DIMENSIONS.map(({ field }) => conditions[field])]);
  });
  return [...groups.values()].flatMap((cases) => {
    const holdings = cases.flatMap((runCase) => {
      const level = levelOf(runCase, 'meanMemory');
      return level?.high === undefined ? [] : { runCase, level };
    });
    const [least, ...others] = holdings.toSorted((a, b) => a.level.value - b.level.value);
    const { high = 0 } = least?.level ?? {};
    const more = others.filter(({ level: { low = 0 } }) => low > MORE_MEMORY * high).toReversed();
    return least && more.length > 0 ? [{ code: 'memory', more, least }] : [];
  });
}

/** @param {Group} compared @returns {Yardstick[]} without those that the load tool limited */
function ranks(compared) {
  const { cases, yardstick } = compared;
  if (!yardstick || yardstick.summary?.clientBound) return [];
  const others = cases.flatMap((runCase) => {
    const isRanked = runCase !== yardstick && !runCase.reference && !runCase.summary?.clientBound;
    const quotient = isRanked ? quotientOf(runCase, yardstick) : undefined;
    return quotient ? { runCase, quotient, rank: rankOf(quotient) } : [];
  });
  const ranked = others.toSorted((a, b) => b.quotient.value - a.quotient.value);
  return others.length > 0 ? [{ code: 'yardstick', group: compared, yardstick, others: ranked }] : [];
}

/** @param {Quotient} quotient @returns {Ranked['rank']} */
function rankOf({ low, high }) {
  if (low > 1) return 'faster';
  return high < 1 ? 'slower' : 'open';
}
