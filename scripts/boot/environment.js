/**
 * The environment that measured code gets: the caller's without anything secret or of the site.
 * @import { Server } from '../types.js'
 */

import { delimiter, join } from 'node:path';
import { nodeHome } from './cache.js';

const KEPT_BACK = /TOKEN|SECRET|PASSWORD|CREDENTIAL|PRIVATE_KEY|^(GITHUB|ACTIONS|RUNNER|INPUT|PERF|ACT)_/i;

/**
 * @param {NodeJS.ProcessEnv} caller
 * @param {Pick<Server, 'env' | 'node'>} server its `env` is the user's own wish and passes as it is
 * @returns {NodeJS.ProcessEnv} with the version of Node first on the PATH that the server runs on
 */
export function serverEnvironment(caller, { env, node }) {
  const passed = Object.entries(caller).filter(([name]) => !KEPT_BACK.test(name));
  const path = node !== undefined && {
    PATH: [join(nodeHome(caller, node), 'bin'), caller.PATH].join(delimiter),
  };
  return { ...Object.fromEntries(passed), ...path, ...env };
}
