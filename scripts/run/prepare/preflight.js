/**
 * What this machine must have for a plan: told by a preview, and before a run removes or starts anything.
 * @import { Plan } from '../../types.js'
 */

import { servicesNeeded } from '../../deploy/services.js';
import { requirePrograms } from '../../deploy/preflight/programs.js';
import { requireTopologies } from '../../deploy/preflight/topology.js';
import { requireServices } from '../../deploy/services/start.js';
import { requireScripts, requireTools } from '../../load/load.js';

/**
 * @param {Plan} plan
 * @param {NodeJS.ProcessEnv} env
 * @throws {import('../../model/errors.js').UserError} naming every front, manager, load tool, service or program that builds a server and is
 *   not installed, with the command that installs it; or what a load tool says of a script that it cannot run
 */
export async function requireForPlan({ cases, sides }, env) {
  const servers = sides.flatMap((side) => Object.values(side.servers));
  requireTopologies(cases, env);
  await requireTools([...new Set(cases.map(({ load }) => load.tool))]);
  await requireScripts(cases.map(({ load }) => load));
  requirePrograms(servers, env);
  requireServices(servicesNeeded(servers), env);
}
