/**
 * Which processes are the server, and what processes used between two looks. Pure.
 * @import { Process, Processes } from '../system/process/proc.js'
 */

/**
 * The process group, what descends from it (also where it has left the group), and what belonged to it before.
 * @param {Processes} processes
 * @param {number} pgid
 * @param {Processes} [earlier] the members of an earlier look: one whose parent has died since still belongs
 * @returns {Processes}
 */
export function membersOf(processes, pgid, earlier = new Map()) {
  /** @type {Map<number, boolean>} */
  const known = new Map();
  /** @param {Process} process @returns {boolean} */
  const belongs = (process) => {
    const { pid, ppid, pgrp } = process;
    const cached = known.get(pid);
    if (cached !== undefined) return cached;
    // Entered before the parent is asked, so that a listing torn by a reused pid cannot go round in a circle.
    known.set(pid, false);
    const parent = processes.get(ppid);
    const answer =
      pgrp === pgid || isSame(process, earlier.get(pid)) || (parent !== undefined && belongs(parent));
    known.set(pid, answer);
    return answer;
  };
  return new Map([...processes].filter(([, process]) => belongs(process)));
}

/** What ticks, rounded down in user and in system time at both ends, may tell too much. */
const ROUNDING_TICKS = 2;
const NANOSECONDS_PER_TICK = 1e7;

/**
 * A process that ended in between moves what it ever used into its parent's account; what it had used before the first
 * look is taken off there. Never negative: what nobody reaped is lost, not subtracted.
 * @param {Processes} before all processes
 * @param {Processes} after all processes
 * @param {Processes} of those of `after` to add up
 * @returns {number} ticks, with fractions where threads were read
 */
export function ticksBetween(before, after, of) {
  const settled = ticksOfTheDead(before, after);
  let sum = 0;
  for (const process of of.values()) {
    const { pid, ownTicks, childTicks } = process;
    const earlier = before.get(pid);
    if (!isSame(process, earlier)) sum += ownTicks + childTicks;
    else {
      sum += ownBetween(earlier, process);
      sum += Math.max(0, childTicks - earlier.childTicks - (settled.get(pid) ?? 0));
    }
  }
  return sum;
}

/**
 * @param {Processes} before all processes
 * @param {Processes} after all processes
 * @param {Processes} of those of `after` that are asked for
 * @returns {string[]} the names of those that used anything, whoever used most first; what has one name counts as one
 */
export function busiest(before, after, of) {
  const names = new Set([...of.values()].map(({ name }) => name));
  return [...names]
    .map((name) => {
      const alike = new Map([...of].filter(([, process]) => process.name === name));
      return { name, ticks: ticksBetween(before, after, alike) };
    })
    .filter(({ ticks }) => ticks > 0)
    .toSorted((a, b) => b.ticks - a.ticks)
    .map(({ name }) => name);
}

/**
 * Threads tell finely, but those that ended in between take their account along; then ticks, which keep it, may tell more.
 * @param {Process} before
 * @param {Process} after
 */
function ownBetween(before, after) {
  const ticks = Math.max(0, after.ownTicks - before.ownTicks);
  if (!before.threads || !after.threads) return ticks;
  let fine = 0;
  for (const [id, nanoseconds] of after.threads)
    fine += (nanoseconds - (before.threads.get(id) ?? 0)) / NANOSECONDS_PER_TICK;
  const haveEnded = [...before.threads.keys()].some((id) => !after.threads?.has(id));
  return haveEnded || ticks - fine > ROUNDING_TICKS ? Math.max(ticks, fine) : fine;
}

/**
 * @param {Processes} before
 * @param {Processes} after
 * @returns {Map<number, number>} ticks by the nearest ancestor that lives on
 */
function ticksOfTheDead(before, after) {
  /** @type {Map<number, number>} */
  const ticks = new Map();
  for (const dead of before.values()) {
    if (isSame(dead, after.get(dead.pid))) continue;
    const heir = heirOf(dead, before, after);
    if (heir !== undefined) ticks.set(heir, (ticks.get(heir) ?? 0) + dead.ownTicks + dead.childTicks);
  }
  return ticks;
}

/** @param {Process} dead @param {Processes} before @param {Processes} after @returns {number | undefined} */
function heirOf(dead, before, after) {
  const seen = new Set([dead.pid]);
  let parent = before.get(dead.ppid);
  while (parent && !seen.has(parent.pid)) {
    if (isSame(parent, after.get(parent.pid))) return parent.pid;
    seen.add(parent.pid);
    parent = before.get(parent.ppid);
  }
  return undefined;
}

/**
 * Pids are reused; with the instant of its start one is unique.
 * @param {Process} process
 * @param {Process | undefined} other
 * @returns {other is Process}
 */
function isSame(process, other) {
  return other !== undefined && other.pid === process.pid && other.startTime === process.startTime;
}
