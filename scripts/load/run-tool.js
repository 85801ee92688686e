/**
 * One run of one load tool, in a process group of its own, bounded in time.
 * @import { LoadedWindow } from '../types.js'
 * @import { StartedTool, Target } from './tools.js'
 */

import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MeasureError } from '../errors.js';

/** Starting, connecting and printing the report take this long at most, on a machine that is busy. */
export const GRACE_SECONDS = 15;
const TAIL_LINES = 20;

/**
 * @param {Pick<StartedTool, 'command' | 'parse'>} tool
 * @param {Target & { signal: AbortSignal, graceSeconds?: number }} target
 * @returns {Promise<LoadedWindow>}
 * @throws {MeasureError} load-tool-crashed, load-tool-hung, cancelled
 */
export async function runTool(tool, { signal, graceSeconds = GRACE_SECONDS, ...target }) {
  const scratch = await mkdtemp(join(tmpdir(), 'perf-load-'));
  try {
    const command = await tool.command({ ...target, scratch });
    const ended = await runBounded(command, { signal, seconds: target.seconds + graceSeconds });
    const line = command.join(' ');
    if (ended.why === 'cancelled') throw new MeasureError('cancelled', 'cancelled under load');
    if (ended.why === 'hung') {
      const message = `\`${line}\` had not ended ${graceSeconds} s after its ${target.seconds} s and was killed`;
      throw new MeasureError('load-tool-hung', message, tail(ended));
    }
    if (ended.code !== 0) {
      throw new MeasureError(
        'load-tool-crashed',
        `\`${line}\` ended with ${ended.code ?? ended.killedBy}`,
        tail(ended),
      );
    }
    return read(tool, line, ended);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/**
 * @typedef {{ why: 'ended' | 'hung' | 'cancelled', code: number | null, killedBy: string | null, stdout: string, stderr: string }} Ended
 *
 * @param {string[]} command
 * @param {{ signal: AbortSignal, seconds: number }} bounds
 * @returns {Promise<Ended>}
 */
function runBounded([file = '', ...args], { signal, seconds }) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    /** @type {Ended} */
    const ended = { why: 'ended', code: null, killedBy: null, stdout: '', stderr: '' };
    /** @param {Ended['why']} why */
    const end = (why) => {
      ended.why = why;
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
    };
    const timer = setTimeout(() => end('hung'), seconds * 1000);
    const cancel = () => end('cancelled');
    signal.addEventListener('abort', cancel);
    if (signal.aborted) cancel();
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      ended.stdout += chunk;
    });
    child.stderr.setEncoding('utf8').on('data', (chunk) => {
      ended.stderr += chunk;
    });
    const settle = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
    };
    child.once('error', (error) => {
      settle();
      reject(new MeasureError('load-tool-crashed', `\`${file}\` could not be started: ${error.message}`));
    });
    child.once('close', (code, killedBy) => {
      settle();
      resolve(Object.assign(ended, { code, killedBy }));
    });
  });
}

/**
 * @param {Pick<StartedTool, 'command' | 'parse'>} tool
 * @param {string} line
 * @param {Ended} ended
 */
function read(tool, line, ended) {
  try {
    return tool.parse(ended.stdout);
  } catch (error) {
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
