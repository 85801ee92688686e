/**
 * What a job has to bring before the run can start: for the chosen servers and tools, and no others.
 * @import { Config } from '../../types.js'
 */

import { COMPANIONS, findService, servicesToStart } from '../../deploy/services.js';
import { findFrontProgram, programsOf } from '../../deploy/topology/fronts.js';
import { RUNTIMES } from '../../deploy/runtimes.js';
import { findTool } from '../../load/tools.js';
import { findProgram } from '../../system/process/programs.js';

/**
 * @param {Config} config
 * @param {NodeJS.ProcessEnv} env its PATH is where a tool's program has the tool's name
 * @returns {{ setups: string[], packages: string[] }} setups: the runtimes that a step of the action installs; packages:
 *   Debian's names of the tools, the services and what stands before servers that are lacking
 */
export function needsOf({ servers, reference, cases }, env) {
  const all = [...(reference ? [reference] : []), ...servers];
  const tools = [...new Set(cases.map(({ load }) => load.tool))];
  const services = servicesToStart(all, env).filter((id) => findService(id, env) === undefined);
  const fronts = [...new Set(cases.flatMap(programsOf))];
  return {
    setups: [...new Set(all.map(({ runtime }) => runtime))].filter((id) => RUNTIMES[id]?.setup),
    packages: [
      ...tools.filter((tool) => !findProgram(tool, { env })).map((tool) => findTool(tool).package),
      ...fronts.filter((each) => findFrontProgram(each, env) === undefined).map((each) => each.package),
      ...services.map((id) => COMPANIONS[id]?.package),
    ].filter((name) => name !== undefined),
  };
}
