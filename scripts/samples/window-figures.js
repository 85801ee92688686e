/** Figures and errors of some windows. @import { Errors, Trial, Window } from '../types.js' */

import { max, sum } from 'd3-array';
import { totals } from '../model/totals.js';
import { figure } from './figures.js';

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
