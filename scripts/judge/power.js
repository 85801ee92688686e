/**
 * What a comparison will be able to find, foretold from how neighbours differed before.
 * @import { CaseComparison, Run, RunCase } from '../types.js'
 */

import jstat from 'jstat';
import { goodTrials } from './effects.js';
import { locate } from './mean-estimate.js';
import { FALSE_ALARMS, LEAST_ROUNDS } from './alpha-spending.js';
import { METRICS } from '../samples/metrics.js';
import { differencesOf, neighboursOf } from './paired-windows.js';
import { MOST_ROUNDS } from './verdicts.js';

/** The share of runs in which a slowdown should be found. */
export const POWER = 0.95;

/** Slowdowns that people ask about, as shares. */
export const ASKED = [0.01, 0.02, 0.05, 0.1];

/**
 * finds: the slowdown (a share) that so many rounds find in 95 of 100 runs, 1 where they find none; roundsForMargin: how many rounds find one as
 * large as the margin; table: how many find others, and how long those took the earlier run, where it tells.
 * @typedef {{ id: string, finds: number, roundsForMargin: number,
 *   table: { share: number, rounds: number, seconds?: number }[] }} Foretold
 */

/**
 * @param {{ base?: Run | undefined, head: Run }} earlier base: the other side, where two were measured side by side
 * @param {{ ids: string[], rounds: number, margin: number }} plan ids: the cases that will be compared, which share the risk
 *   of a false alarm; rounds: boots a side; margin: a share
 * @returns {Foretold[]} of the cases that the earlier run knows well enough
 */
export function foretell(earlier, { ids, rounds, margin }) {
  const seconds = roundSeconds(earlier.head);
  return ids.flatMap((id) => {
    const finds = findsOf(earlier, { id, cases: ids.length });
    if (!finds) return [];
    const roundsFor = (/** @type {number} */ share) => {
      let boots = LEAST_ROUNDS;
      while (boots < MOST_ROUNDS && finds(boots) > share) boots++;
      return boots;
    };
    const table = ASKED.map((share) => ({ share, rounds: roundsFor(share) })).map((row) => ({
      ...row,
      ...(seconds !== undefined && { seconds: row.rounds * seconds }),
    }));
    return [{ id, finds: finds(rounds), roundsForMargin: roundsFor(margin), table }];
  });
}

/**
 * What a run of a server against itself shows: how small a change such a run finds.
 * @param {CaseComparison[]} cases
 * @param {{ base: Run, head: Run }} runs
 * @returns {CaseComparison[]} those with boots enough tell what as many boots find
 */
export function withFloor(cases, runs) {
  return cases.map((compared) => {
    const { trials = [] } = runs.head.cases.find(({ id }) => id === compared.id) ?? {};
    const finds = findsOf(runs, { id: compared.id, cases: cases.length });
    return finds ? { ...compared, findsPct: 100 * finds(goodTrials(trials).length) } : compared;
  });
}

/**
 * @param {{ base?: Run | undefined, head: Run }} earlier
 * @param {{ id: string, cases: number }} of cases: those that share the risk
 * @returns {((boots: number) => number) | undefined} the slowdown (a share) that so many boots a side find; undefined where the
 *   earlier run does not know the case well enough
 */
function findsOf(earlier, { id, cases }) {
  const noise = noiseOf(earlier, id);
  if (!noise) return undefined;
  const risk = (FALSE_ALARMS * noise.weight) / cases;
  return (boots) => smallest(noise, { boots, risk });
}

/**
 * How far a round's two servers lie apart by luck: both sides of the case, or where there is one side only, the case and
 * the reference that was alive beside it.
 * @param {{ base?: Run | undefined, head: Run }} earlier
 * @param {string} id
 * @returns {{ round: number, weight: number } | undefined} round: a standard deviation; weight: of the metric that tells it
 */
function noiseOf({ base, head }, id) {
  const of = head.cases.find((each) => each.id === id);
  const beside =
    base?.session === head.session ? base?.cases.find((each) => each.id === id) : referenceOf(head.cases, of);
  if (!of || !beside) return undefined;
  const rounds = neighboursOf(goodTrials(beside.trials), goodTrials(of.trials));
  const found = METRICS.filter(({ role }) => role === 'speed').flatMap((metric) => {
    const at = locate(differencesOf(rounds, metric.id));
    return at && at.rounds >= LEAST_ROUNDS
      ? [{ round: at.error * Math.sqrt(at.rounds), weight: metric.weight }]
      : [];
  });
  return found.toSorted((a, b) => a.round - b.round)[0];
}

/**
 * @param {Run} run
 * @returns {number | undefined} what a round of all its cases took; undefined where its windows tell no times
 */
function roundSeconds({ cases }) {
  const trials = cases.flatMap((of) => of.trials);
  const starts = trials.flatMap(({ round, windows: [first] }) =>
    first?.at === undefined ? [] : [{ round, at: first.at }],
  );
  const [earliest, latest] = [Math.min, Math.max].map((most) => most(...starts.map(({ round }) => round)));
  if (earliest === undefined || latest === undefined || !(latest > earliest)) return undefined;
  const startOf = (/** @type {number} */ wanted) =>
    Math.min(...starts.flatMap(({ round, at }) => (round === wanted ? at : [])));
  return (startOf(latest) - startOf(earliest)) / (latest - earliest);
}

/**
 * @param {RunCase[]} cases
 * @param {RunCase | undefined} of
 */
function referenceOf(cases, of) {
  return cases.find(({ reference, load }) => reference && JSON.stringify(load) === JSON.stringify(of?.load));
}

/**
 * The distance at which a mean's t exceeds its critical value with the wanted chance, by the normal approximation to the
 * noncentral t (N. L. Johnson, B. L. Welch, Biometrika 31, 1940).
 * @param {{ round: number }} noise
 * @param {{ boots: number, risk: number }} test
 * @returns {number} a share
 */
function smallest({ round }, { boots, risk }) {
  if (boots < LEAST_ROUNDS) return 1;
  const bound = jstat.studentt.inv(1 - risk, boots - 1);
  const beyond = jstat.normal.inv(POWER, 0, 1) * Math.sqrt(1 + bound ** 2 / (2 * (boots - 1)));
  return -Math.expm1((-(bound + beyond) * round) / Math.sqrt(boots));
}
