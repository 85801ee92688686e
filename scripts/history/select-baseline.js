/**
 * Chooses the stored runs that a new one is compared with, and says why the others are left out.
 * @import { Case, LeftOut, Run, StoredRuns } from '../types.js'
 */

import { compare } from '../judge/compare.js';
import { defined } from '../model/defined.js';
import { shareCases } from './baselines.js';
import { hasReference } from './pooled-base.js';

/** So many runs show how far runs lie apart; more would reach too far back. */
const POOLED = 20;
/** A false alarm is 1 in 100; a third in a row of the same case is a new level that nobody accepted. */
const CONFIRMED = 2;

/**
 * The run, measured or planned, to select for; onlyHere: no other kinds of machine, even without runs here.
 * @typedef {{ id?: string, fingerprint: string, preset?: string, cases: Case[], onlyHere?: boolean }} Head
 */
/** Takes runs, the latest first; leaves what may stay. @typedef {(runs: Run[], head: Head) => Run[]} Sieve */

/** In this order: a later sieve sees only what earlier ones left. @type {[why: LeftOut, sieve: Sieve][]} */
const SIEVES = [
  [
    'other-cases',
    (runs, head) =>
      runs.filter((run) => run.id !== head.id && run.preset === head.preset && shareCases(head, run)),
  ],
  ['gate-failed', trusted],
  ['other-machine', ofOneMachine],
  ['older', (runs) => runs.slice(0, POOLED)],
  ['before-a-change', sinceLastChange],
  // Days can only be pooled through the reference of each.
  [
    'no-reference',
    (runs) => (runs[0] && hasReference(runs[0]) ? runs.filter(hasReference) : runs.slice(0, 1)),
  ],
];

/**
 * Takes runs, the latest first, and returns those to compare with in that order, and what became of each.
 * @type {(runs: Run[], head: Head) => { runs: Run[], stored: StoredRuns }}
 */
export function chooseRuns(runs, head) {
  /** @type {StoredRuns['left']} */
  const left = [];
  let used = runs;
  for (const [why, sieve] of SIEVES) {
    const kept = new Set(sieve(used, head));
    left.push(...used.filter((run) => !kept.has(run)).map((run) => ({ ...nameOf(run), why })));
    used = used.filter((run) => kept.has(run));
  }
  return { runs: used, stored: { used: used.map(nameOf), left } };
}

/**
 * A run that failed its gate is a base only where somebody accepted it, or where later runs failed at the
 * same cases without a further change: then all of them are of the new level.
 * @type {Sieve}
 */
function trusted(runs) {
  const failed = runs.filter(hasFailed);
  const confirmed = new Set(
    failed.flatMap((run, index) => {
      const later = failed.slice(0, index).filter((other) => confirms(other, run));
      const alike = later.filter((other) => failedCases(other).length === failedCases(run).length);
      return later.length < CONFIRMED ? [] : [run, ...alike];
    }),
  );
  return runs.filter((run) => !hasFailed(run) || confirmed.has(run));
}

/** This machine's runs, where there are any; otherwise those of the one that measured last. @type {Sieve} */
function ofOneMachine(runs, { fingerprint, onlyHere = false }) {
  const kinds = runs.map(({ environment }) => environment.fingerprint);
  const kind = onlyHere || kinds.includes(fingerprint) ? fingerprint : kinds[0];
  return runs.filter(({ environment }) => environment.fingerprint === kind);
}

/**
 * Runs from before a change, even a wanted one, say nothing of what came after it. A gate has judged by more
 * runs than the two that are compared here.
 * @type {Sieve}
 */
function sinceLastChange(runs) {
  const [latest] = runs;
  // Since the last change that was accepted or confirmed.
  const changed = runs.findIndex(({ gate }) => gate?.failed.length);
  const before = changed < 0 ? -1 : runs.slice(changed).findIndex((run) => !hasFailed(run));
  const level = runs.slice(0, before < 0 ? runs.length : changed + Math.max(1, before));
  const end = level.findIndex((run, index) => index > 0 && latest && changedCases(run, latest).length > 0);
  return end < 0 ? level : level.slice(0, end);
}

/** @param {Run} run */
function hasFailed(run) {
  return failedCases(run).length > 0;
}

/** @param {Run} run */
function failedCases({ gate }) {
  return gate?.accepted ? [] : (gate?.failed ?? []);
}

/** @type {(later: Run, run: Run) => boolean} */
function confirms(later, run) {
  const cases = failedCases(run);
  return (
    later.environment.fingerprint === run.environment.fingerprint &&
    cases.every((id) => failedCases(later).includes(id)) &&
    !changedCases(run, later).some((id) => cases.includes(id))
  );
}

/** @type {(run: Run, later: Run) => string[]} */
function changedCases(run, later) {
  const { cases } = compare(run, later);
  return cases.flatMap(({ id, verdict }) => (['regressed', 'improved'].includes(verdict) ? id : []));
}

/** @param {Run} run */
function nameOf({ id, startedAt, revision: { sha } }) {
  return defined({ id, startedAt, sha });
}
