/**
 * Installs and builds every server before the first is measured, so that no compiler runs beside a measurement.
 * @import { Plan, Server } from '../../types.js'
 * @import { Dependencies } from '../dependencies.js'
 */

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOTS } from '../../deploy/runtimes.js';
import { MeasureError } from '../../model/errors.js';
import { inParallel } from '../../system/parallel.js';

/** A preparation that takes longer says so, this often. */
const STILL_MS = 10_000;

/** @typedef {{ side: number, server: Server, root: string }} Task */

/**
 * Side by side, but one after the other where servers share a folder or a workspace.
 * @param {Plan['sides']} sides
 * @param {{ dependencies: Pick<Dependencies, 'prepare' | 'cores' | 'now'>, signal: AbortSignal, onStart: (task: Task) => void,
 *   onStill: (task: Task, working: { command: string | undefined, seconds: number }) => void, onWait: (task: Task, pid: number) => void, onLeft: (task: Task, names: string[]) => void,
 *   onFailure: (task: Task, error: MeasureError) => void }} context onWait: gets the process that installs in the same
 *   folder; onLeft: the names of processes that an install or a build left behind, which were ended
 */
export async function prepareAll(
  sides,
  { dependencies, signal, onStart, onStill, onWait, onLeft, onFailure },
) {
  const tasks = sides.flatMap(({ servers }, side) =>
    Object.values(servers).map((server) => ({ side, server, root: workspaceOf(server.folder) })),
  );
  await inParallel(chainsOf(tasks), dependencies.cores, async (chain) => {
    for (const task of chain) {
      if (signal.aborted) return;
      onStart(task);
      const startedAt = dependencies.now();
      /** @type {string | undefined} */
      let command;
      const still = setInterval(
        () => onStill(task, { command, seconds: Math.round((dependencies.now() - startedAt) / 1000) }),
        STILL_MS,
      );
      try {
        const left = await dependencies.prepare(task.server, {
          signal,
          onWait: (pid) => onWait(task, pid),
          onStep: (line) => (command = line),
        });
        if (left.length > 0) onLeft(task, left);
      } catch (error) {
        if (!(error instanceof MeasureError)) throw error;
        if (error.kind !== 'cancelled') onFailure(task, error);
      } finally {
        clearInterval(still);
      }
    }
  });
}

/**
 * @param {Task[]} tasks
 * @returns {Task[][]} those whose roots are the same or lie in one another stand in one list
 */
export function chainsOf(tasks) {
  /** @type {Map<string, Task[]>} */
  const chains = new Map();
  // The outermost first, so that whoever lies inside finds it.
  for (const task of tasks.toSorted((a, b) => a.root.length - b.root.length)) {
    const root = [...chains.keys()].find((known) => `${task.root}/`.startsWith(`${known}/`)) ?? task.root;
    chains.set(root, [...(chains.get(root) ?? []), task]);
  }
  return [...chains.values()];
}

/**
 * @param {string} folder
 * @returns {string}
 */
function workspaceOf(folder) {
  for (let at = folder; ; at = dirname(at)) {
    if (ROOTS.some((file) => existsSync(join(at, file)))) return at;
    if (at === dirname(at)) return folder;
  }
}
