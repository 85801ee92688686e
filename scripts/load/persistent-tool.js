/**
 * A load tool that keeps running between windows, in a separate process group; each run is bounded in time.
 * @import { ProcessGroup } from '../system/process/process-group.js'
 * @import { LoadedWindow } from '../types.js'
 * @import { PersistentTool, Target } from './tools.js'
 */

import { fileURLToPath } from 'node:url';
import { startProcessGroup } from '../system/process/process-group.js';
import { crashed, GRACE_SECONDS, outputOf, readWindow, withinBounds } from './bounded.js';
import { withStalls } from './stalls.js';

const KEPT_CHARACTERS = 16 * 1024;

/** @typedef {{ group: ProcessGroup, output: { stdout: string, stderr: string } }} Driver */

/**
 * @typedef {object} KeptTool
 * @property {(targets: Target[], signal: AbortSignal) => Promise<LoadedWindow[]>} run loads the targets alternately
 * @property {() => number | undefined} pid of the process group, while it runs
 * @property {() => Promise<void>} stop
 */

/** @param {PersistentTool} tool @returns {KeptTool} */
export function keepTool(tool) {
  /** @type {Driver | undefined} */
  let running;
  const stop = async () => {
    await running?.group.kill();
    running = undefined;
  };
  return {
    pid: () => running?.group.pid,
    stop,
    async run(targets, signal) {
      const lines = targets.map(tool.describe);
      const line = lines.join(' and ');
      if (!running || running.group.hasExited()) running = await startDriver(tool.driver, line);
      const { group, output } = running;
      const seconds = targets.reduce((sum, target) => sum + target.seconds, 0);
      try {
        const results = await withinBounds(
          ask(group, targets.map(tool.options)),
          { signal, seconds, graceSeconds: GRACE_SECONDS, line },
          output,
        );
        return targets.map((target, place) => {
          const window = readWindow(() => tool.read(results[place]), lines[place] ?? line, output);
          return withStalls(window, target, tool.stepMs);
        });
      } catch (error) {
        await stop();
        throw error instanceof DriverError ? crashed(`${line} ${error.message}`, output) : error;
      }
    },
  };
}

/** The driver ended, or answered with a mistake. */
class DriverError extends Error {}

/** @param {URL} file @param {string} line @returns {Promise<Driver>} */
async function startDriver(file, line) {
  const group = await startProcessGroup([process.execPath, fileURLToPath(file)], { ipc: true }).catch(
    (error) => {
      throw crashed(`${line} could not be started: ${error.message}`);
    },
  );
  // The caller ends it; an idle channel must not keep this process running.
  group.child.unref();
  group.child.channel?.unref();
  return { group, output: outputOf(group.child, KEPT_CHARACTERS) };
}

/** @param {ProcessGroup} group @param {object[]} options @returns {Promise<any[]>} a result for each */
function ask({ child, exited }, options) {
  return new Promise((resolve, reject) => {
    const fail = (/** @type {string} */ message) => reject(new DriverError(message));
    child.removeAllListeners('message');
    child.once('message', (/** @type {any} */ { results, error }) =>
      results ? resolve(results) : fail(`failed: ${error}`),
    );
    void exited.then(({ code, signal }) => fail(`ended with ${code ?? signal}`));
    child.send(options, (error) => error && fail(`got no options: ${error.message}`));
  });
}
