/**
 * What other programs used: `cpu.foreignShare`, `cpu.stealShare` and, where it is too much, names (`others`).
 * @import { Observer } from '../observers.js'
 * @import { Machine } from '../../system/process/proc.js'
 */

import { sum } from 'd3-array';
import { DISTURBED } from '../../model/interference.js';
import { TICKS_PER_SECOND } from '../../system/process/proc.js';
import { busiest, ticksBetween } from '../process-tree.js';

const MOST_NAMES = 3;

/** @type {Observer} */
export const machine = {
  start: () => ({
    stop({ start, end, use }) {
      if (end.server.size === 0) return {};
      const ours = [end.server, end.clients, end.proxy, end.services, end.idle, ...end.waitingServers];
      const others = new Map(
        [...end.all].filter(([pid]) => pid !== end.self.pid && !ours.some((members) => members.has(pid))),
      );
      const foreign = foreignTicks(start.machine, end.machine, {
        ours: sum(Object.values(use).flat()),
        seen: ticksBetween(start.all, end.all, others),
      });
      const capacity = ((end.atMs - start.atMs) / 1000) * TICKS_PER_SECOND * end.machine.cores;
      const foreignShare = shareOf(foreign, capacity);
      const stealShare = shareOf(end.machine.stealTicks - start.machine.stealTicks, capacity);
      return {
        cpu: { foreignShare, stealShare },
        ...(foreignShare > DISTURBED && { others: busiest(start.all, end.all, others).slice(0, MOST_NAMES) }),
      };
    },
  }),
};

/**
 * The ticks that the machine was busy with other programs; `seen` are those of the other visible processes.
 * Kernels differ in whether a process's account contains the interrupts that it was interrupted by, of which
 * a loaded network makes many (CONFIG_IRQ_TIME_ACCOUNTING excludes them). Under the wrong assumption our own
 * packets would look like a neighbour, so this takes the assumption that fits better to what other processes
 * used. In a container, which cannot see its neighbours, it can only err towards less.
 * @type {(start: Machine, end: Machine, ticks: { ours: number, seen: number }) => number}
 */
export function foreignTicks(start, end, { ours, seen }) {
  const without = end.processTicks - start.processTicks - ours;
  const withInterrupts = without + end.interruptTicks - start.interruptTicks;
  return Math.abs(without - seen) < Math.abs(withInterrupts - seen) ? without : withInterrupts;
}

/** Clamps it, since differences of ticks may be below 0. @type {(part: number, whole: number) => number} */
function shareOf(part, whole) {
  const share = whole > 0 ? Math.min(1, Math.max(0, part / whole)) : 0;
  return Math.round(share * 1e4) / 1e4;
}
