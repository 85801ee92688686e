/**
 * The limits in perf.yml, and the cases that they add.
 * @import { Case, LimitRule, MetricId, Server } from '../types.js'
 * @import { Layer } from './layers.js'
 * @import { Point } from './matrix.js'
 * @import { Settings } from './settings.js'
 */

import { everyMistake } from '../model/attempt.js';
import { defined } from '../model/defined.js';
import { UserError } from '../model/errors.js';
import { parseCount } from '../model/units.js';
import { limitedCases } from '../model/limited-cases.js';
import { metric } from '../samples/figures.js';
import { nearest } from '../model/nearest.js';
import { isStarted } from '../deploy/services.js';
import { findTool } from '../load/tools.js';
import { writtenIn } from './layers.js';
import { routeId } from './servers/measured-routes.js';

/** where: names the place of the rule's metric. @typedef {LimitRule & { where: string }} PlacedRule */
/**
 * An entry, valid by the schema: its other keys are metrics.
 * @typedef {{ at?: string | number, server?: string, route?: string,
 *   [metric: string]: string | number | undefined }} Entry
 */

/** In ms, µs, bytes and requests a second, as figures. @type {Record<string, Record<string, number>>} */
const UNITS = {
  time: { us: 0.001, µs: 0.001, ms: 1, s: 1000 },
  cpu: { us: 1, µs: 1, ms: 1000 },
  bytes: { B: 1, kB: 1e3, KB: 1e3, MB: 1e6, GB: 1e9 },
  rate: { '/s': 1, 'req/s': 1, '': 1 },
  share: { '%': 0.01 },
  count: { '': 1 },
};

const RATE = { units: 'rate', like: '500/s' };

/** @type {Record<MetricId, { units: keyof typeof UNITS, like: string }>} */
const METRICS = {
  p50: { units: 'time', like: '10ms' },
  p99: { units: 'time', like: '50ms' },
  throughput: RATE,
  cpuPerRequest: { units: 'cpu', like: '200us' },
  memory: { units: 'bytes', like: '256MB' },
  allocated: { units: 'bytes', like: '50kB' },
  outgoing: { units: 'count', like: '3' },
  statements: { units: 'count', like: '10' },
  errors: { units: 'share', like: '0.1%, or 0% for none' },
};
const LATENCIES = ['p50', 'p99'];

/** Returns it as perf.yml says it: 50ms. @type {(id: MetricId, bound: number) => string} */
export function limitAmount(id, bound) {
  const units = Object.entries(UNITS[METRICS[id]?.units ?? ''] ?? {}).toSorted(([, a], [, b]) => b - a);
  const [unit = '', factor = 1] = units.find(([, size]) => bound >= size) ?? units.at(-1) ?? [];
  return `${Number((bound / factor).toPrecision(12))}${unit}`;
}

/**
 * @type {(layers: Layer[]) => PlacedRule[]}
 * @throws {UserError} with every mistake, one a line
 */
export function readLimits(layers) {
  const { value, layer } = writtenIn(layers, 'limits') ?? {};
  if (!layer) return [];
  /** @type {Entry[]} */
  const entries = [value].flat();
  return everyMistake((attempt) =>
    entries.flatMap((entry, index) => {
      const path = Array.isArray(value) ? [index] : [];
      return attempt(() => rulesOf(entry, (key) => layer.where('limits', ...path, ...key))) ?? [];
    }),
  );
}

/** Makes one of each metric. @type {(entry: Entry, where: (key: string[]) => string) => PlacedRule[]} */
function rulesOf({ at, server, route, ...bounds }, where) {
  const rate = at === undefined ? undefined : parseAmount(at, RATE, where(['at']));
  if (rate !== undefined && Number.isInteger(rate)) parseCount(String(rate), where(['at']));
  else if (rate !== undefined)
    throw new UserError(
      `${where(['at'])}: "${at}" is not a valid rate; use a whole number, like ${RATE.like}`,
    );
  const metrics = Object.entries(bounds);
  if (metrics.length === 0)
    throw new UserError(`${where([])}: a limit needs a metric; add one, like p99: 50ms`);
  return metrics.map(([metric, text]) => {
    const kind = METRICS[metric];
    const place = where([metric]);
    if (!kind)
      throw new UserError(`${place}: unknown metric "${metric}"${nearest(metric, Object.keys(METRICS))}`);
    const bound = parseAmount(text, kind, place);
    if (rate === undefined && LATENCIES.includes(metric))
      throw new UserError(
        `${place}: ${metric} needs a rate, since the latency of a closed loop only says how fast the server is; add one, like at: 500/s`,
      );
    if (metric === 'throughput' && rate !== undefined && bound > rate)
      throw new UserError(
        `${place}: at ${rate} requests per second none can answer ${bound}; use at most the rate, or leave at out`,
      );
    return { ...defined({ metric, bound, rate, server, route: route && routeId(route) }), where: place };
  });
}

