/**
 * Several stored runs as one base: more boots, and of more than one day.
 * @import { Run, RunCase } from '../types.js'
 */

import { summarize } from '../samples/summary.js';

/**
 * Days differ in speed, even on one machine. So each run's boots are marked as measured apart, as shards of a joined run
 * are, and have rounds of their own: the judge then sets them against the reference of their own day, which is what can
 * be pooled. A run without the reference adds nothing that could.
 * @param {Run[]} runs the latest first, one at least
 * @returns {Run} the latest, with the boots of the others in its cases where these are loaded alike
 */
export function poolRuns(runs) {
  const [latest] = runs;
  if (!latest) throw new Error('no run to pool');
  const gauged = runs.filter(hasReference);
  if (!hasReference(latest) || gauged.length === 1) return latest;
  const parts = gauged.toReversed();
  const lengths = parts.map(roundsOf);
  const starts = lengths.map((_, part) => lengths.slice(0, part).reduce((sum, length) => sum + length, 0));
  return {
    ...latest,
    pooled: parts.length,
    cases: latest.cases.map((of) => poolCase(of, { parts, starts })),
  };
}

/**
 * @param {RunCase} of
 * @param {{ parts: Run[], starts: number[] }} from
 * @returns {RunCase}
 */
function poolCase(of, { parts, starts }) {
  const trials = parts.flatMap(({ cases }, part) =>
    cases
      .filter((other) => other.id === of.id && isLoadedAlike(other, of))
      .flatMap((other) => other.trials)
      .map((trial) => ({
        ...trial,
        round: trial.round + (starts[part] ?? 0),
        // Each machine of each day has a number of its own.
        shard: part + 1 + parts.length * (trial.shard ?? 0),
      })),
  );
  const { summary: _latest, ...rest } = of;
  const summary = summarize(trials, of);
  return { ...rest, trials, ...(summary && { summary }) };
}

/** @param {RunCase} a @param {RunCase} b */
function isLoadedAlike(a, b) {
  const [one, other] = [a, b].map(({ load, request }) => JSON.stringify([sorted(load), sorted(request)]));
  return one === other;
}

/** @param {object} value */
function sorted(value) {
  return Object.entries(value).sort(([a], [b]) => a.localeCompare(b));
}

/**
 * @param {Run} run
 * @returns {boolean} whether other days can be set against it
 */
export function hasReference({ cases }) {
  return cases.some(({ reference, trials }) => reference && trials.some(({ failure }) => !failure));
}

/** @param {Run} run */
function roundsOf({ cases }) {
  return Math.max(0, ...cases.flatMap(({ trials }) => trials.map(({ round }) => round + 1)));
}
