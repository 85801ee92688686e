/**
 * Estimates a change against stored runs: what a server does beside the reference, and how far that moves from run to run.
 * @import { Metric, Sample } from '../types.js'
 * @import { Estimate } from './mean-estimate.js'
 */

import { differencesOf, estimate, mean, varianceOf } from './mean-estimate.js';

/** How many runs' worth of experience the table's cautious spread counts for. */
export const PRIOR_RUNS = 4;

/**
 * A server in one run; reference: of the one that ran beside it, where there is one to compare through.
 * @typedef {{ samples: Sample[], reference?: Sample[] }} Measured
 */

/**
 * The run is the unit here: days differ by more than a run's windows show. How far unchanged runs lie apart is learned from the
 * stored ones, beginning with a cautious guess that counts for a few of them, so that a single stored run shows large changes
 * only. The head is one more run, and its own uncertainty is added.
 * Source of a variance moderated by a prior with its own degrees of freedom: G. K. Smyth, "Linear models and empirical Bayes
 * methods...", Stat. Appl. Genet. Mol. Biol. 3 (2004).
 * @param {Metric} row @param {{ stored: Measured[], head: Measured }} runs at least one stored
 * @returns {Estimate | undefined} undefined where a side did not measure it
 */
export function estimateAmongRuns(row, { stored, head }) {
  const { spread } = row.judged;
  const isBeside = [head, ...stored].every(({ reference }) => reference !== undefined);
  const before = stored.flatMap((run) => estimate(logsOf(row, run, isBeside)) ?? []);
  const now = estimate(logsOf(row, head, isBeside));
  if (!now || before.length === 0) return undefined;
  const within = mean(before.map(({ error }) => error ** 2));
  const effects = before.map(({ effect }) => effect);
  const known = effects.length - 1;
  const apart = known > 0 ? Math.max(0, varianceOf(effects) - within) : 0;
  const guess = (isBeside ? spread.besideReference : spread.alone) ** 2;
  const between = (PRIOR_RUNS * guess + known * apart) / (PRIOR_RUNS + known);
  const ofRuns = between * (1 + 1 / effects.length) + within / effects.length;
  const ofHead = now.error ** 2;
  // F. E. Satterthwaite, Biometrics Bulletin 2 (1946).
  const df =
    (ofRuns + ofHead) ** 2 / (ofRuns ** 2 / (PRIOR_RUNS + known) + ofHead ** 2 / Math.max(1, now.df));
  return {
    ...now,
    effect: now.effect - mean(effects),
    error: Math.sqrt(ofRuns + ofHead),
    df: now.df > 0 ? df : 0,
  };
}

/**
 * @param {Metric} row @param {Measured} measured
 * @param {boolean} isBeside it is compared through the reference; memory does not depend on how fast a machine is
 * @returns {number[][]} logarithms, a list for each round
 */
function logsOf({ id, judged }, { samples, reference = [] }, isBeside) {
  if (isBeside && judged.scales) return differencesOf(reference, samples, id);
  return samples.map(({ whole }) => [Math.log(whole[id] ?? NaN)].filter(Number.isFinite));
}
