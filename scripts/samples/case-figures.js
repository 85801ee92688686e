/**
 * The one reading of a case: which starts count, and its figures, for judge, summary, tables, notes, charts.
 * @import { Errors, Figure, LatencyMs, Metric, Run, RunCase, Sample, Startup, Trial,
 *   Window } from '../types.js'
 */

import { max, mean as meanIn, min, sum } from 'd3-array';
import { defined } from '../model/defined.js';
import { totals } from '../model/totals.js';
import { figure, METRICS } from './figures.js';
import { halfOf, mean } from './interval.js';
import { latencyMsOf, mergeLatencies } from './latencies.js';

/** Fewer starts on a shared core show less than all starts together. */
const LEAST_SHARING = 4;

/** @typedef {Pick<RunCase, 'trials' | 'summary'>} Measured */
/**
 * A mean over n starts, and the ends of its 95 % interval, which a single start and a highest value lack.
 * @typedef {{ value: number, n: number, low?: number, high?: number }} Level
 */

/** The starts that did not fail and answered requests. @type {(runCase: Measured) => Trial[]} */
export function startsOf({ trials }) {
  return trials.filter(({ failure, windows }) => !failure && figureIn('throughput', windows));
}

/** The windows of the starts that count. @type {(runCase: Measured) => Window[]} */
export function windowsOf(runCase) {
  return startsOf(runCase).flatMap(({ windows }) => windows);
}

/** Whether a start failed, or a case has none. @type {(run: Pick<Run, 'cases'>) => boolean} */
export function isIncomplete({ cases }) {
  return cases.some(({ trials }) => trials.length === 0 || trials.some(({ failure }) => failure));
}

/**
 * Each start counts alike. The mean is geometric, as effects are quotients: so the quotient of two means is
 * the mean of quotients. Shares, and figures that can be 0 or negative, have an arithmetic mean; what is only
 * shown as the highest of windows is the highest of starts, too. Latencies, by percentiles, are of all
 * requests of all starts, where the load tool reports how long each took. Undefined if not measured.
 * @type {(runCase: Measured, id: string) => Level | undefined}
 */
export function levelOf(runCase, id) {
  const row = figure(id);
  const values = valuesOf(runCase, row);
  if (values.length === 0) return undefined;
  if (!row.per && !row.judged) return { value: Math.max(...values), n: values.length };
  const isArithmetic = row.unit.startsWith('share') || row.judged?.idle || values.some((value) => value <= 0);
  const level = isArithmetic ? meanOf(values) : geometricOf(values);
  const { value, low, high } = level;
  const exact = latencyOf(runCase, row);
  if (!exact || low === undefined || high === undefined) return { ...level, value: exact ?? value };
  // The interval of the starts' mean, in proportion, around the value of all requests.
  return { ...level, value: exact, low: (exact * low) / value, high: (exact * high) / value };
}

/** Takes values above 0. @type {(values: number[]) => Level} */
export function geometricOf(values) {
  return values.length > 1 ? meanOf(values.map(Math.log), Math.exp) : meanOf(values);
}

/**
 * @param {number[]} values
 * @param {(value: number) => number} [back] from their scale to the figure's
 * @returns {Level}
 */
function meanOf(values, back = (value) => value) {
  const n = values.length;
  const [centre, half] = [mean(values), halfOf(values)];
  return { value: back(centre), n, ...(n > 1 && { low: back(centre - half), high: back(centre + half) }) };
}

/**
 * One a start that measured it; latencies are of all its requests where they are known.
 * @type {(runCase: Measured, row: Figure) => number[]}
 */
