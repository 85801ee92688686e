/**
 * Windows of a case that is only counted: short ones, until their bytes a request are level.
 * @import { Load, Trial, Window } from '../types.js'
 * @import { Dependencies } from './dependencies.js'
 * @import { ServerRun } from './server-run.js'
 */

import { max, sum } from 'd3-array';
import { startLoading } from '../load/load.js';
import { findTool } from '../load/tools.js';
import { WHOLE_SECONDS } from '../model/times.js';

/** A crowded machine makes short windows longer and fewer. */
const MOST = { short: [30, 0.2], whole: [15, WHOLE_SECONDS] };
/** So many are enough where sides agree, where they differ by a little (no more are kept), and elsewhere. */
const ENOUGH = { alike: 3, near: 6, other: 2 };
/** Bytes a request differ by less in both halves of the windows, and in sides that agree. */
const SETTLED = 0.003;
/** A later start, of sides that differ by more, only repeats what the first one showed. */
const APART = 0.1;
/** V8 takes 0.2 MB at a time of its old space, and most windows next to one another make up for that. */
const BYTES = { window: 25e6, least: 40e6 };

/** The warm-up is of the first case of a start. @type {(load: Load) => Load} */
export function countedLoad({ requests: _, rate: __, ...load }) {
  const [windows = 0, seconds = 0] = 'driver' in findTool(load.tool) ? MOST.short : MOST.whole;
  // More only leave a slow server a longer queue.
  const connections = Math.min(load.connections, 10);
  return { ...load, windows, durationSeconds: windows * seconds, warmupSeconds: 1, connections };
}

/** Loads both sides at once, since no clock is read. @type {(real: Dependencies) => Dependencies} */
export function atOnce(real) {
  const second = startLoading();
  return {
    ...real,
    isInside: true,
    shareCore: async () => false,
    canInterleave: () => true,
    startServer: ({ env, ...server }, options) =>
      real.startServer({ ...server, env: { ...env, PERF_ACTION_COUNTS_ALONE: '1' } }, options),
    // From inside alone: reading all processes takes a crowded machine tenths of a second.
    observe(_, { inside = [] } = {}) {
      const stops = inside.map(({ start }) => /** @type {() => Promise<Partial<Window>>} */ (start().stop));
      return { stop: async () => Object.assign({}, ...(await Promise.all(stops.map((stop) => stop())))) };
    },
    interleave: (targets, signal) =>
      Promise.all(targets.map((target, place) => (place > 0 ? second : real).load({ ...target, signal }))),
    stop: async () => void (await Promise.all([real.stop(), second.stop()])),
  };
}

/** Whether it needs no more windows. @type {(one: ServerRun, group: ServerRun[]) => boolean} */
export function hasSettled({ step, trial }, group) {
  if (!step.case.counted) return false;
  const sides = group.filter((each) => each.step.case.id === step.case.id);
  const [one = NaN, other = NaN] = sides.map((side) => bytesOf(keptOf(side.trial)));
  const difference = Math.abs(one / other - 1);
  if (trial.round > 0 && difference > APART) return true;
  const enough = difference < SETTLED ? ENOUGH.alike : difference < APART ? ENOUGH.near : ENOUGH.other;
  return keptOf(trial).length >= enough && isLevel(trial);
}

/** Whether windows are level, or nobody knows their bytes. @param {Trial} trial */
function isLevel(trial) {
  const kept = keptOf(trial);
  const middle = kept.length >> 1;
  const isLittle = bytesOf(kept) * sum(kept, ({ requests }) => requests) < BYTES.least;
  const change = Math.abs(bytesOf(kept.slice(0, middle)) / bytesOf(kept.slice(middle)) - 1);
  return kept.length > 1 && !(isLittle || change > SETTLED);
}

/** Sides have windows of one length. A crowded machine answers little in it. @param {ServerRun[]} due */
export function lengthenCounted(due) {
  const counted = due.filter(({ step }) => step.case.counted);
  const needed = max(counted, ({ trial }) => {
    // A later start may need no more.
    if (trial.round > 0 && trial.windows.length < 2) return 0;
    const { allocatedBytes = Infinity, seconds = 0 } = trial.windows.at(-1) ?? {};
    return Math.min(WHOLE_SECONDS, (seconds * BYTES.window) / allocatedBytes);
  });
  for (const each of counted) each.windowSeconds = Math.max(each.windowSeconds, needed ?? 0);
}

/** Leaves out earlier windows, and bytes that did not settle. @param {ServerRun[]} group */
export function keepSettled(group) {
  const settled = group.filter((each) => hasSettled(each, group) || isLevel(each.trial));
  for (const each of group.filter(({ step }) => step.case.counted)) {
    const { trial, latencies } = each;
    if (!settled.includes(each) && trial.windows.some((window) => 'allocatedBytes' in window)) {
      trial.unsettled = true;
      for (const window of trial.windows) delete window.allocatedBytes;
    }
    const kept = [keptOf(trial), trial.windows].find(({ length }) => length > 0) ?? [];
    // What was counted without load stays known.
    for (const id of /** @type {const} */ (['statements', 'outgoing'])) {
      const counted = kept[0]?.[id];
      const idle = sum(trial.windows.slice(0, -kept.length), (window) => window[id]?.idle);
      if (counted && idle > 0) counted.idle = idle + (counted.idle ?? 0);
    }
    trial.windows = kept;
    latencies.length = 0;
  }
}

/**
 * What is made once is made in the first window; a start's first case compiles in another one what all share.
 * @type {(trial: Pick<Trial, 'windows' | 'startupMs'>) => Window[]}
 */
function keptOf({ windows, startupMs }) {
  return windows.slice(startupMs === undefined ? 1 : 2).slice(-ENOUGH.near);
}

/** A request; NaN where a window has none. @param {Window[]} windows */
function bytesOf(windows) {
  const bytes = windows.reduce((all, { allocatedBytes = NaN }) => all + allocatedBytes, 0);
  return bytes / sum(windows, ({ requests }) => requests);
}
