/**
 * How a server of several processes spreads its work over them: `instanceSeconds`.
 * @import { Observer } from '../observers.js'
 */

import { TICKS_PER_SECOND } from '../../system/process/proc.js';
import { ticksBetween } from '../process-tree.js';

/** @type {Observer} */
export const balance = {
  start: () => ({
    stop({ start, end }) {
      const parents = new Set([...end.server.values()].map(({ ppid }) => ppid));
      const instances = [...end.server].filter(([pid]) => !parents.has(pid));
      if (instances.length < 2) return {};
      const ticks = instances.map((instance) => ticksBetween(start.all, end.all, new Map([instance])));
      return { instanceSeconds: ticks.map((used) => used / TICKS_PER_SECOND).sort((a, b) => b - a) };
    },
  }),
};
