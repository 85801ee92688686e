/**
 * Runs load tools in separate process groups and bounded in time. Some are started for every window, others keep running between
 * windows.
 * @import { ChildProcess } from 'node:child_process'
 * @import { ProcessGroup } from '../system/process/process-group.js'
 * @import { LoadedWindow } from '../types.js'
 * @import { Slices } from './slices.js'
 * @import { PersistentTool, StartedTool, Target } from './tools.js'
 */

import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MeasureError } from '../model/errors.js';
import { latencyMsOf } from '../samples/latencies.js';
import { startProcessGroup } from '../system/process/process-group.js';
import { withStalls } from './stalls.js';
import { requireWindow } from './validate-window.js';

/** Starting, connecting and printing the report take this long at most on a busy machine. */
const GRACE_SECONDS = 15;
const TAIL_LINES = 20;
/** What is kept of the output of a tool that keeps running. */
const KEPT_CHARACTERS = 16 * 1024;

/** What a tool has printed so far. @typedef {{ stdout: string, stderr: string }} Output */

/**
 * Starts a tool for each target, which send alternately, in slices.
 * @param {StartedTool} tool
 * @param {Target[]} targets
 * @param {{ slices: Slices[], signal: AbortSignal }} options slices: one a target
 * @returns {Promise<LoadedWindow[]>}
 * @throws {MeasureError} as runTool does, when all have ended
 */
export async function runAlternately(tool, targets, { slices, signal }) {
  const stopping = new AbortController();
  const either = AbortSignal.any([signal, stopping.signal]);
  const runs = targets.map((target, place) =>
    runTool(tool, { ...target, slices: /** @type {Slices} */ (slices[place]), signal: either }),
  );
  try {
    return await Promise.all(runs);
  } finally {
    stopping.abort();
    await Promise.allSettled(runs);
  }
}

/**
 * Starts a tool for one window.
 * @param {Pick<StartedTool, 'command' | 'parse' | 'reportCodes' | 'reportFile' | 'graceSeconds' | 'stepMs'>} tool
 * @param {Target & { signal: AbortSignal, slices?: Slices }} target
 * @returns {Promise<LoadedWindow>}
 * @throws {MeasureError} load-tool-crashed, load-tool-hung, cancelled, clock-stepped
 */
