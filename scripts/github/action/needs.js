/**
 * What a job must install before the run: only what the chosen servers and tools need.
 * @import { Config } from '../../types.js'
 */

import { SERVICES, findService, servicesToStart } from '../../deploy/services.js';
import { findProxyProgram, programsOf } from '../../deploy/topology/proxies.js';
import { RUNTIMES } from '../../deploy/runtimes.js';
import { findTool } from '../../load/tools.js';
import { findProgram } from '../../system/process/programs.js';

/**
 * @param {Config} config
 * @param {NodeJS.ProcessEnv} env its PATH finds a tool by its name
 * @returns {{ setups: string[], packages: string[] }} setups: runtimes that a step of the action installs; packages: Debian
 *   packages of the tools, services and proxies that are missing
 */
export function needsOf({ servers, reference, cases }, env) {
  const all = [...(reference ? [reference] : []), ...servers];
  const tools = [...new Set(cases.map(({ load }) => load.tool))];
  const services = servicesToStart(all, env).filter((id) => findService(id, env) === undefined);
  const proxies = [...new Set(cases.flatMap(programsOf))];
  return {
    setups: [...new Set(all.map(({ runtime }) => runtime))].filter((id) => RUNTIMES[id]?.setup),
    packages: [
      ...tools.filter((tool) => !findProgram(tool, { env })).map((tool) => findTool(tool).package),
      ...proxies.filter((proxy) => findProxyProgram(proxy, env) === undefined).map((proxy) => proxy.package),
      ...services.map((id) => SERVICES[id]?.package),
    ].filter((name) => name !== undefined),
  };
}
