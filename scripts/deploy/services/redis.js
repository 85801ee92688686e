/** @import { ServiceRow } from '../services.js' */

import { join } from 'node:path';
import { freePort, HOST } from '../../system/free-port.js';
import { run, startService, untilServiceAnswers } from './ready.js';

/** One numbered database per side. @type {ServiceRow} */
export const redis = {
  label: 'Redis',
  scheme: /^rediss?:/,
  port: 6379,
  hello: Buffer.from('PING\r\n'),
  variables: ['REDIS_URL'],
  prefix: 'REDIS_',
  program: 'redis-server',
  package: 'redis-server',
  signs: {
    packages: /^(redis|ioredis|@redis\/client|@fastify\/redis|@nestjs\/bullmq|bull|bullmq|connect-redis)$/,
    otherManifests: /data-redis|redis-client|go-redis|redigo|^\s*["']?redis\b|gem ['"]redis/m,
    image: /redis|valkey/,
    names: /REDIS|CACHE/,
  },
  async start({ program, folder, signal }) {
    const port = await freePort();
    const off = ['--save', '', '--appendonly', 'no', '--daemonize', 'no'];
    const command = [program, '--bind', HOST, '--port', String(port), '--dir', folder, ...off];
    const group = await startService(command, folder);
    const ping = ['-h', HOST, '-p', String(port), 'ping'];
    await untilServiceAnswers(group, signal, (bounds) => run(join(program, '..', 'redis-cli'), ping, bounds));
    return { group, urlOf: (side) => `redis://${HOST}:${port}/${side}` };
  },
};
