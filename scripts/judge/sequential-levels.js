/**
 * The level at which each of several looks at a growing run may test, so that together they spend what they may.
 */

import jstat from 'jstat';

/** Cells of the integral over a sum of rounds; the unit is the standard deviation of the whole run's sum. */
const STEP = 0.04;
const LOWEST = -4;
const CELLS = 250;

/**
 * Looks at one run share rounds, so noise that misleads one look misleads the next, too. Adding up their levels (Bonferroni)
 * counts such noise several times; this counts, at each look, only runs in which no earlier look made the claim.
 * Source: K. K. G. Lan and D. L. DeMets, "Discrete sequential boundaries for clinical trials", Biometrika 70 (1983).
 * @param {{ share: number, alpha: number }[]} looks share: of the run (0 to 1), rising; alpha: what the look may add to the chance
 *   of a false claim
 * @returns {number[]} for each look, the one-sided level of its test; 0 where it may add nothing
 */
export function sequentialLevels(looks) {
  /** Of the sum, in runs without a claim so far. */
  let density = Array.from({ length: CELLS }, (_, cell) => (cell === -LOWEST / STEP ? 1 / STEP : 0));
  let last = 0;
  return looks.map(({ share, alpha }) => {
    if (alpha <= 0) return 0;
    const later = spread(density, Math.sqrt(share - last));
    const { bound, rest } = cutOff(later, alpha);
    // Exact, where no look came before.
    const level = last === 0 ? alpha : jstat.normal.cdf(-bound / Math.sqrt(share), 0, 1);
    [density, last] = [rest, share];
    return level;
  });
}

/** @param {number[]} density @param {number} deviation of what the next rounds add @returns {number[]} */
function spread(density, deviation) {
  const kernel = density.map((_, apart) => STEP * jstat.normal.pdf(apart * STEP, 0, deviation));
  return density.map((_, to) => {
    let height = 0;
    for (let from = 0; from < CELLS; from++)
      height += (density[from] ?? 0) * (kernel[Math.abs(to - from)] ?? 0);
    return height;
  });
}

/** @param {number[]} density @param {number} alpha @returns {{ bound: number, rest: number[] }} alpha lies above the bound, rest below */
function cutOff(density, alpha) {
  let [place, above] = [CELLS, 0];
  while (above < alpha && place > 0) above += STEP * (density[--place] ?? 0);
  const width = (above - alpha) / (density[place] ?? 1);
  const rest = density.with(place, ((density[place] ?? 0) * width) / STEP).fill(0, place + 1);
  return { bound: LOWEST + STEP * (place - 0.5) + width, rest };
}
