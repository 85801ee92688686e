/**
 * What runs several instances of a Node server: a row for each. Both share its port the same way: one process accepts the
 * connections and hands them out in turn.
 */

import { cluster } from './managers/cluster.js';
import { pm2 } from './managers/pm2.js';

/**
 * primary: the module that takes the place of the server's script. installed, bring, version: absent where it comes with Node;
 * bring: throws a UserError. env: what it needs beside that, folder being one of its own.
 * @typedef {{
 *   label: string,
 *   primary: string,
 *   installed?: (env: NodeJS.ProcessEnv) => string | undefined,
 *   bring?: (options: { env: NodeJS.ProcessEnv, signal: AbortSignal }) => Promise<void>,
 *   version?: (env: NodeJS.ProcessEnv) => string,
 *   env?: (folder: string, env: NodeJS.ProcessEnv) => NodeJS.ProcessEnv,
 * }} Manager
 */

/** The first is the usual one, which has no part in a single instance. @type {Record<string, Manager>} */
export const MANAGERS = { cluster, pm2 };

export const [USUAL_MANAGER = ''] = Object.keys(MANAGERS);

/**
 * @param {{ instances?: number, manager?: string }} load
 * @returns {string | undefined} undefined where the server runs as it is
 */
export function managerOf({ instances = 1, manager = USUAL_MANAGER }) {
  return instances > 1 || manager !== USUAL_MANAGER ? manager : undefined;
}
