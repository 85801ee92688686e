/**
 * Forecasts how small a change a comparison will find, from how neighbours differed in an earlier run.
 * @import { CaseComparison, Run, RunCase } from '../types.js'
 */

import jstat from 'jstat';
import { conditionsOf } from '../model/dimensions.js';
import { SPEEDS } from '../samples/figures.js';
import { answeringStarts, samplesOf } from '../samples/samples.js';
import { FALSE_ALARMS, LEAST_ROUNDS } from './alpha-spending.js';
import { estimate } from './mean-estimate.js';
import { differencesOf } from './paired-windows.js';
import { MOST_ROUNDS } from './verdicts.js';

/** The share of runs in which a slowdown should be found. */
export const POWER = 0.95;

/** Slowdowns that people ask about, as shares. */
export const ASKED = [0.01, 0.02, 0.05, 0.1];

/** Two sides that were measured beside each other, or one side alone. @typedef {{ base?: Run | undefined, head: Run }} Earlier */

/**
 * @typedef {object} Foretold
 * @property {string} id of the case
 * @property {number} finds the slowdown (a share) that so many rounds find in 95 of 100 runs; 1 where they find none
 * @property {number} roundsForMargin how many rounds find a slowdown as large as the margin
 * @property {{ share: number, rounds: number, seconds?: number }[]} table how many rounds find other slowdowns, and how long those
 *   took in the earlier run, where its windows have times
 */

/**
 * @param {Earlier} earlier
 * @param {object} plan
 * @param {string[]} plan.ids the cases that will be compared, which share alpha
 * @param {number} plan.rounds
 * @param {number} plan.margin a share
 * @returns {Foretold[]} of the cases that the earlier run knows well enough
 */
export function foretell(earlier, { ids, rounds, margin }) {
  const seconds = roundSeconds(earlier.head);
  return ids.flatMap((id) => {
    const finds = findsOf(earlier, { id, cases: ids.length });
    if (!finds) return [];
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
 * A run of a server against itself shows how small a change such a run finds.
 * @param {CaseComparison[]} cases
 * @param {{ base: Run, head: Run }} runs
 * @returns {CaseComparison[]} with `findsPct` where there are rounds enough
 */
export function withFloor(cases, runs) {
  return cases.map((compared) => {
    const { trials = [] } = runs.head.cases.find(({ id }) => id === compared.id) ?? {};
    const finds = findsOf(runs, { id: compared.id, cases: cases.length });
    return finds ? { ...compared, findsPct: 100 * finds(answeringStarts(trials).length) } : compared;
  });
}

/**
 * @param {Earlier} earlier
 * @param {{ id: string, cases: number }} compared cases: how many share alpha
 * @returns {((rounds: number) => number) | undefined} the slowdown (a share) that so many rounds find; undefined where the
 *   earlier run does not know the case well enough
 */
function findsOf(earlier, { id, cases }) {
  const noise = noiseOf(earlier, id);
  if (!noise) return undefined;
  const alpha = (FALSE_ALARMS * noise.weight) / cases;
  return (rounds) => smallest(noise.spread, { rounds, alpha });
}

/**
 * How far two servers of a round lie apart by chance: both sides of the case, or the case and the reference beside it.
 * @param {Earlier} earlier
 * @param {string} id
 * @returns {{ spread: number, weight: number } | undefined} spread: a standard deviation over rounds; weight: of the figure
 */
function noiseOf({ base, head }, id) {
  const measured = head.cases.find((runCase) => runCase.id === id);
  const beside =
    base?.session === head.session
      ? base?.cases.find((runCase) => runCase.id === id)
      : referenceOf(head.cases, measured);
  if (!measured || !beside) return undefined;
  const [ones, others] = [samplesOf(beside.trials), samplesOf(measured.trials)];
  const noises = SPEEDS.flatMap((row) => {
    const located = estimate(differencesOf(ones, others, row.id));
    return located && located.rounds >= LEAST_ROUNDS
      ? [{ spread: located.error * Math.sqrt(located.rounds), weight: row.judged.weight }]
      : [];
  });
  return noises.toSorted((a, b) => a.spread - b.spread)[0];
}

/** @param {Run} run @returns {number | undefined} what a round of all its cases took; undefined where windows have no times */
function roundSeconds({ cases }) {
  const starts = cases
    .flatMap(({ trials }) => trials)
    .flatMap(({ round, windows: [first] }) =>
      first?.at === undefined ? [] : [{ round, startedAt: first.at }],
    );
  const rounds = starts.map(({ round }) => round);
  const [earliest, latest] = [Math.min(...rounds), Math.max(...rounds)];
  if (!(latest > earliest)) return undefined;
  const startOf = (/** @type {number} */ wanted) =>
    Math.min(...starts.flatMap(({ round, startedAt }) => (round === wanted ? startedAt : [])));
  return (startOf(latest) - startOf(earliest)) / (latest - earliest);
}

/** @param {RunCase[]} cases @param {RunCase | undefined} measured */
function referenceOf(cases, measured) {
  const keyOf = (/** @type {RunCase} */ runCase) => JSON.stringify(conditionsOf(runCase));
  return measured && cases.find((runCase) => runCase.reference && keyOf(runCase) === keyOf(measured));
}

/**
 * The distance at which a mean's t exceeds its critical value with the wanted chance, by the normal approximation to the
 * noncentral t (N. L. Johnson, B. L. Welch, Biometrika 31, 1940).
 * @param {number} spread
 * @param {{ rounds: number, alpha: number }} test
 * @returns {number} a share
 */
function smallest(spread, { rounds, alpha }) {
  if (rounds < LEAST_ROUNDS) return 1;
  const bound = jstat.studentt.inv(1 - alpha, rounds - 1);
  const beyond = jstat.normal.inv(POWER, 0, 1) * Math.sqrt(1 + bound ** 2 / (2 * (rounds - 1)));
  return -Math.expm1((-(bound + beyond) * spread) / Math.sqrt(rounds));
}
