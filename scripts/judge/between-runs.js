/**
 * A run against stored ones: what the server does beside the reference, and how far that moves from run to run.
 * @import { Metric, Trial } from '../types.js'
 * @import { Location } from './mean-estimate.js'
 */

import { locate, mean, varianceOf } from './mean-estimate.js';
import { differencesOf, neighboursOf } from './paired-windows.js';

/** How many runs' worth of experience the table's cautious spread counts for. */
export const PRIOR_RUNS = 4;

/**
 * The boots of one server in one run, and those of the reference that were alive beside them; none where there is no
 * reference to compare through.
 * @typedef {{ trials: Trial[], reference?: Trial[] }} Measured
 */

/**
 * The run is the unit here: its days differ by more than its windows tell. How far unchanged runs lie apart is learned from
 * the stored ones, beginning with a cautious guess that counts for a few of them, so that one stored run alone shows large
 * changes only. The head is one more run, and its own uncertainty comes on top.
 * Source: G. K. Smyth, "Linear models and empirical Bayes methods...", Stat. Appl. Genet. Mol. Biol. 3 (2004), for a variance
 * moderated by a prior with degrees of freedom of its own.
 * @param {Metric} metric
 * @param {{ stored: Measured[], head: Measured }} runs one stored at least
 * @returns {Location | undefined} undefined where a side did not measure it
 */
export function locateAmongRuns(metric, { stored, head }) {
  const through = [head, ...stored].every(({ reference }) => reference !== undefined);
  const place = (/** @type {Measured} */ measured) => locate(roundsOf(metric, measured, through));
  const before = stored.flatMap((run) => place(run) ?? []);
  const now = place(head);
  if (!now || before.length === 0) return undefined;
  const within = mean(before.map(({ error }) => error ** 2));
  const effects = before.map(({ effect }) => effect);
  const known = effects.length - 1;
  const apart = known > 0 ? Math.max(0, varianceOf(effects) - within) : 0;
  const guess = (through ? metric.spread.besideReference : metric.spread.alone) ** 2;
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
 * @param {Metric} metric
 * @param {Measured} measured
 * @param {boolean} through whether it is seen from the reference; memory does not depend on how fast a machine is
 * @returns {number[][]} logarithms, a list for each round
 */
function roundsOf({ id, of, scales }, { trials, reference = [] }, through) {
  if (through && scales) return differencesOf(neighboursOf(reference, trials), id);
  return trials.map((trial) => [Math.log(of(trial) ?? Number.NaN)].filter(Number.isFinite));
}
