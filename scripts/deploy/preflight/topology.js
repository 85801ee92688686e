/** @import { Deployment } from '../../types.js' */

import { UserError } from '../../model/errors.js';
import { allowedEnvironment } from '../../system/process/environment.js';
import { askVersion, findProgram } from '../../system/process/programs.js';
import { findProxyProgram, programsOf } from '../topology/proxies.js';
import { MANAGERS, managerOf } from '../topology/managers.js';

/**
 * @param {Deployment[]} deployments @param {NodeJS.ProcessEnv} env
 * @throws {UserError} naming everything that is not installed and cannot be downloaded, with the command that installs it
 */
export function requireTopologies(deployments, env) {
  const proxies = programsFor(deployments)
    .filter((program) => findProxyProgram(program, env) === undefined)
    .map(
      ({ program, package: name }) =>
        `proxy: ${program} is not installed; install it with: sudo apt-get install ${name}`,
    );
  const managers = findProgram('npm', { env })
    ? []
    : managersFor(deployments)
        .filter(([, { installed }]) => installed && installed(env) === undefined)
        .map(
          ([id]) =>
            `manager: ${id} is not installed, nor is npm, which downloads it; install it with: ` +
            `sudo apt-get install npm && npm install --global ${id}`,
        );
  if (proxies.length + managers.length > 0) throw new UserError([...proxies, ...managers].join('\n'));
}

/**
 * @param {Deployment[]} deployments @param {{ env: NodeJS.ProcessEnv, signal: AbortSignal }} options
 * @returns {Promise<Record<string, string>>} the versions of what they use, by name
 * @throws {UserError} for what cannot be downloaded, with the command that installs it
 */
export async function installTopologies(deployments, { env, signal }) {
  /** @type {Record<string, string>} */
  const versions = {};
  for (const [id, { installed, download, version }] of managersFor(deployments)) {
    if (installed?.(env) === undefined) await download?.({ env, signal });
    if (version) versions[id] = version(env);
  }
  for (const proxy of programsFor(deployments)) {
    const program = findProxyProgram(proxy, env) ?? proxy.program;
    const { version = 'unknown' } = await askVersion(program, proxy.versionArgument, allowedEnvironment(env));
    versions[proxy.program] = version;
  }
  return versions;
}

/** @param {Deployment[]} deployments */
function programsFor(deployments) {
  return [...new Set(deployments.flatMap(programsOf))];
}

/** @param {Deployment[]} deployments */
function managersFor(deployments) {
  const used = new Set(deployments.map(managerOf));
  return Object.entries(MANAGERS).filter(([id]) => used.has(id));
}
