/** @import { Plan } from '../../types.js' */

import { whyNotServed } from '../../deploy/services.js';
import { whyNotBuilt } from '../../deploy/process/programs.js';
import { topologyRows } from '../../deploy/preflight/install-topology.js';
import { requireScripts } from '../../load/load.js';
import { toolsOf } from '../../load/tools.js';
import { UserError } from '../../model/errors.js';
import { requireLoopback } from '../../system/free-port.js';
import { toolRow } from './doctor.js';

/** Why a server cannot be measured on this machine. @typedef {{ server: string, why: string }} Lack */

/**
 * Checks what this machine must have for a plan: for a preview, and before a run removes or starts anything.
 * @param {Plan} plan
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<Lack[]>} of servers that lack a service or a program that builds them, while others do
 *   not; they fail in a run
 * @throws {UserError} naming each proxy, manager and load tool that is not installed, with the command that
 *   installs it; a load script that cannot run; a missing loopback; or what each server lacks, where none can
 *   be measured
 */
export async function requireForPlan({ cases, sides }, env) {
  await requireLoopback();
  const rows = [...topologyRows(cases, env), ...(await Promise.all(toolsOf(cases).map(toolRow)))];
  const missing = rows.filter(({ found }) => found === undefined);
  if (missing.length > 0)
    throw new UserError(
      missing.map(({ what, mend }) => `${what} is not installed; install it with: ${mend}`).join('\n'),
    );
  await requireScripts(cases);
  /** @type {Map<string, string>} */
  const lacking = new Map();
  for (const server of sides.flatMap((side) => Object.values(side.servers))) {
    const lacks = [whyNotBuilt(server, env), whyNotServed(server.needs, env)].filter(Boolean);
    if (lacks.length > 0) lacking.set(server.id, lacks.join('; '));
  }
  const judged = cases.filter(({ reference }) => !reference);
  if (judged.length > 0 && judged.every(({ server }) => lacking.has(server)))
    throw new UserError([...lacking].map(([id, why]) => `server "${id}": ${why}`).join('\n'));
  return [...lacking].map(([server, why]) => ({ server, why }));
}