/** @type {(value: unknown, kind: { units: keyof typeof UNITS, like: string }, where: string) => number} */
function parseAmount(value, { units, like }, where) {
  const [, number = '', unit = ''] = /^(\d+(?:\.\d+)?)\s*(\D*)$/.exec(String(value).trim()) ?? [];
  const factor = UNITS[units]?.[unit];
  const amount = Number(number) * (factor ?? 0);
  const isAmount =
    number !== '' && factor !== undefined && (amount > 0 || units === 'share' || units === 'count');
  if (isAmount) return amount;
  throw new UserError(`${where}: "${value}" is not a valid limit; use a number with its unit, like ${like}`);
}

/**
 * A server and route without a load at a limit's rate gets a case: its first load that can have that rate.
 * @type {(points: Point[], rules: PlacedRule[]) => Point[]}
 * @throws {UserError} where no load can have a rate
 */
export function withLimitRates(points, rules) {
  let all = points;
  for (const { rate, server, route, where } of rules.filter((rule) => rule.rate !== undefined)) {
    const limited = points.filter(
      (point) => [undefined, point.server.id].includes(server) && [undefined, point.route].includes(route),
    );
    for (const { server: measured, route: path } of limited) {
      const alike = all.filter((point) => point.server === measured && point.route === path);
      if (alike.some(({ load }) => load.rate === rate)) continue;
      const first = alike.find(
        ({ load: { tool, script, threads, pipelining } }) =>
          findTool(tool).can.includes('rate') && script === undefined && threads === 1 && pipelining === 1,
      );
      if (!first)
        throw new UserError(
          `${where}: no load of ${measured.id} ${path} can be sent at a rate; use autocannon or k6, without a script, threads or pipelining`,
        );
      all = [...all, { ...first, load: { ...first.load, ...defined({ rate }) } }];
    }
  }
  return all;
}

/**
 * @type {(cases: Case[], sources: { layers: Layer[], settings: Settings, servers: Server[],
 *   rules: PlacedRule[], env: NodeJS.ProcessEnv }) => void}
 * @throws {UserError} for a limit without a case, one a line; flags may replace a file's servers and routes
 */
export function checkLimits(cases, { layers, settings, servers: known, rules, env }) {
  const place = layers.findIndex((layer) => layer.get('limits') !== undefined);
  const isReplaced = (/** @type {'servers' | 'routes'} */ key) => (settings.get(key)?.rank ?? place) < place;
  const lines = rules.flatMap((rule) => {
    const { metric: id, server, route, where } = rule;
    const limited = limitedCases(rule, cases).map((measured) => measured.server);
    const { runtimes } = metric(id);
    const isCounted = known.some((each) => limited.includes(each.id) && runtimes?.includes(each.runtime));
    if (limited.length > 0 && runtimes && !isCounted)
      return `${where}: ${id} is counted in servers of ${runtimes.join(' and ')} alone, and none of them is limited; leave it out`;
    const needs = known.flatMap((each) => (limited.includes(each.id) ? each.needs : []));
    if (limited.length > 0 && id === 'statements' && !needs.some((need) => isStarted(need, env)))
      return `${where}: statements are counted in the PostgreSQL, MariaDB or Redis that a run starts, which no limited server needs; add needs, or leave it out`;
    if (limited.length > 0) return [];
    if ((server !== undefined && isReplaced('servers')) || (route !== undefined && isReplaced('routes')))
      return [];
    const servers = [...new Set(cases.map((measured) => measured.server))];
    const named = cases.filter((measured) => [undefined, measured.server].includes(server));
    const routes = [...new Set(named.map((measured) => measured.route))];
    if (routes.length === 0)
      return `${where}: server "${server}" is not measured${nearest(server ?? '', servers)}`;
    if (route !== undefined && !routes.includes(route))
      return `${where}: route "${route}" is not measured${nearest(route, routes)}`;
    return `${where}: every case has a fixed rate, at which throughput is what was asked for; add at, or a load without rate`;
  });
  if (lines.length > 0) throw new UserError(lines.join('\n'));
}
