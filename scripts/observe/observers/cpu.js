/**
 * The CPU time of the server, of the load tool, of what stands before the server, of its services and of servers that wait: `cpu`, but for what others took. It reads every
 * process once at either end of a window, and of server and load tool every thread; nothing in between.
 * @import { Observer } from '../observers.js'
 */

import { TICKS_PER_SECOND } from '../../system/process/proc.js';
import { sum } from '../cpu-accounting.js';

/** @type {Observer} */
export const cpu = {
  label: 'CPU',
  reads: '/proc/PID/stat, /proc/PID/task/*/schedstat',
  platforms: ['linux'],
  start: () => ({
    stop({ start, end, use }) {
      // No process of the server is left to ask.
      if (end.server.size === 0) return {};
      const ticks = ((end.atMs - start.atMs) / 1000) * TICKS_PER_SECOND;
      return {
        cpu: {
          serverSeconds: use.server / TICKS_PER_SECOND,
          clientSeconds: use.client / TICKS_PER_SECOND,
          ...(end.front.size > 0 && { frontSeconds: use.front / TICKS_PER_SECOND }),
          ...(end.services.size > 0 && { servicesSeconds: use.services / TICKS_PER_SECOND }),
          ...(use.waiting.length > 0 && { waitingSeconds: sum(use.waiting) / TICKS_PER_SECOND }),
        },
        waiting: use.waiting.map((used) => used / ticks),
      };
    },
  }),
};
