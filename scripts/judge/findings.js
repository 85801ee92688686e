/**
 * What the figures of one run say, as data; the intervals carry every claim.
 * @import { RunCase, Run } from '../types.js'
 * @import { Level } from '../samples/case-figures.js'
 * @import { Quotient } from './ratio.js'
 */

import { greatest, sum } from 'd3-array';
import { conditionsOf } from '../model/dimensions.js';
import { levelOf, windowsOf } from '../samples/case-figures.js';
import { LEADING } from '../samples/figures.js';
import { alikeBut } from './case-groups.js';
import { NEGLIGIBLE, quotientOf } from './ratio.js';

/** Two points have no knee. */
const LEAST_STEPS = 3;
/** The share of the cores above which there is no room for more work. */
const FULL = 0.9;
const WORTH = 1 + NEGLIGIBLE;

/** @typedef {'connections' | 'instances' | 'keepAlive'} Field */

/**
 * Where throughput stops growing. low, high: steps between which the knee lies, of first to last; gained: up
 * to there; further: the most that a later step adds.
 * @typedef {{ code: 'knee', runCase: RunCase, field: 'connections' | 'instances', first: number, low: number,
 *   high: number, last: number, gained: Quotient | undefined, further: Quotient | undefined }} Knee
 */
/**
 * The limit of a server where its throughput is highest. share: of the cores that it can keep busy; client,
 * all: cores in use.
 * @typedef {{ code: 'limit', runCase: RunCase, field: 'connections', connections: number, throughput: Level,
 *   share: Level, serverCores: number, client: number, clientCores: number, all: number, machine: number,
 *   bytesPerSecond: number | undefined, bound: 'client' | 'server' | 'processes' | 'machine' | 'waiting' }}
 *   HighestThroughput
 */
/**
 * The cost of a new connection for every request. limited: the tool was at its limit with it on, off.
 * @typedef {{ code: 'keepAlive', runCase: RunCase, field: 'keepAlive', on: number, off: number,
 *   limited: boolean[], factor: Quotient | undefined }} KeepAlive
 */
/** @typedef {Knee | HighestThroughput | KeepAlive} Finding */

/** @type {(run: Run) => Finding[]} */
export function findingsOf({ cases, environment }) {
  return [
    ...alikeBut(cases, 'connections').flatMap((alike) => knee(alike, 'connections')),
    ...alikeBut(cases, 'connections').flatMap((alike) => limit(alike, environment.cores)),
    ...alikeBut(cases, 'instances').flatMap((alike) => knee(alike, 'instances')),
    ...alikeBut(cases, 'keepAlive').flatMap(keepAlive),
  ];
}

/**
 * The first step that no later one exceeds. It is a range of steps where comparisons stay open. Steps that
 * the load tool limits are left out.
 * @type {(cases: RunCase[], field: 'connections' | 'instances') => Knee[]}
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

/** The machine is its number of cores. @type {(cases: RunCase[], machine: number) => HighestThroughput[]} */
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
  const ends = low !== undefined && high !== undefined && { low: share(low), high: share(high) };
  return [
    {
      code: 'limit',
      runCase: best,
      field: 'connections',
      connections: best.load.connections,
      bound: summary?.clientBound ? 'client' : ofServer,
      share: { n, value: share(value), ...ends },
      ...{ throughput, serverCores, client, clientCores, all, machine },
      bytesPerSecond: summary?.bytes && summary.bytes / sum(windowsOf(best), ({ seconds }) => seconds),
    },
  ];
}

/** @type {(cases: RunCase[]) => KeepAlive[]} */
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
