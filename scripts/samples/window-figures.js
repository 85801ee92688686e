/**
 * Figures and errors of some windows.
 * @import { Errors, Trial, Window } from '../types.js'
 */

import { max, rollup, sum } from 'd3-array';
import { figure } from './figures.js';

/**
 * @param {string} id of a figure, or a percentile of latency @param {Window[]} windows
 * @returns {number | undefined} the figure of all these windows together, in its unit; undefined where it was not measured
 */
export function figureIn(id, windows) {
  const { read, per, scale = 1, partial } = figure(id);
  const known = windows.filter((window) => read(window) !== undefined);
  if (known.length === 0 || (!partial && known.length < windows.length)) return undefined;
  if (!per) return max(known, read);
  const total = sum(known, per);
  return total > 0 ? (sum(known, read) / total) * scale : undefined;
}

/** @param {Pick<Trial, 'windows'>} trial @returns {Partial<Errors> | undefined} counts by kind; undefined where no window counted errors */
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
