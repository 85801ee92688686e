/**
 * The environment that measured code gets: the caller's without anything secret or of the site.
 * @import { Server } from '../types.js'
 */

import { delimiter, join } from 'node:path';
import { OF_SITE, REFERENCE } from '../plan/variables.js';
import { runtimeHome } from './cache.js';

const SECRET = /TOKEN|SECRET|PASSWORD|CREDENTIAL|PRIVATE_KEY/i;

/**
 * @param {NodeJS.ProcessEnv} caller
 * @param {Pick<Server, 'env' | 'runtime' | 'version' | 'passEnv'>} server
 * @returns {NodeJS.ProcessEnv} with the version of its runtime first on the PATH
 */
export function serverEnvironment(caller, server) {
  const { runtime, version } = server;
  const passed = Object.entries(caller).filter(([name]) => !SECRET.test(name) && !OF_SITE.test(name));
  const path = version !== undefined && {
    PATH: [join(runtimeHome(caller, runtime, version), 'bin'), caller.PATH].join(delimiter),
  };
  return { ...Object.fromEntries(passed), ...path, ...ownEnvironment(caller, server) };
}

/**
 * @param {NodeJS.ProcessEnv} caller
 * @param {Pick<Server, 'env' | 'passEnv'>} server
 * @returns {NodeJS.ProcessEnv} what its manifest asks for, each `${NAME}` replaced by the caller's value
 */
export function ownEnvironment(caller, { env, passEnv = [] }) {
  const passed = passEnv.flatMap((name) => (caller[name] === undefined ? [] : [[name, caller[name]]]));
  const written = Object.entries(env).map(([name, value]) => [
    name,
    value.replace(REFERENCE, (_, other) => caller[other] ?? ''),
  ]);
  return { ...Object.fromEntries(passed), ...Object.fromEntries(written) };
}

/**
 * @param {NodeJS.ProcessEnv} caller
 * @param {Pick<Server, 'env' | 'passEnv'>} server
 * @returns {string[]} names of the caller's variables that the server is not given and could be
 */
export function withheldNames(caller, { env, passEnv = [] }) {
  return Object.keys(caller).filter(
    (name) => SECRET.test(name) && !OF_SITE.test(name) && !(name in env) && !passEnv.includes(name),
  );
}
