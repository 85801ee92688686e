/** @import { ServiceRow } from '../services.js' */

import { join } from 'node:path';
import { freePort, HOST } from '../../system/free-port.js';
import { keepClient, run, untilServiceAnswers } from './ready.js';

/** Commands are counted by instance, so each side has its own. @type {ServiceRow} */
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
    named:
      /^(redis(-stack(-server)?)?|valkey|ioredis|@redis\/client|@fastify\/redis|connect-redis|bull(mq)?|@nestjs\/bull(mq)?|(aio|django-|flask-)redis|spring-boot-starter-data-redis(-reactive)?|quarkus-redis-client|github\.com\/(go-redis\/redis|redis\/go-redis|gomodule\/redigo)(\/v\d)?|predis\/predis|sidekiq|stackexchange\.redis)$/i,
    names: /REDIS|CACHE/,
  },
  async start({ program, folder, sides, startProgram, signal }) {
    const client = join(program, '..', 'redis-cli');
    /** @type {{ url: string, ask: ReturnType<typeof keepClient> }[]} */
    const started = [];
    while (started.length < sides) {
      const port = await freePort();
      const off = ['--save', '', '--appendonly', 'no', '--daemonize', 'no'];
      const command = [program, '--bind', HOST, '--port', String(port), '--dir', folder, ...off];
      const group = await startProgram(command);
      const address = ['-h', HOST, '-p', String(port)];
      await untilServiceAnswers(group, signal, (bounds) => run(client, [...address, 'ping'], bounds));
      started.push({ url: `redis://${HOST}:${port}/0`, ask: keepClient(client, address, { signal }) });
    }
    return {
      urlOf: (side) => started[side]?.url ?? '',
      async statementsOf(side) {
        // INFO and ECHO are our own questions.
        const lines = (await started[side]?.ask('info commandstats\necho ""')) ?? [];
        const counted = lines.join('\n').matchAll(/^cmdstat_(?!info:|echo:)([^:]+):calls=(\d+)/gm);
        return new Map(Array.from(counted, ([, name = '', n]) => [`Redis ${name.toUpperCase()}`, Number(n)]));
      },
    };
  },
};
