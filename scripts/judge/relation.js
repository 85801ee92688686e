/**
 * How two runs relate, and so what effects are taken relative to.
 * @import { Comparison, Run, Trial, Warning } from '../types.js'
 */

import { metric } from './metrics.js';
import { reach, welch } from './shift.js';
import { percent } from './verdicts.js';

/**
 * relativeTo: the reference arm's boots, where effects are taken relative to it; comparable: whether figures may be
 * compared at all.
 * @typedef {{ method: Comparison['method'], comparable: boolean, warnings: Warning[],
 *   reference?: Comparison['reference'], relativeTo?: { base: Trial[], head: Trial[] } }} Relation
 */

/**
 * Runs of one session were interleaved and share whatever drifts. Between any others everything is relative to the arm
 * that no change touches: across machines, and on one machine too, which drifts between runs by more than the promise
 * bears and by less than one can be sure of. Shards of a joined run are machines each, however alike. The other servers'
 * common movement is never divided out: that would erase a real change of all of them.
 * @param {Run} base
 * @param {Run} head
 * @param {number} alpha the chance that the reference's interval misses the truth
 * @returns {Relation}
 */
export function relate(base, head, alpha) {
  const method =
    base.session === head.session
      ? 'side-by-side'
      : base.environment.fingerprint === head.environment.fingerprint && !isJoined(base) && !isJoined(head)
        ? 'same-machine'
        : 'through-reference';
  const arm = referencePair(base, head);
  const moved = arm && referenceShift(arm.trials, alpha);
  if (!arm || !moved) {
    const comparable = method !== 'through-reference';
    const message =
      'the runs are of different machines and share no reference arm: absolute figures cannot be compared';
    return { method, comparable, warnings: comparable ? [] : [{ code: 'no-reference', message }] };
  }
  const { effect, half } = moved;
  const reference = {
    id: arm.id,
    effectPct: percent(effect),
    ciPct: /** @type {[number, number]} */ ([percent(effect - half), percent(effect + half)]),
  };
  const relative = method !== 'side-by-side' && { relativeTo: arm.trials };
  return { method, comparable: true, warnings: [], reference, ...relative };
}

/**
 * @param {Run} run
 * @returns {boolean} whether several machines measured it
 */
function isJoined({ cases }) {
  return cases.some(({ trials }) => trials.some(({ shard }) => shard !== undefined));
}

/**
 * @param {Trial[]} arm the reference's boots
 * @param {Trial[]} trials
 * @returns {Trial[]} those of the arm that shared a machine with the trials
 */
export function onMachineOf(arm, trials) {
  const shards = new Set(trials.map(({ shard }) => shard));
  return arm.filter(({ shard }) => shards.has(shard));
}

/**
 * @param {Trial[]} trials
 * @returns {Trial[]} those that measured something
 */
export function goodTrials(trials) {
  return trials.filter(({ failure, windows }) => !failure && windows.some(({ requests }) => requests > 0));
}

/**
 * @param {Run} base
 * @param {Run} head
 */
function referencePair(base, head) {
  for (const of of head.cases.filter(({ reference }) => reference)) {
    const other = base.cases.find(({ id, reference }) => reference && id === of.id);
    if (other) return { id: of.id, trials: { base: goodTrials(other.trials), head: goodTrials(of.trials) } };
  }
  return undefined;
}

/**
 * @param {{ base: Trial[], head: Trial[] }} trials
 * @param {number} alpha
 */
function referenceShift({ base, head }, alpha) {
  const logs = (/** @type {Trial[]} */ trials) =>
    trials.map((trial) => Math.log(metric('throughput').of(trial) ?? Number.NaN)).filter(Number.isFinite);
  const shift = welch(logs(base), logs(head));
  if (!shift) return undefined;
  const half = reach({ error: Math.sqrt(shift.variance), df: shift.freedom }, alpha);
  return { effect: shift.difference, half };
}
