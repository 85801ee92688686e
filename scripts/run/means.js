/**
 * What the conductor works with: real servers, real load, the machine it runs on. Tests hand in others.
 */

import { availableParallelism, freemem, totalmem } from 'node:os';
import { boot } from '../boot/boot.js';
import { prepare } from '../boot/prepare.js';
import { startServices } from '../boot/services.js';
import { verify } from '../boot/verify.js';
import { runLoad } from '../load/load.js';
import { startWindow } from '../observe/observe.js';

/** Of the machine's memory, what is left to everybody else. */
const LEFT_FREE = 1 / 4;

/**
 * cores: how many things may be done at a time while nothing is measured; roomBytes: memory that servers may still take.
 * @typedef {{
 *   prepare: typeof prepare,
 *   startServices: typeof startServices,
 *   boot: typeof boot,
 *   verify: typeof verify,
 *   load: typeof runLoad,
 *   observe: typeof startWindow,
 *   cores: number,
 *   roomBytes: () => number,
 * }} Means
 */

/** @returns {Means} */
export function realMeans() {
  return {
    ...{ prepare, startServices, boot, verify, load: runLoad, observe: startWindow },
    cores: availableParallelism(),
    roomBytes: () => (process.availableMemory?.() ?? freemem()) - totalmem() * LEFT_FREE,
  };
}
