/** What the conductor works with: real servers, load tools, machine and clock. Tests pass fakes. */

import { availableParallelism, freemem, totalmem } from 'node:os';
import { startServer } from '../deploy/start/start.js';
import { prepare } from '../deploy/install/prepare.js';
import { startServices } from '../deploy/services/start.js';
import { verify } from '../deploy/start/verify.js';
import { canWeave, startLoading } from '../load/load.js';
import { startWindow } from '../observe/observe.js';

/** The share of the machine's memory that is left to other programs. */
const LEFT_FREE = 1 / 4;

/**
 * @typedef {object} Dependencies
 * @property {typeof prepare} prepare
 * @property {typeof startServices} startServices
 * @property {typeof startServer} boot
 * @property {typeof verify} verify
 * @property {import('../load/load.js').Loading['load']} load
 * @property {import('../load/load.js').Loading['weave']} weave
 * @property {typeof canWeave} canWeave
 * @property {() => number[]} clients process groups of load tools that keep running between windows
 * @property {(runtime: string) => Promise<import('../observe/observers.js').Inside[]>} enter puts observers into a server
 * @property {typeof startWindow} observe
 * @property {() => number} now a monotonic clock, in milliseconds
 * @property {number} cores how many things may be done at a time while nothing is measured
 * @property {() => number} roomBytes memory that servers may still use
 * @property {() => Promise<void>} stop ends the load tools that keep running
 */

/**
 * @param {Dependencies['enter']} [enter] observers inside the servers; absent: none
 * @returns {Dependencies} the caller stops them
 */
export function realDependencies(enter = async () => []) {
  const { load, weave, groups, stop } = startLoading();
  return {
    prepare,
    startServices,
    boot: startServer,
    verify,
    load,
    weave,
    canWeave,
    clients: groups,
    enter,
    observe: startWindow,
    stop,
    now: () => performance.now(),
    cores: availableParallelism(),
    roomBytes: () => (process.availableMemory?.() ?? freemem()) - totalmem() * LEFT_FREE,
  };
}
