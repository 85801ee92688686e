/**
 * Which processes are the server, and what processes used between two looks. Pure.
 * @import { Process, Processes } from '../system/process/proc.js'
 */

import { group, sum } from 'd3-array';

/** The most that the rounding of ticks, down in user and in system time at both ends, may add. */
const ROUNDING_TICKS = 2;
const NANOSECONDS_PER_TICK = 1e7;

/**
 * The members of the process groups and their descendants, also those that left the group or whose parent has
 * died since `earlier`, which are the members at an earlier look.
 * @type {(processes: Processes, groups: number[], earlier?: Processes) => Processes}
 */
export function membersOf(processes, groups, earlier = new Map()) {
  /** @type {Map<number, boolean>} */
  const known = new Map();
  /** @type {(process: Process) => boolean} */
  const belongs = (process) => {
    const { pid, ppid, pgrp } = process;
    const cached = known.get(pid);
    if (cached !== undefined) return cached;
    // Entered before the parent's answer, so that a listing torn by a reused pid cannot cause an endless
    // loop.
    known.set(pid, false);
    const parent = processes.get(ppid);
    const answer =
      groups.includes(pgrp) || isSame(process, earlier.get(pid)) || (!!parent && belongs(parent));
    known.set(pid, answer);
    return answer;
  };
  return new Map([...processes].filter(([, process]) => belongs(process)));
}

/**
 * The ticks of `members`, which are of `after`, among all processes; they have fractions where threads were
 * read. A process that ended in between moves all that it ever used into its parent's account, so what it had
 * used before is subtracted there. Never negative, since the time of a process that nobody reaped is lost.
 * @type {(before: Processes, after: Processes, members: Processes) => number}
 */
export function ticksBetween(before, after, members) {
  const settled = ticksOfTheDead(before, after);
  return sum(members.values(), (process) => {
    const { pid, ownTicks, childTicks } = process;
    const earlier = before.get(pid);
    if (!isSame(process, earlier)) return ownTicks + childTicks;
    const children = childTicks - earlier.childTicks - (settled.get(pid) ?? 0);
    return ownBetween(earlier, process) + Math.max(0, children);
  });
}

/**
 * Names of the `members` of `after` that used anything, busiest first; processes of one name count as one.
 * @type {(before: Processes, after: Processes, members: Processes) => string[]}
 */
export function busiest(before, after, members) {
  return [...group(members, ([, { name }]) => name)]
    .map(([name, alike]) => ({ name, ticks: ticksBetween(before, after, new Map(alike)) }))
    .filter(({ ticks }) => ticks > 0)
    .sort((a, b) => b.ticks - a.ticks)
    .map(({ name }) => name);
}

/**
 * Threads are precise, but those that ended took their account along; then ticks, which keep it, show more.
 * @type {(before: Process, after: Process) => number}
 */
function ownBetween(before, after) {
  const ticks = Math.max(0, after.ownTicks - before.ownTicks);
  const { threads } = after;
  const earlier = before.threads;
  if (!earlier || !threads) return ticks;
  const nanoseconds = sum(threads, ([id, ran]) => ran - (earlier.get(id) ?? 0));
  const fine = nanoseconds / NANOSECONDS_PER_TICK;
  const haveEnded = [...earlier.keys()].some((id) => !threads.has(id));
  return haveEnded || ticks - fine > ROUNDING_TICKS ? Math.max(ticks, fine) : fine;
}

/** Ticks by the next live ancestor. @type {(before: Processes, after: Processes) => Map<number, number>} */
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

/** @type {(dead: Process, before: Processes, after: Processes) => number | undefined} */
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
 * Pids are reused; with its start time, a process is unique.
 * @type {(process: Process, other: Process | undefined) => other is Process}
 */
function isSame(process, other) {
  return other !== undefined && other.pid === process.pid && other.startTime === process.startTime;
}
