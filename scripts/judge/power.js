/**
 * Forecasts how small a change a comparison will find, from how neighbours differed in an earlier run.
 * @import { CaseComparison, Run } from '../types.js'
 */

import { least, max, min } from 'd3-array';
import jstat from 'jstat';
import { referenceOf } from '../model/reference.js';
import { SPEEDS } from '../samples/figures.js';
import { samplesOf, startsOf } from '../samples/case-figures.js';
import { FALSE_ALARMS } from './alpha-spending.js';
import { LEAST_ROUNDS } from '../model/times.js';
import { differencesOf, estimate } from './mean-estimate.js';
import { MOST_ROUNDS } from './verdicts.js';

/** The share of runs that find a slowdown, in the estimates of `plan`. */
export const POWER = 0.95;
/** The slowdowns in those estimates. */
export const ASKED = [0.01, 0.02, 0.05, 0.1];
/** How far sides of a round lie apart by chance: Express and Fastify on a shared core (docs/evidence.md). */
const TYPICAL = { spread: 0.026, weight: Math.max(...SPEEDS.map(({ judged }) => judged.weight)) };

/** Two sides measured beside each other, or one alone. @typedef {{ base?: Run, head: Run }} Earlier */

/**
 * @typedef {object} Foretold
 * @property {string} id of the case
 * @property {number} finds the slowdown (a share) that so many rounds find in 95 of 100 runs; 1: none
 * @property {number} roundsForMargin how many rounds find a slowdown as large as the margin
 * @property {{ share: number, rounds: number, seconds?: number }[]} table how many rounds find other
 *   slowdowns, and how long those took in the earlier run, where its windows have times
 */

/**
 * @param {Earlier | undefined} earlier absent: each case is as noisy as Express
 * @param {{ ids: string[], rounds: number, margin: number }} plan ids share alpha; margin: a share
 * @returns {Foretold[]} of the cases that the earlier run knows well enough
 */
export function foretell(earlier, { ids, rounds, margin }) {
  const seconds = earlier && roundSeconds(earlier.head);
  return ids.flatMap((id) => {
    const noise = earlier ? noiseOf(earlier, id) : TYPICAL;
    if (!noise) return [];
    const finds = findsOf(noise, ids.length);
    const roundsFor = (/** @type {number} */ share) => {
      let needed = LEAST_ROUNDS;
      while (needed < MOST_ROUNDS && finds(needed) > share) needed++;
      return needed;
    };
    const table = ASKED.map((share) => {
      const needed = roundsFor(share);
      return { share, rounds: needed, ...(seconds !== undefined && { seconds: needed * seconds }) };
    });
    return [{ id, finds: finds(rounds), roundsForMargin: roundsFor(margin), table }];
  });
}

/**
 * A run of a server against itself shows how small a change such a run finds: `findsPct`, with rounds enough.
 * @type {(cases: CaseComparison[], runs: { base: Run, head: Run }) => CaseComparison[]}
 */
export function withFloor(cases, runs) {
  return cases.map((compared) => {
    const { trials = [] } = runs.head.cases.find(({ id }) => id === compared.id) ?? {};
    const noise = noiseOf(runs, compared.id);
    if (!noise) return compared;
    return { ...compared, findsPct: 100 * findsOf(noise, cases.length)(startsOf({ trials }).length) };
  });
}

/**
 * The smallest slowdown is where a mean's t exceeds its critical value with the wanted chance, by the normal
 * approximation to the noncentral t (N. L. Johnson, B. L. Welch, Biometrika 31, 1940).
 * @param {{ spread: number, weight: number }} noise see `noiseOf`
 * @param {number} cases that share alpha
 * @returns {(rounds: number) => number} the slowdown (a share) that so many rounds find
 */
function findsOf({ spread, weight }, cases) {
  const alpha = (FALSE_ALARMS * weight) / cases;
  return (rounds) => {
    if (rounds < LEAST_ROUNDS) return 1;
    const bound = jstat.studentt.inv(1 - alpha, rounds - 1);
    const beyond = jstat.normal.inv(POWER, 0, 1) * Math.sqrt(1 + bound ** 2 / (2 * (rounds - 1)));
    return -Math.expm1((-(bound + beyond) * spread) / Math.sqrt(rounds));
  };
}

/**
 * How far two servers of a round lie apart by chance: both sides of the case, or the case and the reference
 * beside it. spread: a standard deviation over rounds; weight: of the figure; undefined where the earlier run
 * does not know the case well enough.
 * @type {(earlier: Earlier, id: string) => { spread: number, weight: number } | undefined}
 */
function noiseOf({ base, head }, id) {
  const measured = head.cases.find((runCase) => runCase.id === id);
  if (!measured) return undefined;
  const beside =
    base?.session === head.session
      ? base.cases.find((runCase) => runCase.id === id)
      : referenceOf(measured, head.cases);
  if (!beside) return undefined;
  const [from, to] = [samplesOf(beside.trials), samplesOf(measured.trials)];
  const noises = SPEEDS.flatMap((row) => {
    const estimated = estimate(differencesOf(from, to, row.id));
    return estimated && estimated.rounds >= LEAST_ROUNDS
      ? [{ spread: estimated.error * Math.sqrt(estimated.rounds), weight: row.judged.weight }]
      : [];
  });
  return least(noises, ({ spread }) => spread);
}

/** What a round of all its cases took; undefined without times. @type {(run: Run) => number | undefined} */
function roundSeconds({ cases }) {
  const starts = cases
    .flatMap(({ trials }) => trials)
    .flatMap(({ round, windows: [first] }) => (first?.at === undefined ? [] : [[round, first.at]]));
  const startOf = (/** @type {number | undefined} */ wanted) =>
    min(starts, ([round, startedAt]) => (round === wanted ? startedAt : undefined)) ?? 0;
  const [earliest = 0, latest = 0] = [min(starts, ([round]) => round), max(starts, ([round]) => round)];
  return latest > earliest ? (startOf(latest) - startOf(earliest)) / (latest - earliest) : undefined;
}
