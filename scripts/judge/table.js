/**
 * The boots of both sides as rows of figures that show speed, fit to be read together.
 * @import { MetricId, Trial } from '../types.js'
 * @import { Table } from './shapes.js'
 */

import { othersShare } from '../disturbance.js';
import { at } from './linear.js';
import { metric } from './metrics.js';
import { pairRounds } from './rounds.js';

/** What shows a boot's speed, and so its state, in the order of the table's columns. */
const SPEED = /** @type {const} */ (['throughput', 'cpuPerRequest', 'p50']);
/** Below this spread (standard deviation of the share) all boots were disturbed alike: there is nothing to correct for. */
const VARIED = 0.03;
/** A boot with a neighbour on one of two cores scatters twice as wide (variance: four times) as one alone. */
const WIDER = 3;
const FULLY_DISTURBED = 0.4;
/** A figure rounded more coarsely than this share of itself shows steps, not speed. */
const GRAIN = 0.01;

/**
 * @param {{ base: Trial[], head: Trial[] }} trials that succeeded
 * @param {{ reference?: { base: Trial[], head: Trial[] } | undefined, interleaved?: boolean | undefined }} [how] reference:
 *   with it, every figure is taken relative to the reference's in the same round; interleaved: equal rounds are neighbours
 * @returns {Table | undefined} undefined where not even throughput is known of every boot, or a boot has no reference
 *   boot of its own: one that serves for several would bring each the same error, and their number would not lessen it
 */
export function speedTable(trials, { reference, interleaved = false } = {}) {
  const all = [...trials.base, ...trials.head];
  const gauge = reference && [
    ...inRounds(trials.base, reference.base),
    ...inRounds(trials.head, reference.head),
  ];
  if (gauge && new Set(gauge).size < all.length) return undefined;
  const pick = samePick([...all, ...(gauge ?? [])]);
  const columns = SPEED.flatMap((id) => {
    const values = all.map((trial) => valueOf(trial, id, pick));
    const gauges = gauge?.map((trial) => valueOf(trial, id, pick));
    if (![...values, ...(gauges ?? [])].every((value) => value !== undefined && value > 0)) return [];
    if (id === 'p50' && grainOf(values) > GRAIN) return [];
    return [{ id, logs: values.map((value, i) => Math.log(value ?? 1) - Math.log(gauges?.[i] ?? 1)) }];
  });
  if (columns.length === 0) return undefined;
  const disturbed = disturbanceOf(all);
  const pairs = interleaved ? pairRounds(trials) : undefined;
  return {
    metrics: columns.map(({ id }) => id),
    faster: columns.map(({ id }) => (metric(id).better === 'more' ? 1 : -1)),
    boots: all.length,
    values: Float64Array.from(all.flatMap((_, boot) => columns.map(({ logs }) => at(logs, boot)))),
    side: Uint8Array.from(all, (_, boot) => (boot < trials.base.length ? 0 : 1)),
    ...disturbed,
    ...(pairs && { pairs }),
  };
}

/**
 * @param {{ base: Trial[], head: Trial[] }} trials
 * @param {{ base: Trial[], head: Trial[] }} reference
 * @returns {{ base: Trial[], head: Trial[] }} those that a reference boot was measured beside
 */
export function besideReference(trials, reference) {
  const [base, head] = /** @type {const} */ (['base', 'head']).map((side) => {
    const rounds = new Set(reference[side].map(({ round }) => round));
    return trials[side].filter(({ round }) => rounds.has(round));
  });
  return { base: base ?? [], head: head ?? [] };
}

/**
 * Boots taken for the wrong state can turn a change into its opposite, of any sureness; their plain means cannot.
 * @param {Table} table
 * @param {number[]} effects as read, by metric
 * @returns {number} how much of the change of speed the plain means show: 1 all of it, below 0 the opposite
 */
export function shownByMeans({ metrics, faster, boots, values, side }, effects) {
  const k = metrics.length;
  const heads = side.reduce((sum, s) => sum + s, 0);
  let read = 0;
  let shown = 0;
  for (const [m, sign] of faster.entries()) {
    read += sign * at(effects, m);
    for (let i = 0; i < boots; i++) {
      shown += (sign * at(values, i * k + m)) / (side[i] === 1 ? heads : heads - boots);
    }
  }
  return shown / read;
}

/**
 * How coarse a latency is: tools that count whole milliseconds say nothing of a change from 1.4 to 0.6.
 * @param {(number | undefined)[]} values milliseconds
 * @returns {number} one step as a share of the median; 0 where no steps are seen
 */
export function grainOf(values) {
  const known = values.filter((value) => value !== undefined);
  if (known.length === 0 || !known.every(Number.isInteger)) return 0;
  return (
    1 /
    Math.max(
      1,
      at(
        known.toSorted((a, b) => a - b),
        Math.floor(known.length / 2),
      ),
    )
  );
}

/**
 * A boot has one window that was least disturbed, and disturbance only ever slows: where all boots have equally many
 * windows, each metric's best one is taken. With unequal numbers the side with more would gain from choosing.
 * @param {Trial[]} trials
 * @returns {'best' | 'all'}
 */
function samePick(trials) {
  const counts = new Set(trials.map(({ windows }) => windows.length));
  return counts.size === 1 ? 'best' : 'all';
}

/**
 * @param {Trial} trial
 * @param {MetricId} id
 * @param {'best' | 'all'} pick
 * @returns {number | undefined}
 */
function valueOf(trial, id, pick) {
  const { of, better } = metric(id);
  if (pick === 'all') return of(trial);
  const values = trial.windows.map((window) => of({ ...trial, windows: [window] }));
  if (!values.every((value) => value !== undefined && Number.isFinite(value))) return undefined;
  return better === 'more' ? Math.max(...values.map(Number)) : Math.min(...values.map(Number));
}

/**
 * @param {Trial[]} trials
 * @param {Trial[]} reference
 * @returns {Trial[]} the reference boots of the same rounds
 */
function inRounds(trials, reference) {
  const of = new Map(reference.map((trial) => [trial.round, trial]));
  return trials.flatMap(({ round }) => of.get(round) ?? []);
}

/**
 * @param {Trial[]} trials
 * @returns {Pick<Table, 'disturbance' | 'spread'>}
 */
function disturbanceOf(trials) {
  if (!trials.every(({ windows }) => windows.every(({ cpu }) => cpu))) {
    return { spread: new Float64Array(trials.length).fill(1) };
  }
  const shares = trials.map(({ windows }) => Math.min(...windows.map(othersShare)));
  const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
  const spread = Float64Array.from(shares, (share) => 1 + WIDER * Math.min(1, share / FULLY_DISTURBED));
  const deviation = Math.sqrt(shares.reduce((sum, share) => sum + (share - mean) ** 2, 0) / shares.length);
  if (deviation < VARIED) return { spread };
  return { spread, disturbance: Float64Array.from(shares, (share) => share - mean) };
}
