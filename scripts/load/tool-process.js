/**
 * The process of a load tool: a group of its own, bounded in time.
 * @import { ProcessGroup } from '../system/process/process-group.js'
 */

import { MeasureError } from '../model/errors.js';
import { keepLog } from '../system/process/log.js';
import { startProcessGroup } from '../system/process/process-group.js';

/** Starting, connecting and printing the report take this long at most on a busy machine. */
const GRACE_SECONDS = 15;

/** @typedef {ProcessGroup & { logTail: () => string[] }} ToolProcess */

/**
 * @param {string[]} command
 * @param {string} line the run in words
 * @param {{ scratch?: string, ipc?: boolean }} options
 * @returns {Promise<ToolProcess>}
 * @throws {MeasureError} load-tool-crashed
 */
export async function startTool(command, line, options) {
  const group = await startProcessGroup(command, options).catch((error) => {
    throw crashed(`${line} could not be started: ${error.message}`);
  });
  const { logTail } = keepLog([group.child.stdout, group.child.stderr]);
  return { ...group, logTail };
}

/**
 * @template T
 * @param {Promise<T>} work of the tool
 * @param {{ signal: AbortSignal, seconds: number, graceSeconds?: number, line: string, logTail: () =>
 *   string[] }} bounds line: the run in words
 * @returns {Promise<T>}
 * @throws {MeasureError} load-tool-hung, cancelled; the tool still runs then
 */
export function withinBounds(work, { signal, seconds, graceSeconds = GRACE_SECONDS, line, logTail }) {
  return new Promise((resolve, reject) => {
    const cancel = () => reject(new MeasureError('cancelled', 'cancelled under load'));
    const message = `${line} had not ended ${graceSeconds} s after its ${seconds} s and was killed`;
    const hang = () => reject(new MeasureError('load-tool-hung', message, logTail()));
    const timer = setTimeout(hang, (seconds + graceSeconds) * 1000);
    signal.addEventListener('abort', cancel);
    if (signal.aborted) cancel();
    void work.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
    });
  });
}

/** @type {(message: string, logTail?: string[]) => MeasureError} */
export function crashed(message, logTail) {
  return new MeasureError('load-tool-crashed', message, logTail);
}
