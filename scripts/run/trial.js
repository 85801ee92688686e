/**
 * One trial: a fresh boot, the contract check, the warm-up, the measured windows, and the stop of everything it started.
 * @import { Case, Server, Trial, Window } from '../types.js'
 */

import { DISTURBED, othersShare } from '../disturbance.js';
import { boot } from '../boot/boot.js';
import { verify } from '../boot/verify.js';
import { MeasureError } from '../errors.js';
import { runLoad } from '../load/load.js';
import { startWindow } from '../observe/observe.js';

/**
 * What goes wrong with the server or the load tool becomes the trial's failure; windows measured before it are kept.
 * @param {{ case: Case, server: Server, round: number, signal: AbortSignal, mayRepeat: () => boolean,
 *   services: { env: NodeJS.ProcessEnv, groups: number[] } }} options mayRepeat: whether one more window may be measured
 *   again; services: the addresses of those the server needs, and the process groups of all
 * @returns {Promise<{ trial: Trial, repeated: number }>} repeated: windows that were measured again
 */
export async function runTrial({ case: of, server, round, signal, mayRepeat, services }) {
  /** @type {Trial} */
  const trial = { round, failure: null, windows: [] };
  let repeated = 0;
  /** @type {Awaited<ReturnType<typeof boot>> | undefined} */
  let instance;
  try {
    instance = await boot(server, { signal, services: services.env });
    trial.bootMs = instance.bootMs;
    await verify(instance, server.routes);
    const { load, request } = of;
    const target = { load, request, url: instance.url, signal };
    if (load.warmupSeconds > 0) await runLoad({ ...target, seconds: load.warmupSeconds });
    const part = { ...target, seconds: load.durationSeconds / load.windows };
    for (let index = 0; index < load.windows; index++) {
      const first = await measureWindow(instance, part, services.groups);
      const isRepeated = othersShare(first) > DISTURBED && mayRepeat();
      if (isRepeated) repeated++;
      const window = isRepeated ? calmer(first, await measureWindow(instance, part, services.groups)) : first;
      trial.windows.push(othersShare(window) > DISTURBED ? { ...window, disturbed: true } : window);
    }
  } catch (error) {
    trial.failure = await describeFailure(error, instance);
  } finally {
    await instance?.stop();
  }
  return { trial, repeated };
}

/**
 * Chosen by what others did, never by what the server did: that would favour lucky figures.
 * @param {Window} first
 * @param {Window} second
 */
function calmer(first, second) {
  return othersShare(second) < othersShare(first) ? second : first;
}

/**
 * @param {Awaited<ReturnType<typeof boot>>} instance
 * @param {Parameters<typeof runLoad>[0]} target
 * @param {number[]} services process groups that are ours too
 * @returns {Promise<Window>}
 */
async function measureWindow(instance, target, services) {
  const observer = startWindow(instance.pid, services);
  try {
    const window = await runLoad(target);
    if (instance.hasExited()) throw await diedUnderLoad(instance);
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
 * @returns {Promise<Trial['failure']>}
 */
async function describeFailure(error, instance) {
  if (!(error instanceof MeasureError)) throw error;
  const told = instance?.hasExited() && error.kind !== 'cancelled' ? await diedUnderLoad(instance) : error;
  const { kind, message, logTail } = told;
  return { kind, message, ...(logTail?.length ? { logTail } : {}) };
}

/** @param {Awaited<ReturnType<typeof boot>>} instance */
async function diedUnderLoad(instance) {
  const { code, signal } = await instance.exited;
  const hint = code === 0 ? '; `start` must stay in the foreground' : '';
  const message = `the server ended with ${code ?? signal} while it was loaded${hint}`;
  return new MeasureError('died-under-load', message, instance.logTail());
}
