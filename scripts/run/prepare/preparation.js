/**
 * Installs and builds all servers before the first is measured, so that no compiler runs beside it.
 * @import { Server, Side } from '../../types.js'
 * @import { Progress } from '../conduct.js'
 * @import { Dependencies } from '../dependencies.js'
 * @import { Service } from '../../deploy/services/start-services.js'
 */

import { groups, sort } from 'd3-array';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOTS } from '../../deploy/runtimes.js';
import { MeasureError } from '../../model/errors.js';
import { upwards } from '../../system/folder.js';
import { inParallel } from '../../system/parallel.js';
import { shellLine } from '../../system/process/shell.js';
import { servicesOf } from '../server-run.js';

/** How often a long preparation reports what it does. */
const REPORT_MS = 10_000;

/**
 * @typedef {{ side: Side, server: Server }} Task
 *
 * @typedef {object} Context
 * @property {Pick<Dependencies, 'prepare' | 'setUp' | 'cores' | 'now'>} dependencies
 * @property {AbortSignal} signal
 * @property {(event: Progress) => void} onProgress
 * @property {(task: Task, names: string[]) => void} onLeft gets processes left behind, which were ended
 * @property {(task: Task, error: MeasureError) => void} onFailure
 */

/**
 * Prepares the servers in parallel, but one after the other where servers share a folder or a workspace.
 * @type {(tasks: Task[], context: Context) => Promise<void>}
 */
export async function prepareAll(tasks, context) {
  const { dependencies, signal, onProgress } = context;
  await inParallel(chainsOf(tasks), dependencies.cores, async (chain) => {
    for (const task of chain) {
      const onWait = (/** @type {number} */ pid) => onProgress({ type: 'wait', ...task, pid });
      if (signal.aborted) return;
      await reported(task, context, (onStep) =>
        dependencies.prepare(task.server, { signal, onWait, onStep }),
      );
    }
  });
}

/**
 * Runs each setup once a side, where servers of one folder share it; in turn, as they may share a database.
 * @type {(tasks: Task[], services: Service[], context: Context & { sides: Side[] }) => Promise<void>}
 */
export async function setUpAll(tasks, services, context) {
  const { dependencies, signal } = context;
  const sharedOf = (/** @type {Task} */ { side, server: { setup, folder, env } }) =>
    JSON.stringify([side.label, setup, folder, env]);
  for (const [, sharing] of groups(tasks, sharedOf)) {
    const [task] = sharing;
    if (task?.server.setup === undefined || signal.aborted) continue;
    const { env } = servicesOf(task.server, services, context.sides.indexOf(task.side));
    const onFailure = (/** @type {Task} */ _, /** @type {MeasureError} */ error) =>
      sharing.forEach((sharer) => context.onFailure(sharer, error));
    const work = () => dependencies.setUp(task.server, { services: env, signal });
    await reported(task, { ...context, onFailure }, work, shellLine(task.server.setup));
  }
}

/**
 * Reports the beginning of the work, and every ten seconds its present command.
 * @param {Task} task
 * @param {Context} context
 * @param {(onStep: (command: string) => void) => Promise<string[]>} work
 * @param {string} [command]
 */
async function reported(task, { dependencies, onProgress, onLeft, onFailure }, work, command) {
  onProgress({ type: 'prepare', ...task, command });
  const startedAt = dependencies.now();
  const reporting = setInterval(() => {
    const seconds = Math.round((dependencies.now() - startedAt) / 1000);
    onProgress({ type: 'prepare', ...task, command, seconds });
  }, REPORT_MS);
  try {
    const left = await work((line) => (command = line));
    if (left.length > 0) onLeft(task, left);
  } catch (error) {
    if (!(error instanceof MeasureError)) throw error;
    if (error.kind !== 'cancelled') onFailure(task, error);
  } finally {
    clearInterval(reporting);
  }
}

/** In one list those of one root, or of roots inside one another. @type {(tasks: Task[]) => Task[][]} */
function chainsOf(tasks) {
  const rooted = tasks.map((task) => ({ task, root: installRootOf(task.server.folder) }));
  const outerFirst = sort(rooted, ({ root }) => root.length);
  const outermost = (/** @type {string} */ root) =>
    outerFirst.find((other) => `${root}/`.startsWith(`${other.root}/`))?.root;
  return groups(outerFirst, ({ root }) => outermost(root)).map(([, chain]) => chain.map(({ task }) => task));
}

/** The nearest folder with a lock or workspace file, or else itself. @type {(folder: string) => string} */
function installRootOf(folder) {
  const hasRoot = (/** @type {string} */ each) => ROOTS.some((file) => existsSync(join(each, file)));
  return upwards(folder).find(hasRoot) ?? folder;
}
