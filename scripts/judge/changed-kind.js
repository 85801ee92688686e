/** What of a count changed most: the statement that was repeated. */

import { greatest, rollup, sum } from 'd3-array';
import { windowsOf } from '../samples/case-figures.js';
import { metric } from '../samples/figures.js';

/**
 * How often a request of either side has the kind whose number changed most; undefined where none is known.
 * @type {(pair: Record<'base' | 'head', import('../types.js').RunCase>, id: string) =>
 *   { name: string, base: number, head: number } | undefined}
 */
export function changedKind(pair, id) {
  const [base, head] = [kindsIn(pair.base, id), kindsIn(pair.head, id)];
  const kinds = [...new Set([...base.keys(), ...head.keys()])].map((name) => ({
    name,
    base: base.get(name) ?? 0,
    head: head.get(name) ?? 0,
  }));
  return greatest(kinds, (kind) => Math.abs(kind.head - kind.base));
}

/** By request. @type {(measured: import('../types.js').RunCase, id: string) => Map<string, number>} */
function kindsIn(measured, id) {
  const { kinds } = metric(id);
  const windows = windowsOf(measured).filter((window) => kinds?.(window));
  const requests = sum(windows, (window) => window.requests);
  return rollup(
    windows.flatMap((window) => Object.entries(kinds?.(window) ?? {})),
    (same) => sum(same, ([, count]) => count) / requests,
    ([name]) => name,
  );
}
