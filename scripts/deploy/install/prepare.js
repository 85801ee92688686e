/**
 * Installs and builds a server, once for the same sources.
 * @import { Command, FailureKind, Server } from '../../types.js'
 */

import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MeasureError } from '../../model/errors.js';
import { shellLine } from '../../system/process/shell.js';
import { bringVersion } from './runtime-download.js';
import { byHand } from '../start/repro-command.js';
import { ownEnvironment, serverEnvironment } from '../start/environment.js';
import { withHints } from '../start/hints.js';
import { stampsOf } from '../source/build-cache.js';
import { alone } from '../../system/lock.js';
import { runCommand } from './run-command.js';
import { shortHash } from '../source/worktrees.js';
import { installSteps } from './workspaces.js';

/** done: what its stamp is named for. @typedef {{ kind: FailureKind, command: Command, cwd: string, done: unknown[] }} Step */

/**
 * In a place of ours, what was done is noted, and done by one run at a time.
 * @param {Server} server
 * @param {{ signal: AbortSignal, onWait?: (pid: number) => unknown, onStep?: (command: string) => unknown }} options onWait: gets
 *   the process whose installation it waits for; onStep: each command that is run
 * @returns {Promise<string[]>} names of processes that a step left behind, which were ended
 * @throws {MeasureError} install-failed or build-failed with the command, how it ended and its last lines; cancelled
 */
export async function prepare(server, { signal, onWait, onStep }) {
  const { home, runtime, version } = server;
  if (version !== undefined) await bringVersion(runtime, version, { env: process.env, signal });
  const steps = stepsOf(server);
  // NODE_ENV=production would leave out what the build, or a start through tsx, needs.
  const { NODE_ENV: _, ...env } = serverEnvironment(process.env, server);
  /** @type {string[]} */
  const left = [];
  const all = async () => {
    for (const { done, command, ...step } of steps) {
      const stamp =
        home && join(stampsOf(home), createHash('sha256').update(JSON.stringify(done)).digest('hex'));
      if (stamp && existsSync(stamp)) continue;
      onStep?.(shellLine(command));
      const names = await runCommand(command, { ...step, env, signal }).catch(async (error) => {
        const told = Object.assign(error, { command: byHand({ ...server, folder: step.cwd }, command) });
        throw await withHints(told, server, process.env);
      });
      left.push(...names);
      if (stamp) writeFileSync(stamp, '');
    }
    return left;
  };
  const [first] = steps;
  if (!home || !first) return all();
  // Servers of one workspace begin with its install, in one folder; others need not wait for them.
  return alone(join(home, `install-${shortHash(first.cwd)}.lock`), all, { signal, onWait }).catch((error) => {
    throw error.name === 'AbortError'
      ? new MeasureError('cancelled', 'cancelled during the installation')
      : error;
  });
}

/**
 * Servers that are installed by the same command in the same folder share that.
 * @param {Server} server
 * @returns {Step[]}
 */
function stepsOf(server) {
  const { folder, install, build, version, copy = [] } = server;
  const ground = [version ?? process.version, process.arch];
  const installed = (install === undefined ? [] : installSteps(install, folder)).map((step) => ({
    ...step,
    kind: /** @type {const} */ ('install-failed'),
    done: [step.command, step.cwd, ...ground],
  }));
  if (build === undefined) return installed;
  const copied = copy.map((file) => readFileSync(join(folder, file), 'base64'));
  const made = [build, folder, ...ground, ownEnvironment(process.env, server), ...copied];
  const done = [...installed.flatMap((step) => step.done), ...made];
  return [...installed, { kind: 'build-failed', command: build, cwd: folder, done }];
}
