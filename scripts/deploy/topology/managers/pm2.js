/** @import { Manager } from '../managers.js' */

import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MeasureError, UserError } from '../../../model/errors.js';
import { allowedEnvironment } from '../../../system/process/allowed-environment.js';
import { findProgram } from '../../../system/process/find-program.js';
import { cacheFolder, fillFolder } from '../../../system/cache-folder.js';
import { runCommand } from '../../process/run-command.js';
import { VARIABLES } from '../../runtimes.js';

const MAJOR = '7';
const DOWNLOAD = `npm install --prefix=. --no-audit --no-fund --loglevel=error pm2@${MAJOR}`.split(' ');

/** In cluster mode: the one on the PATH, or one that is downloaded once. @type {Manager} */
export const pm2 = {
  primary: fileURLToPath(new URL('./pm2-primary.cjs', import.meta.url)),
  installed: findPackage,
  async download({ env: caller, signal }) {
    const env = allowedEnvironment(caller, VARIABLES);
    const fill = (/** @type {string} */ cwd) =>
      runCommand(DOWNLOAD, { cwd, env, kind: 'install-failed', signal }).catch((error) => {
        if (!(error instanceof MeasureError) || error.kind === 'cancelled') throw error;
        const why = `manager: pm2 could not be downloaded (${error.message})`;
        throw new UserError(`${why}; install it with: npm install --global pm2`);
      });
    await fillFolder(cacheFolder(caller, 'pm2', MAJOR), fill, () => findPackage(caller) !== undefined);
  },
  env: (folder, env) => ({
    PERF_ACTION_PM2: findPackage(env),
    PM2_HOME: join(folder, 'pm2'),
    // Otherwise it looks for newer versions.
    PM2_DISABLE_VERSION_CHECK: 'true',
  }),
  version: (env) => JSON.parse(readFileSync(join(findPackage(env) ?? '', 'package.json'), 'utf8')).version,
};

/** The folder of the package. @type {(env: NodeJS.ProcessEnv) => string | undefined} */
function findPackage(env) {
  const program = findProgram('pm2', { env });
  const places = [
    ...(program === undefined ? [] : [dirname(dirname(realpathSync(program)))]),
    join(cacheFolder(env, 'pm2', MAJOR), 'node_modules', 'pm2'),
  ];
  return places.find((folder) => existsSync(join(folder, 'package.json')));
}
