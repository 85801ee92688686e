/**
 * A load tool that is kept running between windows, in a process group of its own, bounded in time.
 * @import { ChildProcess } from 'node:child_process'
 * @import { LoadedWindow } from '../types.js'
 * @import { KeptTool, Target } from './tools.js'
 */

import { fork } from 'node:child_process';
import { MeasureError } from '../errors.js';
import { GRACE_SECONDS, lastLines } from './run-tool.js';

const KEPT_CHARACTERS = 16 * 1024;

/** @typedef {{ child: ChildProcess, output: () => string }} Driver */

/**
 * @param {KeptTool} tool
 * @returns {{ run: (target: Target & { signal: AbortSignal, graceSeconds?: number }) => Promise<LoadedWindow>,
 *   pid: () => number | undefined, stop: () => Promise<void> }} pid: of the group, while it runs
 */
export function keepTool(tool) {
  /** @type {Driver | undefined} */
  let running;
  const isAlive = () => running && running.child.exitCode === null && running.child.signalCode === null;
  const end = () => {
    const child = isAlive() ? running?.child : undefined;
    running = undefined;
    if (child?.pid === undefined) return undefined;
    // Awaited from here on: with nothing else to do, this process would end first, with exit code 13.
    child.ref();
    process.kill(-child.pid, 'SIGKILL');
    return new Promise((resolve) => child.once('exit', () => resolve(undefined)));
  };
  return {
    pid: () => running?.child.pid,
    stop: async () => {
      await end();
    },
    async run({ signal, graceSeconds = GRACE_SECONDS, ...target }) {
      if (!isAlive()) running = startDriver(tool.driver);
      const { child, output } = /** @type {Driver} */ (running);
      const line = tool.describe(target);
      const bounds = { signal, seconds: target.seconds + graceSeconds };
      const answer = await ask(child, tool.options(target), bounds);
      if ('result' in answer) return tool.read(answer.result);
      await end();
      if (answer.why === 'cancelled') throw new MeasureError('cancelled', 'cancelled under load');
      if (answer.why === 'hung') {
        const message = `${line} had not ended ${graceSeconds} s after its ${target.seconds} s and was killed`;
        throw new MeasureError('load-tool-hung', message, lastLines(output()));
      }
      throw new MeasureError('load-tool-crashed', `${line} ${answer.why}`, lastLines(output()));
    },
  };
}

/**
 * @param {URL} file
 * @returns {Driver}
 */
function startDriver(file) {
  const child = fork(file, { detached: true, stdio: ['ignore', 'pipe', 'pipe', 'ipc'], execArgv: [] });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (chunk) => {
      text = (text + chunk).slice(-KEPT_CHARACTERS);
    });
  // What is started is ended by whoever asked for it; a channel that lies idle must not keep this process alive.
  child.unref();
  child.channel?.unref();
  return { child, output: () => text };
}

/**
 * @param {ChildProcess} child
 * @param {object} options
 * @param {{ signal: AbortSignal, seconds: number }} bounds
 * @returns {Promise<{ result: any } | { why: string }>} why: hung, cancelled, or how it crashed
 */
function ask(child, options, { signal, seconds }) {
  return new Promise((resolve) => {
    const settle = (/** @type {{ result: any } | { why: string }} */ answer) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
      child.removeAllListeners('message').removeAllListeners('exit').removeAllListeners('error');
      child.on('error', () => {});
      resolve(answer);
    };
    const cancel = () => settle({ why: 'cancelled' });
    const timer = setTimeout(() => settle({ why: 'hung' }), seconds * 1000);
    signal.addEventListener('abort', cancel);
    child.once('message', (/** @type {any} */ answer) =>
      settle('result' in answer ? answer : { why: `failed: ${answer.error}` }),
    );
    child.once('exit', (code, killedBy) => settle({ why: `ended with ${code ?? killedBy}` }));
    child.once('error', (error) => settle({ why: `could not be started: ${error.message}` }));
    if (signal.aborted) cancel();
    else child.send(options, (error) => error && settle({ why: `could not be told: ${error.message}` }));
  });
}
