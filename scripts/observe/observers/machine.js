/**
 * What others took of the machine: `cpu.foreignShare`, `cpu.stealShare` and, where it is too much, `others`. It reads one more
 * small file at either end of a window.
 * @import { Observer } from '../observers.js'
 * @import { Machine } from '../../system/process/proc.js'
 */

import { DISTURBED } from '../../model/interference.js';
import { TICKS_PER_SECOND } from '../../system/process/proc.js';
import { busiest, ticksBetween } from '../process-tree.js';
import { sum } from '../cpu-accounting.js';

/** Of the others, so many are named. */
const NAMES_TOLD = 3;

/** @type {Observer} */
export const machine = {
  label: 'other load on the machine',
  reads: '/proc/stat, /proc/PID/stat',
  platforms: ['linux'],
  start: () => ({
    stop({ start, end, use }) {
      if (end.server.size === 0) return {};
      const isOurs = (/** @type {number} */ pid) =>
        pid === end.self.pid ||
        [end.server, end.clients, end.front, end.services, end.idle, ...end.waiting].some((members) =>
          members.has(pid),
        );
      const others = new Map([...end.all].filter(([pid]) => !isOurs(pid)));
      const foreign = foreignTicks(start.machine, end.machine, {
        ours: sum([use.server, use.front, use.services, use.idle, ...use.waiting, use.client, use.own]),
        seen: ticksBetween(start.all, end.all, others),
      });
      const capacity = ((end.atMs - start.atMs) / 1000) * TICKS_PER_SECOND * end.machine.cores;
      const foreignShare = shareOf(foreign, capacity);
      const steal = end.machine.stealTicks - start.machine.stealTicks;
      return {
        cpu: { foreignShare, stealShare: shareOf(steal, capacity) },
        ...(foreignShare > DISTURBED && { others: busiest(start.all, end.all, others).slice(0, NAMES_TOLD) }),
      };
    },
  }),
};

/**
 * What the machine was busy with beyond us. Kernels differ in whether the time of interrupts, of which a loaded network
 * makes a lot, is also in the account of the process that was interrupted (CONFIG_IRQ_TIME_ACCOUNTING takes it out).
 * Counted against the wrong kernel, our own packets would look like a neighbour; so of both readings that one is taken
 * which fits better to what other processes are seen to have used. In a container, which cannot see its neighbours, the
 * choice can only err towards less.
 * @param {Machine} start
 * @param {Machine} end
 * @param {{ ours: number, seen: number }} ticks seen: what the other visible processes used
 * @returns {number} ticks
 */
export function foreignTicks(start, end, { ours, seen }) {
  const without = end.processTicks - start.processTicks - ours;
  const withInterrupts = without + end.interruptTicks - start.interruptTicks;
  return Math.abs(without - seen) < Math.abs(withInterrupts - seen) ? without : withInterrupts;
}

/**
 * @param {number} part
 * @param {number} whole
 * @returns {number} 0 to 1: the accounts are kept in ticks of 10 ms each, so a difference may fall short of nothing
 */
function shareOf(part, whole) {
  const share = whole > 0 ? Math.min(1, Math.max(0, part / whole)) : 0;
  return Math.round(share * 1e4) / 1e4;
}
