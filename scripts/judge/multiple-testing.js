/** Keeps the promise for a whole report, however many cells it has. */

/**
 * Which claims hold, and how sure each must be. Holm's step-down with weights: the strongest claim (smallest p for its
 * weight) is held against its share of the whole risk, the next against its share of what claims are left, until one
 * fails.
 * Source: S. Holm, "A simple sequentially rejective multiple test procedure", Scand. J. Statist. 6 (1979).
 * @param {{ p: number, weight: number }[]} claims
 * @param {number} alpha the chance of one or more false claims
 * @returns {{ holds: boolean, alpha: number }[]} in the same order
 */
export function holm(claims, alpha) {
  const total = claims.reduce((sum, { weight }) => sum + weight, 0);
  const out = claims.map(({ weight }) => ({ holds: false, alpha: (alpha * weight) / total }));
  const order = claims
    .map((claim, index) => ({ ...claim, index }))
    .sort((a, b) => a.p / a.weight - b.p / b.weight);
  let left = total;
  for (const { p, weight, index } of order) {
    const level = (alpha * weight) / left;
    if (p > level) break;
    out[index] = { holds: true, alpha: level };
    left -= weight;
  }
  return out;
}
