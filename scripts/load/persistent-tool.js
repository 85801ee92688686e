/**
 * A load tool that keeps running between windows.
 * @import { LoadedWindow } from '../types.js'
 * @import { ToolProcess } from './tool-process.js'
 * @import { PersistentTool, Target } from './tools.js'
 */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readWindow } from './read-window.js';
import { crashed, startTool, withinBounds } from './tool-process.js';

/** Started for the first window, and again after a failure. @param {PersistentTool} tool */
export function keepTool(tool) {
  /** @type {(ToolProcess & { scratch: string }) | undefined} */
  let running;
  const stop = async () => {
    const ended = running;
    running = undefined;
    await ended?.kill();
    if (ended) await rm(ended.scratch, { recursive: true, force: true });
  };
  return {
    /** Of its process group, while it runs. */
    pid: () => running?.pid,
    stop,
    /** Loads them alternately. @type {(targets: Target[], signal: AbortSignal) => Promise<LoadedWindow[]>} */
    async run(targets, signal) {
      const lines = targets.map(
        ({ load, request: { method, path }, url, seconds }) =>
          `${tool.id} with ${load.connections} connections for ${seconds} s at ${method} ${url}${path}`,
      );
      const line = lines.join(' and ');
      if (running?.hasExited()) await stop();
      running ??= await startDriver(tool.driver, line);
      const { logTail, scratch } = running;
      const seconds = targets.reduce((sum, target) => sum + target.seconds, 0);
      try {
        const files = targets.map((target, index) => withFile(target, join(scratch, `${index}`)));
        const answers = ask(running, (await Promise.all(files)).map(tool.options));
        const results = await withinBounds(answers, { signal, seconds, line, logTail });
        return targets.map((target, index) => {
          const run = { target, tool, line: lines[index] ?? line, logTail };
          return readWindow(() => tool.read(results[index], target), run);
        });
      } catch (error) {
        await stop();
        throw error instanceof DriverError ? crashed(`${line} ${error.message}`, logTail()) : error;
      }
    },
  };
}

/** Requests that vary are too long for messages. @type {(target: Target, file: string) => Promise<Target>} */
async function withFile({ bytes, ...target }, file) {
  if (!bytes) return target;
  await writeFile(file, bytes);
  return { ...target, requestsFile: file };
}

/** @type {(file: URL, line: string) => Promise<ToolProcess & { scratch: string }>} */
async function startDriver(file, line) {
  const scratch = await mkdtemp(join(tmpdir(), 'perf-load-'));
  const driver = await startTool([process.execPath, fileURLToPath(file)], line, { ipc: true, scratch });
  // The caller ends it; an idle channel must not keep this process running.
  driver.child.unref();
  driver.child.channel?.unref();
  return { ...driver, scratch };
}

/** The driver ended, or answered with a mistake. */
class DriverError extends Error {}

/** A result for each. @type {(driver: ToolProcess, options: object[]) => Promise<any[]>} */
function ask({ child, exited }, options) {
  return new Promise((resolve, reject) => {
    const fail = (/** @type {string} */ message) => reject(new DriverError(message));
    child.removeAllListeners('message');
    child.once('message', (/** @type {any} */ { results, error }) =>
      results ? resolve(results) : fail(`failed: ${error}`),
    );
    void exited.then(({ code, signal }) => fail(`ended with ${code ?? signal}`));
    // A driver that is gone gets none, and its end says why.
    child.send(options, () => {});
  });
}
