/**
 * How the work of a server of several processes is spread over them: `instanceSeconds`. It reads nothing that is not read
 * already.
 * @import { Observer } from '../observers.js'
 */

import { TICKS_PER_SECOND } from '../../system/process/proc.js';
import { ticksBetween } from '../process-tree.js';

/** @type {Observer} */
export const balance = {
  label: 'balance over the processes of a server',
  reads: '/proc/PID/stat, /proc/PID/task/*/schedstat',
  platforms: ['linux'],
  start: () => ({
    stop({ start, end }) {
      const parents = new Set([...end.server.values()].map(({ ppid }) => ppid));
      const instances = [...end.server.values()].filter(({ pid }) => !parents.has(pid));
      if (instances.length < 2) return {};
      const ticks = instances.map((each) => ticksBetween(start.all, end.all, new Map([[each.pid, each]])));
      return { instanceSeconds: ticks.map((each) => each / TICKS_PER_SECOND).sort((a, b) => b - a) };
    },
  }),
};
