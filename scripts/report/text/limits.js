/**
 * A limit in words.
 * @import { LimitResult, Run } from '../../types.js'
 * @import { Words } from './words.js'
 */

import { metric } from '../../samples/figures.js';
import { labelOf, sizeText } from './change.js';
import { ifKnown } from './format.js';
import { strong } from './inline.js';

/** @type {LimitResult['verdict'][]} */
const WORST_FIRST = ['fails', 'unsure', 'passes'];

/** @param {Run} run @returns {LimitResult[]} */
export function worstLimits({ limits = [] }) {
  return limits.toSorted((a, b) => WORST_FIRST.indexOf(a.verdict) - WORST_FIRST.indexOf(b.verdict));
}

/**
 * @param {LimitResult} limit @param {{ nameOf: (id: string) => string, words: Words }} context
 * @returns {string} "Shop /items: p99 latency at 500 req/s 31 ms (30 ms to 32 ms), limit at most 50 ms: passes"
 */
export function limitText(limit, { nameOf, words }) {
  const { case: id, metric: name, bound, value, interval, verdict, why } = limit;
  const { limits } = words;
  const sizeOf = (/** @type {number} */ size) => sizeText({ metric: name, head: size }, 'head', words);
  const label = words.within(labelOf(limit, words));
  const size = ifKnown(value, (known) => ` ${sizeOf(known)}`);
  const ends = ifKnown(interval, (known) => ` (${words.between(known.map(sizeOf))})`);
  const allowed = limits.bound(sizeOf(bound), metric(name).better === 'more');
  const reason = ifKnown(why, (known) => `, ${limits.why(known)}`);
  return `${strong(nameOf(id))}: ${label}${size}${ends}, ${allowed}: ${limits.verdicts[verdict]}${reason}`;
}
