/** Proxies and managers that a plan needs: whether they are here, and their installation. @import { Deployment } from '../../types.js' */

import { allowedEnvironment } from '../../system/process/environment.js';
import { askVersion, findProgram } from '../../system/process/programs.js';
import { programsOf } from '../topology/proxies.js';
import { MANAGERS, managerOf } from '../topology/managers.js';

/** @typedef {{ what: string, found: string | undefined, mend: string }} Row undefined: it is missing; mend: the command that installs it */

/**
 * One for each proxy and manager that they use.
 * @type {(deployments: Deployment[], env: NodeJS.ProcessEnv) => Row[]}
 */
export function topologyRows(deployments, env) {
  const proxies = programsFor(deployments).map((proxy) => proxyRow(proxy, env));
  const managers = managersFor(deployments).map(([id, { installed = () => id }]) => ({
    what: `manager ${id}`,
    // npm downloads it.
    found: installed(env) ?? findProgram('npm', { env }),
    mend: `sudo apt-get install npm && npm install --global ${id}`,
  }));
  return [...proxies, ...managers];
}

/** @type {(proxy: import('../topology/proxies.js').Program, env: NodeJS.ProcessEnv) => Row} */
function proxyRow(proxy, env) {
  const mend = `sudo apt-get install ${proxy.package}`;
  return { what: `proxy ${proxy.program}`, found: findProgram(proxy.program, { ...proxy, env }), mend };
}

/**
 * @param {Deployment[]} deployments @param {{ env: NodeJS.ProcessEnv, signal: AbortSignal }} options
 * @returns {Promise<Record<string, string>>} the versions of what they use, by name
 * @throws {import('../../model/errors.js').UserError} for what cannot be downloaded, with the command that installs it
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
