/**
 * A change in the mix of states, apart from any change of speed within them.
 * @import { Fit, Mix, Table } from './shapes.js'
 */

import jstat from 'jstat';
import { at } from './linear.js';
import { speedOf } from './states.js';

/**
 * @param {Table} table
 * @param {Fit} fit
 * @returns {Mix | undefined} undefined where there is one state
 */
export function mixOfStates(table, fit) {
  if (fit.states === 1) return undefined;
  const gap = speedOf(table, fit, fit.columns - 1);
  const counts = [0, 0];
  const fast = [0, 0];
  for (let boot = 0; boot < table.boots; boot++) {
    const side = at(table.side, boot);
    counts[side] = at(counts, side) + 1;
    const inOne = at(fit.belongs, 2 * boot + 1) > 0.5;
    if (inOne === gap > 0) fast[side] = at(fast, side) + 1;
  }
  const base = /** @type {[number, number]} */ ([at(fast, 0), at(counts, 0)]);
  const head = /** @type {[number, number]} */ ([at(fast, 1), at(counts, 1)]);
  return { base, head, gap: Math.expm1(Math.abs(gap)), p: fisher(base, head) };
}

/** How unlikely under one mix a change of it must be to be set against a shift: luck alone brings it once in so many. */
const MIX_CHANGED = 1e-4;

/**
 * A head that is slower within its states and yet more often in the fast one is an odd tale: far likelier the states were
 * read wrongly.
 * @param {Mix} mix
 * @param {number} speed the shift's mean over the metrics, positive where the head is faster
 * @returns {boolean}
 */
export function isOffset({ base, head, p }, speed) {
  return p < MIX_CHANGED && (head[0] / head[1] - base[0] / base[1]) * speed < 0;
}

/**
 * Fisher's exact test, two-sided: the chance of a table as unlikely as this one where both sides draw alike.
 * Source: R. A. Fisher, Statistical Methods for Research Workers, 5th ed. (1934), 21.02.
 * @param {[number, number]} base successes, tries
 * @param {[number, number]} head
 * @returns {number}
 */
export function fisher([a, m], [b, n]) {
  const successes = a + b;
  const chance = (/** @type {number} */ x) =>
    Math.exp(choose(m, x) + choose(n, successes - x) - choose(m + n, successes));
  const seen = chance(a) * (1 + 1e-9);
  let total = 0;
  for (let x = Math.max(0, successes - n); x <= Math.min(m, successes); x++) {
    if (chance(x) <= seen) total += chance(x);
  }
  return Math.min(1, total);
}

/**
 * @param {number} n
 * @param {number} k
 * @returns {number} the logarithm of "n choose k"
 */
function choose(n, k) {
  return jstat.gammaln(n + 1) - jstat.gammaln(k + 1) - jstat.gammaln(n - k + 1);
}
