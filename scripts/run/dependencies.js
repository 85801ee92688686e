/**
 * What the conductor works with: real servers, real load, the machine and the clock it runs on. Tests hand in others.
 */

import { availableParallelism, freemem, totalmem } from 'node:os';
import { boot } from '../deploy/start/start.js';
import { prepare } from '../deploy/install/prepare.js';
import { startServices } from '../deploy/services/start.js';
import { verify } from '../deploy/start/verify.js';
import { canWeave, startLoading } from '../load/load.js';
import { startWindow } from '../observe/observe.js';

/** Of the machine's memory, what is left to everybody else. */
const LEFT_FREE = 1 / 4;

/**
 * now: a clock in milliseconds; clients: process groups of load tools that are kept running; cores: how many things may be
 * done at a time while nothing is measured; roomBytes: memory that servers may still take; stop: ends what was kept running.
 * @typedef {{
 *   prepare: typeof prepare,
 *   startServices: typeof startServices,
 *   boot: typeof boot,
 *   verify: typeof verify,
 *   load: import('../load/load.js').Loading['load'],
 *   weave: import('../load/load.js').Loading['weave'],
 *   canWeave: typeof canWeave,
 *   clients: () => number[],
 *   enter: (runtime: string) => Promise<import('../observe/observers.js').Inside[]>,
 *   observe: typeof startWindow,
 *   now: () => number,
 *   cores: number,
 *   roomBytes: () => number,
 *   stop: () => Promise<void>,
 * }} Means
 */

/**
 * @param {Means['enter']} [enter] what looks at servers from inside, if anything
 * @returns {Means} whoever asks for them ends them
 */
export function realMeans(enter = async () => []) {
  const { load, weave, groups: clients, stop } = startLoading();
  return {
    ...{
      prepare,
      startServices,
      boot,
      verify,
      load,
      weave,
      canWeave,
      clients,
      enter,
      observe: startWindow,
      stop,
    },
    now: () => performance.now(),
    cores: availableParallelism(),
    roomBytes: () => (process.availableMemory?.() ?? freemem()) - totalmem() * LEFT_FREE,
  };
}
