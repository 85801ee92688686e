/**
 * Joins the starts of runs that were measured apart: of stored runs as one base, of two comparisons as one.
 * @import { Case, Run, RunCase } from '../types.js'
 */

import { isDeepStrictEqual } from 'node:util';
import { cumsum } from 'd3-array';
import { summarize } from '../samples/summary.js';

/** @typedef {{ base: Run, head: Run }} Sides */

/**
 * Takes at least one run, the latest first, and adds to its cases the others' starts of the same load, and
 * the `wanted` cases that it lacks, as a run of one server does. Days differ in speed, even on one machine.
 * So the starts of each run are marked as measured apart, as shards are, and have rounds of their own: the
 * judge compares them with the reference of their own day. A run without the reference adds nothing.
 * @type {(runs: Run[], wanted?: Pick<Case, 'id'>[]) => Run}
 */
export function poolRuns(runs, wanted = []) {
  const [latest] = runs;
  if (!latest) throw new Error('no run to pool');
  const parts = runs.filter(hasReference).toReversed();
  if (!hasReference(latest) || parts.length === 1) return latest;
  const known = new Map(parts.flatMap(({ cases }) => cases.map((runCase) => [runCase.id, runCase])));
  const offsets = [0, ...cumsum(parts, roundsOf)];
  const isKept = (/** @type {RunCase} */ { id }) =>
    [...latest.cases, ...wanted].some((other) => other.id === id);
  const kept = [...known.values()].filter(isKept);
  const cases = kept.map((runCase) => poolCase(runCase, { parts, offsets }));
  return { ...latest, pooled: parts.length, cases };
}

/**
 * Adds the starts of an earlier comparison of the same commits. Both sides have as many rounds, so each round
 * stays a pair. Looks decided parts of it, and none decided the whole.
 * @type {(later: Sides, earlier: Sides) => Sides}
 */
export function poolComparisons(later, earlier) {
  const offsets = [0, Math.max(roundsOf(earlier.base), roundsOf(earlier.head))];
  const pool = (/** @type {keyof Sides} */ side) => {
    const { looks: _, cases, ...run } = later[side];
    const parts = [earlier[side], later[side]];
    return { ...run, cases: cases.map(({ decidedAt: __, ...rest }) => poolCase(rest, { parts, offsets })) };
  };
  return { base: pool('base'), head: pool('head') };
}

/**
 * The offsets say how many rounds the parts before each have.
 * @type {(latest: RunCase, pool: { parts: Run[], offsets: ArrayLike<number> }) => RunCase}
 */
function poolCase(latest, { parts, offsets }) {
  const asked = [latest.id, latest.load, latest.request];
  const alike = parts.map(({ cases }) =>
    cases.find(({ id, load, request }) => isDeepStrictEqual([id, load, request], asked)),
  );
  const last = alike.findLastIndex(Boolean);
  const trials = alike.flatMap((other, part) =>
    (other?.trials ?? []).map(({ answers, ...trial }) => ({
      ...trial,
      // Earlier commits may have answered something else.
      ...(answers && part === last && { answers }),
      round: trial.round + (offsets[part] ?? 0),
      // One number for each machine of each day.
      block: part + 1 + parts.length * (trial.block ?? 0),
    })),
  );
  const { summary: _latest, ...rest } = latest;
  const summary = summarize(trials, latest);
  return { ...rest, trials, ...(summary && { summary }) };
}

/** Whether runs of other days can be compared with this run. @type {(run: Run) => boolean} */
export function hasReference({ cases }) {
  return cases.some(({ reference, trials }) => reference && trials.some(({ failure }) => !failure));
}

/** @param {Run} run */
function roundsOf({ cases }) {
  return Math.max(0, ...cases.flatMap(({ trials }) => trials.map(({ round }) => round + 1)));
}
