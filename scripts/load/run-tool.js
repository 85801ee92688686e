/**
 * One run of one load tool, in a process group of its own, bounded in time.
 * @import { LoadedWindow } from '../types.js'
 * @import { StartedTool, Target } from './tools.js'
 */

import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MeasureError } from '../model/errors.js';
import { startProcessGroup } from '../system/process/process-group.js';
import { withStalls } from './stalls.js';
import { requireWindow } from './validate-window.js';

/** Starting, connecting and printing the report take this long at most, on a machine that is busy. */
export const GRACE_SECONDS = 15;
const TAIL_LINES = 20;

/**
 * @param {Pick<StartedTool, 'command' | 'parse' | 'reports' | 'reportFile' | 'graceSeconds' | 'stepMs'>} tool
 * @param {Target & { signal: AbortSignal, graceSeconds?: number }} target
 * @returns {Promise<LoadedWindow>}
 * @throws {MeasureError} load-tool-crashed, load-tool-hung, cancelled
 */
export async function runTool(tool, { signal, graceSeconds, ...target }) {
  const grace = graceSeconds ?? tool.graceSeconds?.(target.load) ?? GRACE_SECONDS;
  const scratch = await mkdtemp(join(tmpdir(), 'perf-load-'));
  try {
    const command = await tool.command({ ...target, scratch });
    const ended = await runBounded(command, { signal, scratch, seconds: target.seconds + grace });
    const line = command.join(' ');
    if (ended.why === 'cancelled') throw new MeasureError('cancelled', 'cancelled under load');
    if (ended.why === 'hung') {
      const message = `\`${line}\` had not ended ${grace} s after its ${target.seconds} s and was killed`;
      throw new MeasureError('load-tool-hung', message, tail(ended));
    }
    if (ended.code === null || ![0, ...(tool.reports ?? [])].includes(ended.code)) {
      throw new MeasureError(
        'load-tool-crashed',
        `\`${line}\` ended with ${ended.code ?? ended.killedBy}`,
        tail(ended),
      );
    }
    const { reportFile } = tool;
    const report =
      reportFile === undefined
        ? ended.stdout
        : await readFile(join(scratch, reportFile), 'utf8').catch(() => '');
    const run = { ...ended, report, seconds: target.seconds };
    return withStalls(read(tool, line, run), target, tool.stepMs);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/**
 * @typedef {{ why: 'ended' | 'hung' | 'cancelled', code: number | null, killedBy: string | null, stdout: string, stderr: string }} Ended
 *
 * @param {string[]} command
 * @param {{ signal: AbortSignal, seconds: number, scratch: string }} bounds scratch: removed if this process dies
 * @returns {Promise<Ended>}
 */
async function runBounded(command, { signal, seconds, scratch }) {
  const { child, kill } = await startProcessGroup(command, { scratch }).catch((error) => {
    throw new MeasureError('load-tool-crashed', `\`${command[0]}\` could not be started: ${error.message}`);
  });
  /** @type {Ended} */
  const ended = { why: 'ended', code: null, killedBy: null, stdout: '', stderr: '' };
  for (const stream of /** @type {const} */ (['stdout', 'stderr']))
    child[stream]?.setEncoding('utf8').on('data', (chunk) => {
      ended[stream] += chunk;
    });
  // Not `exited`, which waits for no more than a moment until all that was printed is read.
  const closed = once(child, 'close');
  /** @param {Ended['why']} why */
  const end = (why) => {
    ended.why = why;
    void kill();
  };
  const timer = setTimeout(() => end('hung'), seconds * 1000);
  const cancel = () => end('cancelled');
  signal.addEventListener('abort', cancel);
  if (signal.aborted) cancel();
  const [code, killedBy] = await closed;
  clearTimeout(timer);
  signal.removeEventListener('abort', cancel);
  return { ...ended, code, killedBy };
}

/**
 * @param {Pick<StartedTool, 'command' | 'parse'>} tool
 * @param {string} line
 * @param {Ended & { report: string, seconds: number }} ended
 */
function read(tool, line, ended) {
  try {
    return requireWindow(tool.parse(ended.report, ended));
  } catch (error) {
    if (error instanceof MeasureError) throw error;
    const { message } = /** @type {Error} */ (error);
    throw new MeasureError(
      'load-tool-crashed',
      `\`${line}\` printed no report that could be read: ${message}`,
      tail(ended),
    );
  }
}

/** @param {Ended} ended */
function tail({ stdout, stderr }) {
  return lastLines(`${stdout}\n${stderr}`);
}

/**
 * @param {string} text
 * @returns {string[]}
 */
export function lastLines(text) {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(-TAIL_LINES);
}