export async function runTool(tool, { signal, slices, ...target }) {
  const scratch = await mkdtemp(join(tmpdir(), 'perf-load-'));
  try {
    const command = await tool.command({ ...target, scratch, ...(slices && { slices }) });
    const { seconds, load } = target;
    const line = `\`${command.join(' ')}\``;
    const { child, kill } = await start(command, `\`${command[0]}\``, { scratch });
    const output = outputOf(child);
    const graceSeconds = tool.graceSeconds?.(load) ?? GRACE_SECONDS;
    // `exited` would wait only briefly until all output is read.
    const closed = once(child, 'close');
    const bounds = { signal, seconds: slices?.totalSeconds ?? seconds, graceSeconds, line, output };
    const [code, killedBy] = await withinBounds(closed, bounds).catch(async (error) => {
      await kill();
      throw error;
    });
    if (code === null || ![0, ...(tool.reportCodes ?? [])].includes(code))
      throw crashed(`${line} ended with ${code ?? killedBy}`, output);
    const { reportFile } = tool;
    const report = reportFile && (await readFile(join(scratch, reportFile), 'utf8').catch(() => ''));
    const read = () => {
      const window = tool.parse(report ?? output.stdout, { ...target, stderr: output.stderr });
      return slices ? { ...window, seconds } : window;
    };
    return readWindow(read, { target, tool, line, output });
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Keeps a tool running between windows. @param {PersistentTool} tool */
export function keepTool(tool) {
  /** @type {{ group: ProcessGroup, output: Output } | undefined} */
  let running;
  const stop = async () => {
    await running?.group.kill();
    running = undefined;
  };
  return {
    /** Of its process group, while it runs. */
    pid: () => running?.group.pid,
    stop,
    /** @param {Target[]} targets loaded alternately @param {AbortSignal} signal @returns {Promise<LoadedWindow[]>} one a target */
    async run(targets, signal) {
      const lines = targets.map(
        ({ load, request: { method, path }, url, seconds }) =>
          `${tool.id} with ${load.connections} connections for ${seconds} s at ${method} ${url}${path}`,
      );
      const line = lines.join(' and ');
      if (!running || running.group.hasExited()) running = await startDriver(tool.driver, line);
      const { group, output } = running;
      const seconds = targets.reduce((sum, target) => sum + target.seconds, 0);
      try {
        const answers = ask(group, targets.map(tool.options));
        const bounds = { signal, seconds, graceSeconds: GRACE_SECONDS, line, output };
        const results = await withinBounds(answers, bounds);
        return targets.map((target, place) =>
          readWindow(() => tool.read(results[place], target), {
            target,
            tool,
            line: lines[place] ?? line,
            output,
          }),
        );
      } catch (error) {
        await stop();
        throw error instanceof DriverError ? crashed(`${line} ${error.message}`, output) : error;
      }
    },
  };
}

/** @param {URL} file @param {string} line */
async function startDriver(file, line) {
  const group = await start([process.execPath, fileURLToPath(file)], line, { ipc: true });
  // The caller ends it; an idle channel must not keep this process running.
  group.child.unref();
  group.child.channel?.unref();
  return { group, output: outputOf(group.child, KEPT_CHARACTERS) };
}

/** The driver ended, or answered with a mistake. */
class DriverError extends Error {}

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

/** @param {string[]} command @param {string} line @param {{ scratch?: string, ipc?: boolean }} options */
async function start(command, line, options) {
  return startProcessGroup(command, options).catch((error) => {
    throw crashed(`${line} could not be started: ${error.message}`);
  });
}

/** @param {ChildProcess} child @param {number} [longest] characters that are kept of each stream */
function outputOf(child, longest = Infinity) {
  const output = { stdout: '', stderr: '' };
  for (const stream of /** @type {const} */ (['stdout', 'stderr']))
    child[stream]?.setEncoding('utf8').on('data', (chunk) => {
      output[stream] += chunk;
      if (output[stream].length > longest) output[stream] = output[stream].slice(-longest);
    });
  return output;
}

/**
 * @template T
 * @param {Promise<T>} work of the tool
 * @param {{ signal: AbortSignal, seconds: number, graceSeconds: number, line: string, output: Output }} bounds line: the run in words
 * @returns {Promise<T>}
 */
function withinBounds(work, { signal, seconds, graceSeconds, line, output }) {
  return new Promise((resolve, reject) => {
    const cancel = () => reject(new MeasureError('cancelled', 'cancelled under load'));
    const hang = () => {
      const message = `${line} had not ended ${graceSeconds} s after its ${seconds} s and was killed`;
      reject(new MeasureError('load-tool-hung', message, lastLines(output)));
    };
    const timer = setTimeout(hang, (seconds + graceSeconds) * 1000);
    signal.addEventListener('abort', cancel);
    if (signal.aborted) cancel();
    void work.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
    });
  });
}

/**
 * @param {() => LoadedWindow} read throws on anything but the tool's report
 * @param {{ target: Target, tool: { stepMs?: number }, line: string, output: Output }} run
 * @returns {LoadedWindow} with the percentiles of its latencies where the tool reports none, and with stalls
 */
function readWindow(read, { target, tool, line, output }) {
  try {
    const window = requireWindow(read());
    const { latencies, latencyMs } = window;
    const isCounted = latencies && latencyMs?.p50 === undefined;
    const complete = isCounted
      ? { ...window, latencyMs: { ...latencyMsOf(latencies), ...latencyMs } }
      : window;
    return withStalls(complete, target, tool.stepMs);
  } catch (error) {
    if (error instanceof MeasureError) throw error;
    const { message } = /** @type {Error} */ (error);
    throw crashed(`${line} printed no report that could be read: ${message}`, output);
  }
}

/** @param {string} message @param {Output} [output] */
function crashed(message, output) {
  return new MeasureError('load-tool-crashed', message, output && lastLines(output));
}

/** @param {Output} output */
function lastLines({ stdout, stderr }) {
  return `${stdout}\n${stderr}`
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(-TAIL_LINES);
}
