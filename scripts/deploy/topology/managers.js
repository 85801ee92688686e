/**
 * What runs several instances of a Node server, a row for each. With all of them one process accepts the
 * connections and passes them to the instances alternately.
 * @import { Deployment } from '../../types.js'
 */

import { fileURLToPath } from 'node:url';
import { pm2 } from './managers/pm2.js';

/**
 * @typedef {object} Manager The optional parts are absent if it comes with Node.
 * @property {string} primary the module that runs in place of the server's script
 * @property {(env: NodeJS.ProcessEnv) => string | undefined} [installed] its folder
 * @property {(options: { env: NodeJS.ProcessEnv, signal: AbortSignal }) => Promise<void>} [download] throws a
 *   UserError
 * @property {(env: NodeJS.ProcessEnv) => string} [version]
 * @property {(folder: string, env: NodeJS.ProcessEnv) => NodeJS.ProcessEnv} [env] variables that it needs;
 *   folder: for its files
 */

/** Node's own module. */
const cluster = { primary: fileURLToPath(new URL('./managers/cluster-primary.cjs', import.meta.url)) };

/** The first is the usual one, which has no part in a single instance. @type {Record<string, Manager>} */
export const MANAGERS = { cluster, pm2 };

const [USUAL = ''] = Object.keys(MANAGERS);

/** Undefined if the server runs without one. @type {(deployment: Deployment) => string | undefined} */
export function managerOf({ instances, manager = USUAL }) {
  return instances > 1 || manager !== USUAL ? manager : undefined;
}
