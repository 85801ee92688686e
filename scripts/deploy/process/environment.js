/** Which of the caller's variables a server gets, and its limits. @import { Server } from '../../types.js' */

import { delimiter, join } from 'node:path';
import { allowedEnvironment, OF_GITHUB } from '../../system/process/environment.js';
import { reveal, valuesOf } from '../../secrets/secrets.js';
import { runtimeHome } from './download-cache.js';
import { OPTION_LISTS, RUNTIMES, VARIABLES } from '../runtimes.js';

/** Shells set these themselves. */
const OF_SHELL = ['PWD', 'OLDPWD', 'SHLVL', '_'];

/** @typedef {Pick<Server, 'env' | 'runtime' | 'version' | 'passEnv'>} Described */

/**
 * The environment of measured code: variables for any program, those of its runtime's tools, and those that its manifest names.
 * @param {NodeJS.ProcessEnv} caller @param {Described} server
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
 * Only the start gets limits: a build may need more.
 * @param {NodeJS.ProcessEnv} env @param {Pick<Server, 'runtime' | 'heapBytes' | 'processors'>} server
 * @returns {NodeJS.ProcessEnv} with its limits appended to the options
 */
export function withLimits(env, { runtime, heapBytes, processors }) {
  const { heap, processors: count } = RUNTIMES[runtime] ?? {};
  return [
    heapBytes !== undefined && heap && { [heap.variable]: heap.option(heapBytes) },
    processors !== undefined && count && { [count.variable]: count.option(processors) },
  ].reduce((all, limit) => withMore(all, limit || {}), env);
}

/**
 * Options for a runtime are appended, other variables replaced.
 * @template {string | undefined} T @param {Record<string, T>} env @param {Record<string, T>} more @returns {Record<string, T | string>}
 */
export function withMore(env, more) {
  /** @type {Record<string, T | string>} */
  const merged = { ...env };
  for (const [name, value] of Object.entries(more))
    merged[name] = OPTION_LISTS.includes(name) ? [env[name], value].filter(Boolean).join(' ') : value;
  return merged;
}

/**
 * The variables of its manifest, each `${NAME}` replaced by the caller's value.
 * @type {(caller: NodeJS.ProcessEnv, server: Pick<Server, 'env' | 'passEnv'>) => NodeJS.ProcessEnv}
 */
export function ownEnvironment(caller, { env, passEnv = [] }) {
  const passed = passEnv.flatMap((name) => (caller[name] === undefined ? [] : [[name, caller[name]]]));
  const written = Object.entries(env).map(([name, value]) => [name, reveal(value, valuesOf(caller))]);
  return { ...Object.fromEntries(passed), ...Object.fromEntries(written) };
}

/** Names of the caller's variables that the server does not get, but could. @param {NodeJS.ProcessEnv} caller @param {Described} server */
export function withheldNames(caller, server) {
  const given = serverEnvironment(caller, server);
  return Object.keys(caller).filter(
    (name) => !(name in given) && !OF_GITHUB.test(name) && !OF_SHELL.includes(name),
  );
}
