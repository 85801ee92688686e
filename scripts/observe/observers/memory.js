/**
 * The server's memory: `rssBytes`, the highest of what was seen at both ends of a window and five times a second in between,
 * often enough for a garbage collector's sawtooth. Pages that several processes share count in each.
 * @import { Observer } from '../observers.js'
 * @import { Processes } from '../../proc.js'
 */

import { readResidentBytes } from '../../proc.js';
import { sum } from '../span.js';

/** @type {Observer} */
export const memory = {
  label: 'memory',
  reads: '/proc/PID/status',
  platforms: ['linux'],
  start() {
    let highest = 0;
    return {
      sample(/** @type {Processes} */ server) {
        highest = Math.max(highest, sum([...server.keys()].flatMap((pid) => readResidentBytes(pid) ?? [])));
      },
      stop: () => (highest > 0 ? { rssBytes: highest } : {}),
    };
  },
};
