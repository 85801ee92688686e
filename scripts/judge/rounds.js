/**
 * What the boots of a round have in common: the machine, which is now faster and now slower for minutes.
 * @import { Fit, Table } from './shapes.js'
 */

import { add, at, remainder } from './linear.js';
import { designOf } from './mixture.js';
import { upperF } from './shift.js';

/** Of boots that have nothing in common, one comparison in a hundred seems to have; that costs sharpness only. */
const COMMON = 0.01;
/** Where fewer of the boots have a neighbour, who is left alone would weigh too much. */
const MOSTLY = 0.8;

/**
 * @param {{ base: { round: number }[], head: { round: number }[] }} trials of one session
 * @returns {[base: number, head: number][] | undefined} places in the list of the base's and then the head's; undefined
 *   where the rounds do not pair them
 */
export function pairRounds({ base, head }) {
  const places = [base, head].map((side) => new Map(side.map(({ round }, place) => [round, place])));
  const [of = new Map(), other = new Map()] = places;
  if (of.size < base.length || other.size < head.length) return undefined;
  const pairs = [...of].flatMap(([round, place]) => {
    const beside = other.get(round);
    return beside === undefined ? [] : [/** @type {[number, number]} */ ([place, base.length + beside])];
  });
  return 2 * pairs.length < MOSTLY * (base.length + head.length) ? undefined : pairs;
}

/**
 * Takes off the boots what those of a round have in common, if they have anything: of the noise that a boot shares with its
 * neighbour so much that sums of neighbours scatter no wider than their differences. What is left is as good as
 * independent. A shift between the sides does not change by it, as it is in the differences.
 * Source: W. A. Fuller, G. E. Battese, "Estimation of linear models with crossed-error structure", J. Econometrics 2
 * (1974).
 * @param {Table} table
 * @param {Fit} fit
 * @returns {Table | undefined} undefined where they have nothing in common
 */
export function withoutDrift(table, fit) {
  const { pairs = [], metrics, faster } = table;
  const k = metrics.length;
  const all = residuals(table, fit);
  const left = pairs.map((pair) => pair.map((boot) => all[boot]));
  /** @param {(rest: number[]) => number} of */
  const ratioOf = (of) => {
    const both = left.map(([base = [], head = []]) => [of(base), of(head)]);
    const sums = both.reduce((total, [base = 0, head = 0]) => total + (base + head) ** 2, 0);
    return sums / both.reduce((total, [base = 0, head = 0]) => total + (base - head) ** 2, 0);
  };
  const speed = ratioOf((rest) => faster.reduce((sum, sign, m) => sum + sign * at(rest, m), 0));
  const freedom = Math.max(1, pairs.length - 1);
  if (!(upperF(speed, freedom, freedom) < COMMON)) return undefined;
  const values = Float64Array.from(table.values);
  for (let m = 0; m < k; m++) {
    const part = Math.max(0, 1 - 1 / Math.sqrt(ratioOf((rest) => at(rest, m))));
    for (const [i, pair] of pairs.entries()) {
      const [base = [], head = []] = left[i] ?? [];
      for (const boot of pair) add(values, boot * k + m, (-part * (at(base, m) + at(head, m))) / 2);
    }
  }
  return { ...table, values, spent: pairs.length };
}

/**
 * @param {Table} table
 * @param {Fit} fit
 * @returns {number[][]} what the fit leaves of each boot, by metric, far ones drawn in
 */
function residuals(table, { states, columns, coefficients, belongs, weights }) {
  const { boots, metrics, values } = table;
  const design = designOf(table, states, columns);
  return Array.from({ length: boots }, (_, boot) =>
    metrics.map((_, m) => {
      let left = 0;
      for (let row = boot * states; row < (boot + 1) * states; row++) {
        const x = design.subarray(row * columns, (row + 1) * columns);
        const used = at(belongs, row) * Math.min(1, at(weights, row));
        left += used * remainder(at(values, boot * metrics.length + m), x, coefficients, m);
      }
      return left;
    }),
  );
}
