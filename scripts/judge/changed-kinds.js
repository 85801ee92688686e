/** What of a count changed most: the statement that was repeated, the hosts that are asked more often. */

import { sort, sum } from 'd3-array';
import { totals } from '../model/totals.js';
import { windowsOf } from '../samples/case-figures.js';
import { metric } from '../samples/figures.js';
import { HALF } from '../samples/spreads.js';
import { figureIn } from '../samples/window-figures.js';

/** As many as a line has room for. */
const MOST = 3;
/** Of sums of quotients. */
const ROUNDING = 1e-6;

/**
 * How often a request of either side has the kinds that changed by half or more, the largest change first;
 * undefined where none is known.
 * @type {(pair: Record<'base' | 'head', import('../types.js').RunCase>, id: string) =>
 *   { name: string, base: number, head: number }[] | undefined}
 */
export function changedKinds(pair, id) {
  const [base, head] = [kindsIn(pair.base, id), kindsIn(pair.head, id)];
  const kinds = [...new Set([...base.keys(), ...head.keys()])].map((name) => ({
    name,
    base: base.get(name) ?? 0,
    head: head.get(name) ?? 0,
  }));
  const changeOf = (/** @type {typeof kinds[0]} */ kind) => Math.abs(kind.head - kind.base);
  // A list that is full lacks kinds that are still there.
  const isFull = sum(head.values()) < (figureIn(id, windowsOf(pair.head)) ?? 0) - ROUNDING;
  const changed = sort(kinds, (kind) => -changeOf(kind))
    .filter((kind) => changeOf(kind) >= HALF)
    .filter((kind) => kind.head > kind.base || !isFull);
  return changed.length > 0 ? changed.slice(0, MOST) : undefined;
}

/** By request. @type {(measured: import('../types.js').RunCase, id: string) => Map<string, number>} */
function kindsIn(measured, id) {
  const { kinds } = metric(id);
  const windows = windowsOf(measured).filter((window) => kinds?.(window));
  const requests = sum(windows, (window) => window.requests);
  const counted = totals(windows.flatMap((window) => Object.entries(kinds?.(window) ?? {})));
  return new Map(Array.from(counted, ([name, count]) => [name, count / requests]));
}
