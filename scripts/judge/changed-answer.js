/**
 * Whether base and head answer alike. Only what is constant on each side is compared, so times, ids or
 * another order change nothing.
 * @import { Answer, CaseComparison, Trial } from '../types.js'
 */

import { sum } from 'd3-array';
import { defined } from '../model/defined.js';
import { startsOf } from '../samples/case-figures.js';

/** Fewer answers of a side may be alike by chance. */
const LEAST_ANSWERS = 4;
/** Answers whose sizes differ by so few bytes count as alike: a clock may gain a digit between two runs. */
export const DIGITS = 2;
/** Or by no more than this share of the larger: a long page has many such numbers. */
const CLOSE = 0.01;

/** @type {(keyof Answer)[]} */
const PARTS = ['status', 'type', 'encoding', 'bytes'];

/**
 * Undefined where nothing differs.
 * @type {(sides: Record<'base' | 'head', { trials: Trial[] }>) => CaseComparison['answer']}
 */
export function changedAnswer({ base, head }) {
  const [before, after] = [base, head].map(({ trials }) =>
    startsOf({ trials }).flatMap(({ answers = [] }) => answers),
  );
  if (!before || !after || [before, after].some((seen) => sum(seen, ({ times }) => times) < LEAST_ANSWERS))
    return undefined;
  const changed = PARTS.filter((part) => {
    const [from, to] = [before, after].map((seen) => [...new Set(seen.map((answer) => answer[part]))]);
    const isConstant = from?.length === 1 && to?.length === 1;
    const isClose = (/** @type {any} */ one, /** @type {any} */ other) =>
      part === 'bytes' && Math.abs(other - one) <= Math.max(DIGITS, CLOSE * Math.max(one, other));
    return isConstant && from[0] !== to[0] && !isClose(from[0], to[0]);
  });
  const partsOf = (/** @type {Answer | undefined} */ answer) =>
    defined(Object.fromEntries(changed.map((part) => [part, answer?.[part]])));
  return changed.length > 0 ? { base: partsOf(before[0]), head: partsOf(after[0]) } : undefined;
}
