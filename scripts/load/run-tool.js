/**
 * One run of a load tool that is started for every window, in a separate process group and bounded in time.
 * @import { LoadedWindow } from '../types.js'
 * @import { StartedTool, Target } from './tools.js'
 */

import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProcessGroup } from '../system/process/process-group.js';
import { crashed, GRACE_SECONDS, outputOf, readWindow, withinBounds } from './bounded.js';
import { withStalls } from './stalls.js';

/**
 * @param {Pick<StartedTool, 'command' | 'parse' | 'reportCodes' | 'reportFile' | 'graceSeconds' | 'stepMs'>} tool
 * @param {Target & { signal: AbortSignal, graceSeconds?: number }} target
 * @returns {Promise<LoadedWindow>}
 * @throws {MeasureError} load-tool-crashed, load-tool-hung, cancelled, clock-stepped
 */
export async function runTool(tool, { signal, graceSeconds, ...target }) {
  const scratch = await mkdtemp(join(tmpdir(), 'perf-load-'));
  try {
    const command = await tool.command({ ...target, scratch });
    const { seconds, load } = target;
    const line = `\`${command.join(' ')}\``;
    const { child, kill } = await startProcessGroup(command, { scratch }).catch((error) => {
      throw crashed(`\`${command[0]}\` could not be started: ${error.message}`);
    });
    const output = outputOf(child);
    const grace = graceSeconds ?? tool.graceSeconds?.(load) ?? GRACE_SECONDS;
    // `exited` would wait only briefly until all output is read.
    const bounds = { signal, seconds, graceSeconds: grace, line };
    const [code, killedBy] = await withinBounds(once(child, 'close'), bounds, output).catch(async (error) => {
      await kill();
      throw error;
    });
    if (code === null || ![0, ...(tool.reportCodes ?? [])].includes(code))
      throw crashed(`${line} ended with ${code ?? killedBy}`, output);
    const report =
      tool.reportFile === undefined
        ? output.stdout
        : await readFile(join(scratch, tool.reportFile), 'utf8').catch(() => '');
    const window = readWindow(() => tool.parse(report, { stderr: output.stderr, seconds }), line, output);
    return withStalls(window, target, tool.stepMs);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
