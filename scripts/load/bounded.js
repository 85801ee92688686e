/**
 * What runs of every load tool share: bounds in time, the end of the output, and the reading of a report.
 * @import { ChildProcess } from 'node:child_process'
 * @import { LoadedWindow } from '../types.js'
 */

import { MeasureError } from '../model/errors.js';
import { requireWindow } from './validate-window.js';

/** Starting, connecting and printing the report take this long at most on a busy machine. */
export const GRACE_SECONDS = 15;
const TAIL_LINES = 20;

/**
 * @param {ChildProcess} child
 * @param {number} [longest] characters that are kept of each stream
 * @returns {{ stdout: string, stderr: string }} what it has printed so far
 */
export function outputOf(child, longest = Infinity) {
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
 * @param {{ signal: AbortSignal, seconds: number, graceSeconds: number, line: string }} bounds line: the run in words
 * @param {{ stdout: string, stderr: string }} output
 * @returns {Promise<T>}
 * @throws {MeasureError} cancelled, load-tool-hung; that of the work
 */
export function withinBounds(work, { signal, seconds, graceSeconds, line }, output) {
  return new Promise((resolve, reject) => {
    const cancel = () => reject(new MeasureError('cancelled', 'cancelled under load'));
    const timer = setTimeout(
      () => {
        const message = `${line} had not ended ${graceSeconds} s after its ${seconds} s and was killed`;
        reject(new MeasureError('load-tool-hung', message, lastLines(output)));
      },
      (seconds + graceSeconds) * 1000,
    );
    signal.addEventListener('abort', cancel);
    if (signal.aborted) cancel();
    const settle = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
    };
    void work.then(resolve, reject).finally(settle);
  });
}

/**
 * @param {() => LoadedWindow} read throws on anything but the tool's report
 * @param {string} line the run in words
 * @param {{ stdout: string, stderr: string }} output
 * @returns {LoadedWindow}
 * @throws {MeasureError} load-tool-crashed, clock-stepped
 */
export function readWindow(read, line, output) {
  try {
    return requireWindow(read());
  } catch (error) {
    if (error instanceof MeasureError) throw error;
    const { message } = /** @type {Error} */ (error);
    throw crashed(`${line} printed no report that could be read: ${message}`, output);
  }
}

/** @param {string} message @param {{ stdout: string, stderr: string }} [output] */
export function crashed(message, output) {
  return new MeasureError('load-tool-crashed', message, output && lastLines(output));
}

/** @param {{ stdout: string, stderr: string }} output */
function lastLines({ stdout, stderr }) {
  return `${stdout}\n${stderr}`
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(-TAIL_LINES);
}
