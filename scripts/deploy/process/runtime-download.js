/** @import { Runtime } from '../runtimes.js' */

import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { MeasureError } from '../../model/errors.js';
import { ask } from '../../system/process/find-program.js';
import { RUNTIMES } from '../runtimes.js';
import { serverEnvironment } from './server-environment.js';
import { fillFolder, runtimeHome } from '../../system/cache-folder.js';
import { runCommand } from './run-command.js';

/**
 * Uses the runtime on the PATH if it has that version, otherwise downloads the newest one that fits. It stays
 * until its folder is removed, so that runs of different days measure the same one, unless the one on the
 * PATH is upgraded in place.
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
  const describeIfWanted = async (/** @type {string} */ program) => {
    const { stdout } = await ask(program, download.describe, { env });
    const [exact = '', path = ''] = stdout.trim().split('\n');
    return `${exact}.`.startsWith(`${version}.`) ? { exact, path } : undefined;
  };
  const describeKept = () => describeIfWanted(join(home, 'bin', runtime));
  const kept = await describeKept();
  if (kept) return kept.exact;
  const command = download.bring(version);
  const fill = async (/** @type {string} */ folder) => {
    // A fitting runtime on the PATH is linked, not downloaded.
    const onPath = await describeIfWanted(runtime);
    if (!onPath)
      await runCommand(command, { cwd: folder, env, kind: 'install-failed', signal }).catch((error) => {
        const message = `${label} ${version} could not be downloaded: ${error.message}`;
        throw new MeasureError(error.kind, message, error.logTail);
      });
    mkdirSync(join(folder, 'bin'));
    symlinkSync(onPath?.path ?? join('..', download.program), join(folder, 'bin', runtime));
  };
  // Where another run has filled it meanwhile, that one is kept and ours is thrown away.
  await fillFolder(home, fill, describeKept);
  const filled = await describeKept();
  if (filled) return filled.exact;
  const message = `\`${command.join(' ')}\` brought no ${label} ${version} that runs here`;
  throw new MeasureError('install-failed', message);
}
