/**
 * A load tool that is kept running between windows, in a process group of its own, bounded in time.
 * @import { ProcessGroup } from '../system/process/process-group.js'
 * @import { LoadedWindow } from '../types.js'
 * @import { KeptTool, Target } from './tools.js'
 */

import { fileURLToPath } from 'node:url';
import { MeasureError } from '../model/errors.js';
import { startProcessGroup } from '../system/process/process-group.js';
import { GRACE_SECONDS, lastLines } from './run-tool.js';
import { withStalls } from './stalls.js';
import { requireWindow } from './validate-window.js';

const KEPT_CHARACTERS = 16 * 1024;

/** @typedef {{ group: ProcessGroup, output: () => string }} Driver */

/**
 * @param {KeptTool} tool
 * @returns {{ run: (targets: Target[], bounds: { signal: AbortSignal, graceSeconds?: number }) => Promise<LoadedWindow[]>,
 *   pid: () => number | undefined, stop: () => Promise<void> }} run: loads them in turn; pid: of the group, while it runs
 */
export function keepTool(tool) {
  /** @type {Driver | undefined} */
  let running;
  const end = async () => {
    await running?.group.kill();
    running = undefined;
  };
  return {
    pid: () => running?.group.pid,
    stop: end,
    async run(targets, { signal, graceSeconds = GRACE_SECONDS }) {
      const lines = targets.map(tool.describe);
      const line = lines.join(' and ');
      if (!running || running.group.hasExited()) running = await startDriver(tool.driver, line);
      const { group, output } = running;
      const seconds = targets.reduce((sum, target) => sum + target.seconds, 0);
      const answer = await ask(group, targets.map(tool.options), { signal, seconds: seconds + graceSeconds });
      if ('results' in answer)
        return targets.map((target, place) =>
          withStalls(read(tool, lines[place] ?? line, answer.results[place]), target, tool.stepMs),
        );
      await end();
      if (answer.why === 'cancelled') throw new MeasureError('cancelled', 'cancelled under load');
      if (answer.why === 'hung') {
        const message = `${line} had not ended ${graceSeconds} s after its ${seconds} s and was killed`;
        throw new MeasureError('load-tool-hung', message, lastLines(output()));
      }
      throw new MeasureError('load-tool-crashed', `${line} ${answer.why}`, lastLines(output()));
    },
  };
}

/**
 * @param {KeptTool} tool
 * @param {string} line
 * @param {any} result
 */
function read(tool, line, result) {
  try {
    return requireWindow(tool.read(result));
  } catch (error) {
    if (error instanceof MeasureError) throw error;
    const { message } = /** @type {Error} */ (error);
    throw new MeasureError('load-tool-crashed', `${line} gave no result that could be read: ${message}`);
  }
}

/**
 * @param {URL} file
 * @param {string} line what it is to run, in words
 * @returns {Promise<Driver>}
 */
async function startDriver(file, line) {
  const group = await startProcessGroup([process.execPath, fileURLToPath(file)], { ipc: true }).catch(
    (error) => {
      throw new MeasureError('load-tool-crashed', `${line} could not be started: ${error.message}`);
    },
  );
  const { child } = group;
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (chunk) => {
      text = (text + chunk).slice(-KEPT_CHARACTERS);
    });
  // What is started is ended by whoever asked for it; a channel that lies idle must not keep this process alive.
  child.unref();
  child.channel?.unref();
  return { group, output: () => text };
}

/**
 * @param {ProcessGroup} group
 * @param {object[]} options
 * @param {{ signal: AbortSignal, seconds: number }} bounds
 * @returns {Promise<{ results: any[] } | { why: string }>} why: hung, cancelled, or how it crashed
 */
function ask({ child, exited }, options, { signal, seconds }) {
  return new Promise((resolve) => {
    const settle = (/** @type {{ results: any[] } | { why: string }} */ answer) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
      child.removeAllListeners('message');
      resolve(answer);
    };
    const cancel = () => settle({ why: 'cancelled' });
    const timer = setTimeout(() => settle({ why: 'hung' }), seconds * 1000);
    signal.addEventListener('abort', cancel);
    child.once('message', (/** @type {any} */ answer) =>
      settle('results' in answer ? answer : { why: `failed: ${answer.error}` }),
    );
    void exited.then(({ code, signal: killedBy }) => settle({ why: `ended with ${code ?? killedBy}` }));
    if (signal.aborted) cancel();
    else child.send(options, (error) => error && settle({ why: `could not be told: ${error.message}` }));
  });
}
