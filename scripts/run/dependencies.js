/** What the conductor works with: real servers, load tools, machine and clock. Tests pass fakes. */

import { availableParallelism, freemem, totalmem } from 'node:os';
import { logIn } from '../deploy/start/log-in.js';
import { startServer } from '../deploy/start/start-server.js';
import { prepare, setUp } from '../deploy/install/prepare.js';
import { keepTrees } from '../deploy/source/tree-record.js';
import { startServices } from '../deploy/services/start-services.js';
import { verify } from '../deploy/start/verify.js';
import { canInterleave, startLoading } from '../load/load.js';
import { untilIdle } from '../observe/idle.js';
import { startWindow } from '../observe/observe.js';
import { shareCore } from '../system/process/shared-core.js';
import { abortIn } from '../system/deadline.js';

/** The share of the machine's memory that is left to other programs. */
const LEFT_FREE = 1 / 4;

/** @typedef {ReturnType<typeof realDependencies>} Dependencies */

/**
 * The caller stops them, which ends the load tools that keep running.
 * @param {(runtime: string) => Promise<import('../observe/observers.js').Inside[]>} [enter] puts observers
 *   into a server; absent: none
 */
export function realDependencies(enter) {
  const { load, interleave, groups, stop } = startLoading();
  return {
    ...{ prepare, startServices, setUp, keepTrees, startServer, logIn, verify },
    ...{ load, interleave, canInterleave, untilIdle, shareCore, stop },
    /** Process groups of load tools that keep running between windows. */
    clients: groups,
    enter: enter ?? (async () => []),
    /** Whether something observes servers from inside, which expects one start of each. */
    isInside: enter !== undefined,
    observe: startWindow,
    /** Takes secrets out of a text. */
    conceal: (/** @type {string} */ text) => text,
    /** Aborts in so many seconds. */
    deadline: (/** @type {number} */ seconds) => abortIn(1000 * seconds),
    /** A monotonic clock, in milliseconds. */
    now: () => performance.now(),
    /** How many things may be done at a time while nothing is measured. */
    cores: availableParallelism(),
    /** Memory that servers may still use. */
    roomBytes: () => (process.availableMemory?.() ?? freemem()) - totalmem() * LEFT_FREE,
  };
}
