/** Which of the caller's variables a server gets, and its limits. @import { Server } from '../../types.js' */

import { delimiter, join } from 'node:path';
import { allowedEnvironment, OF_GITHUB } from '../../system/process/allowed-environment.js';
import { reveal, valuesOf } from '../../secrets/secrets.js';
import { runtimeHome } from '../../system/cache-folder.js';
import { OPTION_LISTS, RUNTIMES, VARIABLES } from '../runtimes.js';

/** Shells set these themselves. */
const OF_SHELL = ['PWD', 'OLDPWD', 'SHLVL', '_'];

/** @typedef {Pick<Server, 'env' | 'runtime' | 'version' | 'passEnv'>} Described */

/**
 * The environment of measured code: variables for any program, those of its runtime's tools, and those that
 * its manifest names, with the version of its runtime first on the PATH.
 * @type {(caller: NodeJS.ProcessEnv, server: Described) => NodeJS.ProcessEnv}
 */
export function serverEnvironment(caller, server) {
  const { runtime, version } = server;
  const path = version !== undefined && {
    PATH: [join(runtimeHome(caller, runtime, version), 'bin'), caller.PATH].join(delimiter),
  };
  return { ...allowedEnvironment(caller, VARIABLES), ...path, ...ownEnvironment(caller, server) };
}

/**
 * Appends a server's limits to the options. Only the start gets them: a build may need more.
 * @type {(env: NodeJS.ProcessEnv, server: Pick<Server, 'runtime' | 'heapBytes' | 'processors'>) =>
 *   NodeJS.ProcessEnv}
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
 * @template {string | undefined} T
 * @param {Record<string, T>} env
 * @param {Record<string, T>} more
 * @returns {Record<string, T | string>}
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

/** What it could get, but does not. @type {(caller: NodeJS.ProcessEnv, server: Described) => string[]} */
export function withheldNames(caller, server) {
  const given = serverEnvironment(caller, server);
  return Object.keys(caller).filter(
    (name) => !(name in given) && !OF_GITHUB.test(name) && !OF_SHELL.includes(name),
  );
}
