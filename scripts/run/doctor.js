/**
 * Says what this machine lacks for measuring, and how to get it.
 * @import { Server } from '../types.js'
 */

import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { toolVersion } from '../load/load.js';
import { CAPABILITIES } from '../plan/capabilities.js';
import { runtimeVersions } from './runtimes.js';

/**
 * @param {Server[]} servers those whose runtimes are asked for
 * @returns {Promise<{ what: string, found: string | undefined, mend: string }[]>} found: undefined where it is lacking
 */
export async function examine(servers) {
  const cores = availableParallelism();
  const runtimes = [...new Set(servers.map(({ runtime }) => runtime))];
  const versions = await runtimeVersions(runtimes);
  return [
    ...(await Promise.all(
      Object.entries(CAPABILITIES).map(async ([id, { label, install }]) => ({
        what: `load tool ${label}`,
        found: await toolVersion(id),
        mend: install,
      })),
    )),
    ...runtimes.map((runtime) => ({
      what: `runtime ${runtime}`,
      found: versions[runtime],
      mend: `install ${runtime} and put it on the PATH`,
    })),
    {
      what: 'two cores or more',
      found: cores >= 2 ? `${cores} cores` : undefined,
      mend: 'with one core the load tool takes the server’s time: use a larger machine',
    },
    {
      what: 'CPU and memory figures (/proc)',
      found: existsSync('/proc/self/stat') ? 'yes' : undefined,
      mend: 'run on Linux; elsewhere these columns stay empty',
    },
  ];
}
