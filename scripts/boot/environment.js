/**
 * The environment that measured code gets: what any program may need, what its runtime's
 * tools are set up by, and what its manifest names.
 * @import { Server } from '../types.js'
 */

import { delimiter, join } from 'node:path';
import { allowedEnvironment, OF_SITE } from '../environment.js';
import { reveal } from '../plan/secrets.js';
import { runtimeHome } from './cache.js';
import { VARIABLES } from './runtimes.js';

/** A shell sets these for whatever it starts. */
const OF_SHELL = ['PWD', 'OLDPWD', 'SHLVL', '_'];

/**
 * @param {NodeJS.ProcessEnv} caller
 * @param {Pick<Server, 'env' | 'runtime' | 'version' | 'passEnv'>} server
 * @returns {NodeJS.ProcessEnv} with the version of its runtime first on the PATH
 */
export function serverEnvironment(caller, server) {
  const { runtime, version } = server;
  const path = version !== undefined && {
    PATH: [join(runtimeHome(caller, runtime, version), 'bin'), caller.PATH].join(delimiter),
  };
  return { ...allowedEnvironment(caller, VARIABLES), ...path, ...ownEnvironment(caller, server) };
}

/**
 * @param {NodeJS.ProcessEnv} caller
 * @param {Pick<Server, 'env' | 'passEnv'>} server
 * @returns {NodeJS.ProcessEnv} what its manifest asks for, each `${NAME}` replaced by the caller's value
 */
export function ownEnvironment(caller, { env, passEnv = [] }) {
  const passed = passEnv.flatMap((name) => (caller[name] === undefined ? [] : [[name, caller[name]]]));
  const written = Object.entries(env).map(([name, value]) => [name, reveal(value, caller)]);
  return { ...Object.fromEntries(passed), ...Object.fromEntries(written) };
}

/**
 * @param {NodeJS.ProcessEnv} caller
 * @param {Pick<Server, 'env' | 'runtime' | 'version' | 'passEnv'>} server
 * @returns {string[]} names of the caller's variables that the server is not given and could be
 */
export function withheldNames(caller, server) {
  const given = serverEnvironment(caller, server);
  return Object.keys(caller).filter(
    (name) => !(name in given) && !OF_SITE.test(name) && !OF_SHELL.includes(name),
  );
}
