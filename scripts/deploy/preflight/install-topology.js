/** Finds and installs the proxies and managers of a plan. @import { Deployment } from '../../types.js' */

import { allowedEnvironment } from '../../system/process/allowed-environment.js';
import { askVersion, findProgram } from '../../system/process/find-program.js';
import { programsOf } from '../topology/proxies.js';
import { MANAGERS, managerOf } from '../topology/managers.js';

/** mend installs what is missing. @typedef {{ what: string, found: string | undefined, mend: string }} Row */

/** One for each proxy and manager. @type {(deployments: Deployment[], env: NodeJS.ProcessEnv) => Row[]} */
export function topologyRows(deployments, env) {
  const proxies = programsFor(deployments).map((proxy) => ({
    what: `proxy ${proxy.program}`,
    found: findProgram(proxy.program, { ...proxy, env }),
    mend: `sudo apt-get install ${proxy.package}`,
  }));
  const managers = managersFor(deployments).map(([id, { installed = () => id }]) => ({
    what: `manager ${id}`,
    // npm downloads it.
    found: installed(env) ?? findProgram('npm', { env }),
    mend: `sudo apt-get install npm && npm install --global ${id}`,
  }));
  return [...proxies, ...managers];
}

/**
 * Returns the versions of what they use, by name.
 * @param {Deployment[]} deployments
 * @param {{ env: NodeJS.ProcessEnv, signal: AbortSignal }} options
 * @returns {Promise<Record<string, string>>}
 * @throws {import('../../model/errors.js').UserError} for what cannot be downloaded, with what installs it
 */
export async function installTopologies(deployments, { env, signal }) {
  /** @type {Record<string, string>} */
  const versions = {};
  for (const [id, { installed, download, version }] of managersFor(deployments)) {
    if (installed?.(env) === undefined) await download?.({ env, signal });
    if (version) versions[id] = version(env);
  }
  for (const proxy of programsFor(deployments)) {
    const program = findProgram(proxy.program, { ...proxy, env }) ?? proxy.program;
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
