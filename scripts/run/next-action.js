/**
 * Decides what the conductor does next: measure a round, look at the results, or end. Pure.
 * @import { Case, Plan, Step, Trial, Trials } from '../types.js'
 */

import { sort, sum } from 'd3-array';
import { isBeside, isControl, isReference } from '../model/is-control.js';
import { FAILURES } from '../model/errors.js';
import {
  CONTROL_SHARE,
  CONTROLS_ALONE_SECONDS,
  LEAST_DIFFERENCES,
  PROMOTING_STARTS,
} from '../model/times.js';

/** How often a start is tried: the second try separates a glitch from a fault, a third only costs time. */
const TRIES = 2;

/**
 * @typedef {object} Looks
 * @property {number[]} shares of the budget, or of the rounds, at which results are judged (0 to 1)
 * @property {number} leastRounds no look before so many rounds
 *
 * @typedef {object} Situation
 * @property {Trials} trials
 * @property {Set<string>} decided ids of cases that need no more starts
 * @property {number} rounds how many rounds are over
 * @property {boolean} isNew whether a round was measured since the last look
 * @property {number} lastLook share of the last look; 0 before the first
 * @property {number} elapsed seconds since measuring began
 * @property {(measured: Case) => number} secondsOf how long the next start of a case will take
 * @property {(measured: Case) => number} spentOn seconds of its starts so far
 *
 * @typedef {{ type: 'measure', round: number, groups: Step[][] }
 *   | { type: 'look', share: number }
 *   | { type: 'end', reason: 'complete' | 'decided' | 'budget', rounds: number }} Action
 *
 * @param {Plan} plan
 * @param {Situation} situation
 * @param {Looks} [looks] absent: results are never looked at
 * @returns {Action} groups of `measure`: without cases that are decided or have failed twice, and with
 *   controls in their share of the time
 */
export function nextAction(plan, situation, looks) {
  const { cases, order, budgetSeconds } = plan;
  const { rounds, isNew, lastLook, elapsed, secondsOf } = situation;
  const endOf = (/** @type {Step[][]} */ groups) =>
    elapsed + sum(groups.flat(), (step) => secondsOf(step.case));

  const groups = withControls(wantedIn(rounds, plan, situation), plan, situation);
  if (looks && isNew && rounds >= looks.leastRounds) {
    const next = Math.max(endOf(groups) / budgetSeconds, (rounds + 1) / order.length);
    // An earlier look at rounds that no round follows would spend alpha that the last one needs.
    const share = next > 1 ? 1 : lookDue(looks.shares, { lastLook, next });
    if (share !== undefined) return { type: 'look', share };
  }
  if (rounds >= order.length) return { type: 'end', reason: 'complete', rounds };
  const hasOthers = !cases.every(({ reference }) => reference);
  if (groups.flat().every((step) => hasOthers && isReference(step)))
    return { type: 'end', reason: 'decided', rounds };
  // The look at the end has spent all alpha.
  const isOver = lastLook >= 1 || endOf(groups) > budgetSeconds;
  if (rounds > 0 && isOver) return { type: 'end', reason: 'budget', rounds };
  return { type: 'measure', round: rounds, groups };
}

/**
 * The round's groups without cases that are decided or failed twice, and without those that are then empty.
 * @type {(round: number, plan: Plan, known: Situation) => Step[][]}
 */
function wantedIn(round, { order }, { trials, decided }) {
  const givenUp = [...trials].flatMap(([step, own]) => (isGivenUp(own) ? step : []));
  // When one side fails for good, the other is measured once, which shows whether it fails too.
  const isHopeless = (/** @type {Step} */ step) =>
    givenUp.includes(step) ||
    ((trials.get(step) ?? []).length > 0 && givenUp.some((other) => other.case === step.case));
  const isWanted = (/** @type {Step} */ step) => !isHopeless(step) && !decided.has(step.case.id);
  return (order[round] ?? [])
    .map((group) => {
      const wanted = group.filter(isWanted);
      // The reference is only measured beside a server, unless it is planned alone.
      return wanted.every(isReference) && !group.every(isReference) ? [] : wanted;
    })
    .filter(({ length }) => length > 0);
}

/**
 * Without controls that used their share of the time. But each is measured once, and where nothing else is
 * left, until its sides can be told apart. Those that were less often come first.
 * @type {(groups: Step[][], plan: Plan, situation: Situation) => Step[][]}
 */
function withControls(groups, { cases }, { trials, elapsed, secondsOf, spentOn }) {
  const secondsIn = (/** @type {Step[]} */ steps) => sum(steps, (step) => secondsOf(step.case));
  const next = secondsIn(groups.flat().filter((step) => isControl(step.case)));
  const controls = cases.filter(isControl);
  const spent = sum(controls, spentOn);
  // One or two controls have to be measured more often for that.
  const enough = Math.max(PROMOTING_STARTS, LEAST_DIFFERENCES / controls.length);
  const isAlone = cases.every(isBeside);
  const isLeft = !isAlone && groups.flat().every((step) => isBeside(step.case));
  const isDue = isAlone
    ? elapsed + next <= CONTROLS_ALONE_SECONDS
    : spent + next <= CONTROL_SHARE * (elapsed + secondsIn(groups.flat()));
  const startsOf = (/** @type {Step} */ step) =>
    isControl(step.case) ? (trials.get(step)?.length ?? 0) : -1;
  const isWanted = (/** @type {Step} */ step) =>
    isLeft ? startsOf(step) < enough : isDue || startsOf(step) < 1;
  return groups.map((members) => sort(members.filter(isWanted), startsOf)).filter(({ length }) => length > 0);
}

/** Never where it was measured: how often it fails is a result, too. @type {(trials: Trial[]) => boolean} */
function isGivenUp(trials) {
  const failures = trials.flatMap(({ failure }) => failure ?? []);
  if (failures.some(({ kind }) => kind.endsWith('-failed'))) return true;
  const isFinal = failures.length >= TRIES || failures.some(({ kind }) => FAILURES[kind]?.isFinal);
  return isFinal && failures.length === trials.length;
}

/**
 * The look that is due now: the first one not taken yet, unless the next round ends in time for it. Looks
 * that a long round passed, or that came before there were enough rounds, are taken later, one after each
 * round: each has more data than the one before. shares: of the budget, or of the rounds (0 to 1), ascending;
 * lastLook: the last share taken; next: the share used up after one more round.
 * @type {(shares: number[], progress: { lastLook: number, next: number }) => number | undefined}
 */
export function lookDue(shares, { lastLook, next }) {
  return shares.find((share) => share > lastLook && share < next);
}
