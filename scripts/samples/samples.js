/**
 * Turns the windows of starts into rows of figures, which is what judges, charts and tables read.
 * @import { Errors, Figure, Run, Sample, Startup, Trial, Window } from '../types.js'
 */

import { max, mean, min, rollup, sum } from 'd3-array';
import { figure, METRICS } from './figures.js';

/** Fewer starts on a shared core show less than all starts together. */
const LEAST_SHARING = 4;

/** @param {Trial[]} trials @returns {Trial[]} the starts that did not fail and answered requests */
export function answeringStarts(trials) {
  return trials.filter(({ failure, windows }) => !failure && windows.some(({ requests }) => requests > 0));
}

/** @param {Pick<Run, 'cases'>} run @returns {boolean} whether a start failed, or a case has none */
export function isIncomplete({ cases }) {
  return cases.some(({ trials }) => trials.length === 0 || trials.some(({ failure }) => failure));
}

/** @param {Trial[]} trials @returns {Sample[]} the judged figures of every start that answered requests */
export function samplesOf(trials) {
  const sharing = trials.flatMap(({ startups = [] }) => startups.filter((startup) => startup.sharesCore));
  const isEnough = sharing.length >= LEAST_SHARING;
  return answeringStarts(trials).map(({ round, block, windows, startups = [] }) => {
    const compared = startups.map((startup) => comparedPart(startup, isEnough));
    const at = min(windows, (window) => window.at);
    return {
      round,
      ...(block !== undefined && { block }),
      ...(at !== undefined && { at }),
      whole: { ...figuresOf(windows), ...meansOf(compared) },
      startups: compared.map((startup) => meansOf([startup])),
      windows: windows
        .filter(({ requests }) => requests > 0)
        .toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0))
        .map((window) => figuresOf([window])),
    };
  });
}

/**
 * CPU time varies ten times less on a shared core, so those starts alone have it where there are enough of them.
 * @param {Startup} startup @param {boolean} isEnough @returns {Partial<Startup>}
 */
function comparedPart({ sharesCore, ms, cpuMs, rssBytes }, isEnough) {
  if (sharesCore) return { cpuMs };
  return isEnough ? { ms, rssBytes } : { ms, cpuMs, rssBytes };
}

/** @param {Window[]} windows @returns {Sample['whole']} */
function figuresOf(windows) {
  /** @type {Sample['whole']} */
  const figures = {};
  for (const row of METRICS) {
    const value = combined(row, windows);
    if (value !== undefined) figures[row.id] = Math.max(value, row.judged.least ?? value);
  }
  return figures;
}

/** @param {Partial<Startup>[]} startups @returns {Sample['whole']} their mean figures */
function meansOf(startups) {
  return Object.fromEntries(
    METRICS.flatMap(({ id, readStart }) => {
      const value = readStart && mean(startups, readStart);
      return value === undefined ? [] : [[id, value]];
    }),
  );
}

/**
 * @param {string} id @param {Window[]} windows
 * @returns {number | undefined} the figure of all these windows together, in its unit; undefined where it was not measured
 */
export function figureIn(id, windows) {
  return combined(figure(id), windows);
}

/** @param {Figure} row @param {Window[]} windows @returns {number | undefined} */
export function combined({ read, per, scale = 1, partial }, windows) {
  const known = windows.filter((window) => read(window) !== undefined);
  if (known.length === 0 || (!partial && known.length < windows.length)) return undefined;
  if (!per) return max(known, read);
  const total = sum(known, per);
  return total > 0 ? (sum(known, read) / total) * scale : undefined;
}

/**
 * @param {Pick<Trial, 'windows'>} trial
 * @returns {Partial<Errors> | undefined} counts by kind; undefined where no window counted errors
 */
export function errorsIn({ windows }) {
  const counted = windows.flatMap(({ errors }) => errors ?? []);
  if (counted.length === 0) return undefined;
  return Object.fromEntries(
    rollup(
      counted.flatMap(Object.entries),
      (entries) => sum(entries, ([, count]) => count),
      ([kind]) => kind,
    ),
  );
}
