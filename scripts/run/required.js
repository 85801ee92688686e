/**
 * What this machine must have for the loads that are planned: told by a preview, and before a run removes or starts anything.
 * @import { Load } from '../types.js'
 */

import { requireArrangements } from '../boot/requirements.js';
import { requireScripts, requireTools } from '../load/load.js';

/**
 * @param {Load[]} loads
 * @param {NodeJS.ProcessEnv} env
 * @throws {import('../errors.js').UserError} naming every front, manager or load tool that is not installed, with the command
 *   that installs it; or what a load tool says of a script that it cannot run
 */
export async function requireForLoads(loads, env) {
  requireArrangements(loads, env);
  await requireTools([...new Set(loads.map(({ tool }) => tool))]);
  await requireScripts(loads);
}
