/** @import { Command, FailureKind, Server } from '../../types.js' */

import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MeasureError } from '../../model/errors.js';
import { shellLine } from '../../system/process/shell.js';
import { bringVersion } from '../process/runtime-download.js';
import { byHand } from '../process/start-by-hand.js';
import { ownEnvironment, serverEnvironment } from '../process/server-environment.js';
import { withHints } from '../process/hints.js';
import { stampsOf } from '../source/build-cache.js';
import { forgetRecord } from '../source/tree-record.js';
import { readBounded } from '../../system/bounded-file.js';
import { alone } from '../../system/lock.js';
import { forgetPrepare, installLibrary } from './install-library.js';
import { runCommand } from '../process/run-command.js';
import { shortHash } from '../source/worktrees.js';
import { otherPackages } from './packages.js';
import { installSteps } from '../source/with-install.js';

/** A migration that waits for a lock or an answer never ends. */
const MOST_SETUP_SECONDS = 600;

/** @typedef {(step: { kind: FailureKind, command: Command, cwd: string }) => Promise<void>} RunStep */
/** runApart: without its env. @typedef {{ run: RunStep, runApart: RunStep, signal: AbortSignal }} Work */
/** key: its inputs. @typedef {{ cwd: string, key: unknown[], take: (work: Work) => Promise<void> }} Job */

/**
 * Installs and builds a server. In a build folder, finished steps leave a stamp, and one run at a time works.
 * @param {Server} server
 * @param {{ signal: AbortSignal, onWait?: (pid: number) => unknown, onStep?: (command: string) => unknown }}
 *   options onWait: gets the process whose installation it waits for; onStep: each command before it runs
 * @returns {Promise<string[]>} names of processes that steps left behind, which were ended
 * @throws {MeasureError} install-failed or build-failed with the command, its end and its last lines;
 *   cancelled
 */
export async function prepare(server, { signal, onWait, onStep }) {
  const { buildDir, runtime, version } = server;
  if (version !== undefined) await bringVersion(runtime, version, { env: process.env, signal });
  const steps = stepsOf(server);
  forgetPrepare(server);
  /** @type {string[]} */
  const left = [];
  /** @type {(as: Server) => RunStep} */
  const runAs =
    (as) =>
    async ({ command, ...step }) => {
      // NODE_ENV=production would leave out packages that the build, or a start through tsx, needs.
      const { NODE_ENV: _, ...env } = serverEnvironment(process.env, as);
      onStep?.(shellLine(command));
      const running = runCommand(command, { ...step, env, signal });
      left.push(...(await explained(running, as, byHand({ ...as, folder: step.cwd }, command))));
    };
  const work = { run: runAs(server), runApart: runAs({ ...server, env: {}, passEnv: [] }), signal };
  const all = async () => {
    for (const { key, take } of steps) {
      const stamp = buildDir && join(stampsOf(buildDir), shortHash(JSON.stringify(key)));
      if (stamp && existsSync(stamp)) continue;
      if (buildDir) forgetRecord(buildDir);
      await take(work);
      if (stamp) writeFileSync(stamp, '');
    }
    return left;
  };
  const [first] = steps;
  if (!buildDir || !first) return all();
  // Servers of one workspace begin with its installation, in one folder; others need not wait.
  return alone(join(buildDir, `install-${shortHash(first.cwd)}.lock`), all, { signal, onWait }).catch(
    (error) => {
      throw error.name === 'AbortError'
        ? new MeasureError('cancelled', 'cancelled during the installation')
        : error;
    },
  );
}

/**
 * Runs a server's setup, such as a migration, in the environment of its start.
 * @param {Server} server installed and built, with `setup`
 * @param {{ services: NodeJS.ProcessEnv, signal: AbortSignal, seconds?: number }} options services: addresses
 *   of those that it needs; seconds: that it may take
 * @returns {Promise<string[]>} names of processes that it left behind, which were ended
 * @throws {MeasureError} setup-failed with the command, how it ended and its last lines; cancelled
 */
export async function setUp(server, { services, signal, seconds = MOST_SETUP_SECONDS }) {
  const { setup: command = [], folder: cwd } = server;
  const env = { ...services, ...serverEnvironment(process.env, server) };
  const running = runCommand(command, { cwd, env, kind: 'setup-failed', signal, seconds });
  return explained(running, server, byHand({ ...server, env: { ...services, ...server.env } }, command));
}

/** @type {<T>(running: Promise<T>, server: Server, command: string) => Promise<T>} */
function explained(running, server, command) {
  return running.catch(async (error) => {
    throw await withHints(Object.assign(error, { command }), server, process.env);
  });
}

/**
 * Each depends on those before it: another installation would undo what came after it. Servers with the same
 * install command in the same folder share it.
 * @type {(server: Server) => Job[]}
 */
function stepsOf(server) {
  const { folder, install, build, version, library, copy = [] } = server;
  /** @type {Job[]} */
  const steps = [];
  const add = (/** @type {string} */ cwd, /** @type {unknown[]} */ own, /** @type {Job['take']} */ take) => {
    const before = steps.at(-1)?.key ?? [version ?? process.version, process.arch];
    steps.push({ cwd, key: [...before, ...own], take });
  };
  const installs = install === undefined ? [] : installSteps(install, folder);
  for (const { command, cwd } of [...installs, otherPackages(server) ?? []].flat())
    add(cwd, [command, cwd], ({ run }) => run({ kind: 'install-failed', command, cwd }));
  if (library)
    add(folder, [JSON.stringify(library), folder], ({ runApart: run, signal }) =>
      installLibrary({ ...server, library }, { run, signal }),
    );
  if (build !== undefined) {
    const copied = copy.map((file) => readBounded(join(folder, file)).toString('base64'));
    add(folder, [build, folder, ownEnvironment(process.env, server), ...copied], ({ run }) =>
      run({ kind: 'build-failed', command: build, cwd: folder }),
    );
  }
  return steps;
}
