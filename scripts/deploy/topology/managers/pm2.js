/**
 * pm2 in cluster mode: the one on the PATH, or one that is downloaded once.
 * @import { Manager } from '../managers.js'
 */

import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { allowedEnvironment } from '../../../system/process/environment.js';
import { MeasureError, UserError } from '../../../model/errors.js';
import { findProgram } from '../../../system/process/programs.js';
import { cacheFolder } from '../../install/download-cache.js';
import { VARIABLES } from '../../runtimes.js';
import { runCommand } from '../../install/run-command.js';

const MAJOR = '7';
const INSTALL = 'npm install --global pm2';

/** @type {Manager} */
export const pm2 = {
  label: 'pm2',
  primary: fileURLToPath(new URL('./pm2-primary.cjs', import.meta.url)),
  installed: findPackage,
  download,
  env: (folder, env) => ({
    PERF_ACTION_PM2: findPackage(env),
    PM2_HOME: join(folder, 'pm2'),
    // Otherwise it looks for newer versions.
    PM2_DISABLE_VERSION_CHECK: 'true',
  }),
  version: (env) => JSON.parse(readFileSync(join(findPackage(env) ?? '', 'package.json'), 'utf8')).version,
};

/** @param {NodeJS.ProcessEnv} env @returns {string | undefined} the folder of the package */
function findPackage(env) {
  const program = findProgram('pm2', { env });
  const places = [
    ...(program === undefined ? [] : [dirname(dirname(realpathSync(program)))]),
    join(cacheFolder(env, 'pm2', MAJOR), 'node_modules', 'pm2'),
  ];
  return places.find((folder) => existsSync(join(folder, 'package.json')));
}

/**
 * @param {{ env: NodeJS.ProcessEnv, signal: AbortSignal }} options
 * @throws {UserError} with the command that installs it by hand
 */
async function download({ env: caller, signal }) {
  const home = cacheFolder(caller, 'pm2', MAJOR);
  mkdirSync(dirname(home), { recursive: true });
  const scratch = mkdtempSync(`${home}-`);
  try {
    const command = ['npm', 'install', '--prefix=.', '--no-audit', '--no-fund', '--loglevel=error'];
    const env = allowedEnvironment(caller, VARIABLES);
    const options = /** @type {const} */ ({ cwd: scratch, env, kind: 'install-failed', signal });
    await runCommand([...command, `pm2@${MAJOR}`], options).catch((error) => {
      if (!(error instanceof MeasureError) || error.kind === 'cancelled') throw error;
      throw new UserError(
        `manager: pm2 could not be downloaded (${error.message}); install it with: ${INSTALL}`,
      );
    });
    // Another run may have downloaded it meanwhile, and use it by now.
    if (findPackage(caller) !== undefined) return;
    rmSync(home, { recursive: true, force: true });
    renameSync(scratch, home);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
