/**
 * The CPU time (`cpu`) of server, load tool, proxy, services and servers that wait, without what others used.
 * @import { Observer } from '../observers.js'
 */

import { sum } from 'd3-array';
import { TICKS_PER_SECOND } from '../../system/process/proc.js';

/** @type {Observer} */
export const cpu = {
  start: () => ({
    stop({ start, end, use }) {
      // The server has ended, so its CPU time can no longer be read.
      if (end.server.size === 0) return {};
      const { waitingServers: waiting } = use;
      const seconds = (end.atMs - start.atMs) / 1000;
      return {
        cpu: {
          serverSeconds: use.server / TICKS_PER_SECOND,
          clientSeconds: use.client / TICKS_PER_SECOND,
          ...(end.proxy.size > 0 && { proxySeconds: use.proxy / TICKS_PER_SECOND }),
          ...(end.services.size > 0 && { servicesSeconds: use.services / TICKS_PER_SECOND }),
          ...(waiting.length > 0 && { waitingSeconds: sum(waiting) / TICKS_PER_SECOND }),
        },
        waitingServers: waiting.map((used) => used / TICKS_PER_SECOND / seconds),
      };
    },
  }),
};
