/**
 * Installs and builds every server before the first is measured, so that no compiler runs next to a measurement.
 * @import { Plan, Server } from '../../types.js'
 * @import { Progress } from '../conduct.js'
 * @import { Dependencies } from '../dependencies.js'
 */

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOTS } from '../../deploy/runtimes.js';
import { MeasureError } from '../../model/errors.js';
import { inParallel } from '../../system/parallel.js';

/** How often a long preparation reports what it does. */
const REPORT_MS = 10_000;

/**
 * @typedef {{ side: number, server: Server }} Task
 *
 * @typedef {object} Context
 * @property {Pick<Dependencies, 'prepare' | 'cores' | 'now'>} dependencies
 * @property {AbortSignal} signal
 * @property {(event: Progress) => void} onProgress
 * @property {(task: Task, names: string[]) => void} onLeft gets processes that were left behind, and were ended
 * @property {(task: Task, error: MeasureError) => void} onFailure
 */

/**
 * Prepares the servers in parallel, but one after the other where servers share a folder or a workspace.
 * @param {Plan['sides']} sides
 * @param {Context} context
 */
export async function prepareAll(sides, context) {
  const { dependencies, signal } = context;
  const tasks = sides.flatMap(({ servers }, side) =>
    Object.values(servers).map((server) => ({ side, server, root: installRootOf(server.folder) })),
  );
  await inParallel(chainsOf(tasks), dependencies.cores, async (chain) => {
    for (const { side, server } of chain) if (!signal.aborted) await prepareServer({ side, server }, context);
  });
}

/** @param {Task} task @param {Context} context */
async function prepareServer(task, { dependencies, signal, onProgress, onLeft, onFailure }) {
  onProgress({ type: 'prepare', ...task });
  const startedAt = dependencies.now();
  /** @type {string | undefined} */
  let command;
  const reporting = setInterval(() => {
    const seconds = Math.round((dependencies.now() - startedAt) / 1000);
    onProgress({ type: 'prepare', ...task, command, seconds });
  }, REPORT_MS);
  try {
    const left = await dependencies.prepare(task.server, {
      signal,
      onWait: (pid) => onProgress({ type: 'wait', ...task, pid }),
      onStep: (line) => (command = line),
    });
    if (left.length > 0) onLeft(task, left);
  } catch (error) {
    if (!(error instanceof MeasureError)) throw error;
    if (error.kind !== 'cancelled') onFailure(task, error);
  } finally {
    clearInterval(reporting);
  }
}

/** @template {{ root: string }} T @param {T[]} tasks @returns {T[][]} tasks with one root, or roots inside one another, in one list */
function chainsOf(tasks) {
  /** @type {Map<string, T[]>} */
  const chains = new Map();
  // The outermost roots first, so that those inside find them.
  for (const task of tasks.toSorted((a, b) => a.root.length - b.root.length)) {
    const root = [...chains.keys()].find((known) => `${task.root}/`.startsWith(`${known}/`)) ?? task.root;
    chains.set(root, [...(chains.get(root) ?? []), task]);
  }
  return [...chains.values()];
}

/** @param {string} folder @returns {string} the nearest folder with a lock or workspace file, else the folder itself */
function installRootOf(folder) {
  for (let parent = folder; ; parent = dirname(parent)) {
    if (ROOTS.some((file) => existsSync(join(parent, file)))) return parent;
    if (parent === dirname(parent)) return folder;
  }
}
