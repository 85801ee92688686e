/**
 * The capacity of a server: the highest rate at which its p99 stays within a limit. Searched by an
 * up-and-down staircase, which goes up after a window that kept the limit and down after one that did not,
 * and so stays around the rate where both are equally likely. A bisection would end at the wrong half after
 * an unlucky window.
 * Source: H. Levitt, "Transformed up-down methods in psychoacoustics", J. Acoust. Soc. Am. 49 (1971).
 * @import { MetricComparison, RunCase, Trial, Window } from '../types.js'
 */

import { HELD } from '../model/load-model-check.js';
import { startsOf } from '../samples/case-figures.js';
import { LEAST_ROUNDS } from '../model/times.js';
import { estimate, intervalPct, percent, sameRounds } from './mean-estimate.js';
import { halfOf, halfWidth, mean } from '../samples/interval.js';

/** The first step, and the smallest, as logarithms of rates. */
const [WIDE, NARROW] = [Math.log(1.6), Math.log(1.04)];
/** Windows before this many turns are still on their way. */
const TURNS = 3;
/** The chance, to each side, that a change of an unchanged server is reported. */
const ALARM = 0.005;

/** firstRate: requests a second; mostMs: of a p99. @typedef {{ firstRate: number, mostMs: number }} Wanted */
/** @typedef {Pick<Window, 'rate' | 'seconds' | 'requests' | 'latencyMs'>} Tried */

/**
 * @typedef {object} Capacity in requests per second
 * @property {number} rate
 * @property {[number, number]} [interval] absent after one round
 * @property {true} [isBelow] it is below this rate, the first of the search
 * @property {number} rounds
 */

/**
 * The rate of the next window, in requests a second, by those of its start so far.
 * @type {(windows: Tried[], wanted: Wanted) => number}
 */
export function nextRate(windows, wanted) {
  const last = windows.at(-1);
  if (last?.rate === undefined) return wanted.firstRate;
  const step = Math.max(NARROW, WIDE / 2 ** turnsIn(windows, wanted).length);
  const rate = last.rate * Math.exp(isKept(last, wanted) ? step : -step);
  return Math.max(wanted.firstRate, Math.round(rate));
}

/**
 * Returns requests a second: the first rate where no window of the start kept the limit; undefined where the
 * search did not turn often enough.
 * @type {(windows: Tried[], wanted: Wanted) => number | undefined}
 */
export function capacityIn(windows, wanted) {
  const turn = turnsIn(windows, wanted)[TURNS - 1];
  const isKeptOnce = windows.length === 0 || windows.some((window) => isKept(window, wanted));
  if (turn === undefined) return isKeptOnce ? undefined : wanted.firstRate;
  return Math.exp(mean(windows.slice(turn).map(({ rate = wanted.firstRate }) => Math.log(rate))));
}

/** Undefined where no start shows it. @type {(measured: RunCase, wanted: Wanted) => Capacity | undefined} */
export function capacityOf(measured, wanted) {
  const logs = startsOf(measured).map((trial) => logOf(trial, wanted));
  const known = logs.filter(Number.isFinite);
  if (known.length === 0) return undefined;
  const rounds = known.length;
  const centre = mean(known);
  if (isBelowFirst(measured, wanted)) return { rate: wanted.firstRate, isBelow: true, rounds };
  if (rounds === 1) return { rate: Math.exp(centre), rounds };
  const half = halfOf(known);
  return { rate: Math.exp(centre), interval: [Math.exp(centre - half), Math.exp(centre + half)], rounds };
}

/**
 * Compares the rounds that both sides have; where one is below the first rate, tells the least change.
 * @param {{ base: RunCase, head: RunCase }} sides whose windows alternated
 * @param {Wanted & { margin: number }} wanted margin: a share
 * @returns {Pick<MetricComparison, 'effectPct' | 'ciPct' | 'verdict'>}
 */
export function compareCapacity({ base, head }, wanted) {
  const rounds = sameRounds(startsOf(base), startsOf(head));
  const logs = rounds.map(([before, after]) => logOf(after, wanted) - logOf(before, wanted));
  const estimated = estimate(logs.filter(Number.isFinite).map((log) => [log]));
  if (!estimated) return { verdict: 'unsure' };
  const { effect } = estimated;
  const effectPct = percent(effect);
  if (estimated.rounds < LEAST_ROUNDS) return { effectPct, verdict: 'unsure' };
  const ciPct = intervalPct(effect, halfWidth(estimated, ALARM));
  const isBound = [base, head].some((side) => isBelowFirst(side, wanted));
  if (!isBound && Math.max(...ciPct.map(Math.abs)) < 100 * wanted.margin)
    return { effectPct, ciPct, verdict: 'same' };
  const verdict = ciPct[0] > 0 ? 'improved' : ciPct[1] < 0 ? 'regressed' : 'unsure';
  return { effectPct, ciPct, verdict };
}

/** The logarithm of its capacity; NaN if it has none. @type {(trial: Trial, wanted: Wanted) => number} */
function logOf({ windows }, wanted) {
  return Math.log(capacityIn(windows, wanted) ?? Number.NaN);
}

/** Whether the first rate mostly exceeds the limit. @type {(measured: RunCase, wanted: Wanted) => boolean} */
export function isBelowFirst({ trials }, wanted) {
  const first = trials.flatMap(({ windows }) => windows).filter(({ rate }) => rate === wanted.firstRate);
  return 2 * first.filter((window) => !isKept(window, wanted)).length > first.length;
}

/** After which windows the search turned. @type {(windows: Tried[], wanted: Wanted) => number[]} */
function turnsIn(windows, wanted) {
  const kept = windows.map((window) => isKept(window, wanted));
  return [...kept.keys()].filter((index) => index > 0 && kept[index] !== kept[index - 1]);
}

/** Whether it answered what was asked for, in time. @type {(window: Tried, wanted: Wanted) => boolean} */
function isKept({ rate = 0, seconds, requests, latencyMs }, { mostMs }) {
  return (latencyMs?.p99 ?? Infinity) <= mostMs && requests >= HELD * rate * seconds - 1;
}
