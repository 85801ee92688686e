/** Redis: a numbered database a side. */

import { join } from 'node:path';
import { freePort, HOST } from '../port.js';
import { startGroup } from '../process.js';
import { run, untilReady } from './ready.js';

/**
 * @param {import('./ready.js').Start} options
 * @returns {Promise<import('./ready.js').Started>}
 */
export async function startRedis({ program, folder, signal }) {
  const port = await freePort();
  const off = ['--save', '', '--appendonly', 'no', '--daemonize', 'no'];
  const group = await startGroup([program, '--bind', HOST, '--port', String(port), '--dir', folder, ...off], {
    cwd: folder,
    env: { PATH: process.env.PATH },
  });
  const ping = ['-h', HOST, '-p', String(port), 'ping'];
  await untilReady(group, signal, () => run(join(program, '..', 'redis-cli'), ping));
  return { group, urlOf: (side) => `redis://${HOST}:${port}/${side}` };
}
