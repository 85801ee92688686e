/**
 * Downloads versions of a runtime beside the one on the PATH, once.
 * @import { Runtime } from '../runtimes.js'
 */

import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { MeasureError } from '../../model/errors.js';
import { RUNTIMES } from '../runtimes.js';
import { serverEnvironment } from '../start/environment.js';
import { runtimeHome } from './download-cache.js';
import { runCommand } from './run-command.js';

/**
 * Uses the runtime on the PATH if it has that version, otherwise downloads the newest one that fits. It stays until its folder is
 * removed, so that runs of different days measure the same one.
 * @param {string} runtime
 * @param {string} version as configured: "24", "24.9", "24.9.0"
 * @param {{ env: NodeJS.ProcessEnv, signal: AbortSignal }} options
 * @returns {Promise<string>} the exact version, like "24.9.0"
 * @throws {MeasureError} install-failed, cancelled
 */
export async function bringVersion(runtime, version, { env: caller, signal }) {
  const home = runtimeHome(caller, runtime, version);
  const env = serverEnvironment(caller, { env: {}, runtime });
  const { label, version: download } = /** @type {Required<Runtime>} */ (RUNTIMES[runtime]);
  const find = async (/** @type {string} */ program) => {
    const description = await describe(program, download.describe, env);
    const isWanted = `${description?.version}.`.startsWith(`${version}.`);
    return isWanted ? description : undefined;
  };
  const kept = await find(join(home, 'bin', runtime));
  if (kept) return kept.version;
  mkdirSync(join(home, '..'), { recursive: true });
  const scratch = mkdtempSync(`${home}-`);
  try {
    mkdirSync(join(scratch, 'bin'));
    const own = await find(runtime);
    const command = download.bring(version);
    const options = /** @type {const} */ ({ cwd: scratch, env, kind: 'install-failed', signal });
    if (!own)
      await runCommand(command, options).catch(({ kind, message, logTail }) => {
        throw new MeasureError(kind, `${label} ${version} could not be downloaded: ${message}`, logTail);
      });
    symlinkSync(own?.program ?? join('..', download.program), join(scratch, 'bin', runtime));
    const brought = await find(join(scratch, 'bin', runtime));
    if (!brought)
      throw new MeasureError(
        'install-failed',
        `\`${command.join(' ')}\` brought no ${label} ${version} that runs here`,
      );
    // Another run may have downloaded it meanwhile, and use it by now.
    const sooner = await find(join(home, 'bin', runtime));
    if (sooner) return sooner.version;
    rmSync(home, { recursive: true, force: true });
    renameSync(scratch, home);
    return brought.version;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/**
 * @param {string} program
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<{ version: string, program: string } | undefined>} undefined if it does not run
 */
async function describe(program, args, env) {
  try {
    return JSON.parse((await promisify(execFile)(program, args, { env })).stdout);
  } catch {
    return undefined;
  }
}
