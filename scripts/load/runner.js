/**
 * Load tools that are started for every window.
 * @import { LoadedWindow } from '../types.js'
 * @import { Slices } from './slices.js'
 * @import { StartedTool, Target } from './tools.js'
 */

import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withScratch } from '../system/scratch-folder.js';
import { readWindow } from './read-window.js';
import { crashed, startTool, withinBounds } from './tool-process.js';

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
  const runs = targets.map((target, index) =>
    runTool(tool, { ...target, slices: /** @type {Slices} */ (slices[index]), signal: either }),
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
 * @param {Pick<StartedTool, 'command' | 'parse' | 'reportCodes' | 'reportFile' | 'graceSeconds' |
 *   'stepMs'>} tool
 * @param {Target & { signal: AbortSignal, slices?: Slices }} target
 * @returns {Promise<LoadedWindow>}
 * @throws {MeasureError} load-tool-crashed, load-tool-hung, cancelled, clock-stepped
 */
export function runTool(tool, { signal, slices, ...target }) {
  return withScratch(async (scratch) => {
    const command = await tool.command({ ...target, scratch, ...(slices && { slices }) });
    const line = `\`${command.join(' ')}\``;
    const { child, kill, logTail } = await startTool(command, `\`${command[0]}\``, { scratch });
    const output = { stdout: '', stderr: '' };
    for (const stream of /** @type {const} */ (['stdout', 'stderr']))
      child[stream]?.on('data', (text) => (output[stream] += text));
    const seconds = slices?.totalSeconds ?? target.seconds;
    const graceSeconds = tool.graceSeconds?.(target);
    const bounds = { signal, seconds, ...(graceSeconds && { graceSeconds }), line, logTail };
    // `exited` would wait only briefly until all output is read.
    const [code, killedBy] = await withinBounds(once(child, 'close'), bounds).catch(async (error) => {
      await kill();
      throw error;
    });
    if (code === null || ![0, ...(tool.reportCodes ?? [])].includes(code))
      throw crashed(`${line} ended with ${code ?? killedBy}`, logTail());
    const { reportFile } = tool;
    const report = reportFile && (await readFile(join(scratch, reportFile), 'utf8').catch(() => ''));
    const read = () => {
      const window = tool.parse(report ?? output.stdout, { ...target, stderr: output.stderr });
      return slices ? { ...window, seconds: target.seconds } : window;
    };
    return readWindow(read, { target, tool, line, logTail });
  });
}
