/**
 * One trial: a fresh boot, the contract check, the warm-up, the measured windows, and the stop of everything it started.
 * @import { Case, Server, Trial, Window } from '../types.js'
 */

import { boot } from '../boot/boot.js';
import { verify } from '../boot/verify.js';
import { MeasureError } from '../errors.js';
import { runLoad } from '../load/load.js';
import { startWindow } from '../observe/observe.js';

/**
 * What goes wrong with the server or the load tool becomes the trial's failure; windows measured before it are kept.
 * @param {{ case: Case, server: Server, round: number, signal: AbortSignal }} options
 * @returns {Promise<Trial>}
 */
export async function runTrial({ case: of, server, round, signal }) {
  /** @type {Trial} */
  const trial = { round, failure: null, windows: [] };
  /** @type {Awaited<ReturnType<typeof boot>> | undefined} */
  let instance;
  try {
    instance = await boot(server, { signal });
    trial.bootMs = instance.bootMs;
    await verify(instance, server.routes);
    const { load, request } = of;
    const target = { load, request, url: instance.url, signal };
    if (load.warmupSeconds > 0) await runLoad({ ...target, seconds: load.warmupSeconds });
    for (let index = 0; index < load.windows; index++) {
      trial.windows.push(
        await measureWindow(instance, { ...target, seconds: load.durationSeconds / load.windows }),
      );
    }
  } catch (error) {
    trial.failure = describeFailure(error, instance);
  } finally {
    await instance?.stop();
  }
  return trial;
}

/**
 * @param {Awaited<ReturnType<typeof boot>>} instance
 * @param {Parameters<typeof runLoad>[0]} target
 * @returns {Promise<Window>}
 */
async function measureWindow(instance, target) {
  const observer = startWindow(instance.pid);
  try {
    const window = await runLoad(target);
    if (instance.hasExited()) throw diedUnderLoad(instance);
    if (window.requests === 0) {
      throw new MeasureError(
        'died-under-load',
        `answered no request in ${target.seconds} s of load`,
        instance.logTail(),
      );
    }
    return { ...window, ...observer.stop() };
  } finally {
    observer.stop();
  }
}

/**
 * A load tool whose server died fails too, each tool in its own words; the server's death is the cause worth telling.
 * @param {unknown} error
 * @param {Awaited<ReturnType<typeof boot>> | undefined} instance
 * @returns {Trial['failure']}
 */
function describeFailure(error, instance) {
  if (!(error instanceof MeasureError)) throw error;
  const told = instance?.hasExited() && error.kind !== 'cancelled' ? diedUnderLoad(instance) : error;
  const { kind, message, logTail } = told;
  return { kind, message, ...(logTail?.length ? { logTail } : {}) };
}

/** @param {Awaited<ReturnType<typeof boot>>} instance */
function diedUnderLoad(instance) {
  return new MeasureError('died-under-load', 'the server exited while it was loaded', instance.logTail());
}