export function valuesOf({ trials }, { id, unit, judged, readStart }) {
  const compared = comparedParts(trials);
  const { least = -Infinity } = judged ?? {};
  const values = startsOf({ trials }).map(({ windows, latencies, startups }) => {
    if (readStart) return meanIn(compared(startups), readStart);
    /** @type {LatencyMs} */
    const exact = unit === 'ms' && latencies ? latencyMsOf(latencies) : {};
    return exact[/** @type {keyof LatencyMs} */ (id)] ?? figureIn(id, windows);
  });
  return values.flatMap((value) => (value === undefined ? [] : Math.max(value, least)));
}

/** Undefined where a start lacks latencies. @type {(runCase: Measured, row: Figure) => number | undefined} */
function latencyOf(runCase, { id, unit }) {
  if (unit !== 'ms') return undefined;
  if (!startsOf(runCase).every(({ latencies }) => latencies)) return undefined;
  const known = runCase.summary?.latencyMs ?? allLatencies(runCase);
  return known?.[/** @type {keyof LatencyMs} */ (id)];
}

/** Of all requests, unless a start lacks latencies. @type {(runCase: Measured) => LatencyMs | undefined} */
export function allLatencies(runCase) {
  const merged = mergeLatencies(startsOf(runCase).map(({ latencies }) => latencies));
  return merged && defined({ ...latencyMsOf(merged), avg: figureIn('avg', windowsOf(runCase)) });
}

/** The judged figures of every start that counts. @type {(trials: Trial[]) => Sample[]} */
export function samplesOf(trials) {
  const comparedOf = comparedParts(trials);
  return startsOf({ trials }).map(({ round, block, windows, startups }) => {
    const compared = comparedOf(startups);
    const at = min(windows, (window) => window.at);
    return {
      ...{ round, block, at },
      whole: judgedFigures((row) =>
        row.readStart ? meanIn(compared, row.readStart) : figureIn(row.id, windows),
      ),
      startups: compared.map((startup) => judgedFigures(({ readStart }) => readStart?.(startup))),
      windows: windows
        .toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0))
        .map((window) => judgedFigures(({ id }) => figureIn(id, [window])))
        .filter(({ throughput }) => throughput),
    };
  });
}

/**
 * CPU time varies ten times less on a shared core, so those starts alone have it where there are enough of
 * them. Returns what of them is compared.
 * @type {(trials: Trial[]) => (startups?: Startup[]) => Partial<Startup>[]}
 */
function comparedParts(trials) {
  const sharing = trials.flatMap(({ startups = [] }) => startups.filter((startup) => startup.sharesCore));
  const isEnough = sharing.length >= LEAST_SHARING;
  return (startups = []) =>
    startups.map(({ sharesCore, ms, cpuMs, rssBytes }) => {
      if (sharesCore) return { cpuMs };
      return isEnough ? { ms, rssBytes } : { ms, cpuMs, rssBytes };
    });
}

/** @type {(read: (row: Metric) => number | undefined) => Sample['whole']} */
function judgedFigures(read) {
  /** @type {Sample['whole']} */
  const figures = {};
  for (const row of METRICS) {
    const value = read(row);
    if (value !== undefined) figures[row.id] = Math.max(value, row.judged.least ?? value);
  }
  return figures;
}

/**
 * The figure, or percentile of latency, of all windows together, in its unit; undefined if not measured.
 * @type {(id: string, windows: Window[]) => number | undefined}
 */
export function figureIn(id, windows) {
  const { read, per, scale = 1, partial } = figure(id);
  const known = windows.filter((window) => read(window) !== undefined);
  if (known.length === 0 || (!partial && known.length < windows.length)) return undefined;
  if (!per) return max(known, read);
  const total = sum(known, per);
  return total > 0 ? (sum(known, read) / total) * scale : undefined;
}

/** Counts by kind, if windows do. @type {(trial: Pick<Trial, 'windows'>) => Partial<Errors> | undefined} */
export function errorsIn({ windows }) {
  const counted = windows.flatMap(({ errors }) => errors ?? []);
  if (counted.length === 0) return undefined;
  return Object.fromEntries(totals(counted.flatMap(Object.entries)));
}
