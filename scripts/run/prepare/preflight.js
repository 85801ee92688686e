/** @import { Plan } from '../../types.js' */

import { servicesNeeded } from '../../deploy/services.js';
import { requirePrograms } from '../../deploy/preflight/programs.js';
import { requireTopologies } from '../../deploy/preflight/topology.js';
import { requireServices } from '../../deploy/services/start.js';
import { requireScripts, requireTools } from '../../load/load.js';
import { requireLoopback } from '../../system/free-port.js';

/**
 * Checks what this machine must have for a plan. A preview calls it too; a run does so before it removes or starts anything.
 * @param {Plan} plan
 * @param {NodeJS.ProcessEnv} env
 * @throws {import('../../model/errors.js').UserError} naming each proxy, manager, load tool, service and build program that is not
 *   installed, with the command that installs it; a load script that cannot run; or a missing loopback
 */
export async function requireForPlan({ cases, sides }, env) {
  const servers = sides.flatMap((side) => Object.values(side.servers));
  await requireLoopback();
  requireTopologies(cases, env);
  await requireTools([...new Set(cases.map(({ load }) => load.tool))]);
  await requireScripts(cases.map(({ load }) => load));
  requirePrograms(servers, env);
  requireServices(servicesNeeded(servers), env);
}
