/** @import { Group } from '../process/logged-process.js' */
/** @import { ServiceRow } from '../services.js' */

import { join } from 'node:path';
import { freePort, HOST } from '../../system/free-port.js';
import { run, startService, untilServiceAnswers } from './ready.js';

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
  async start({ program, folder, sides, signal }) {
    const client = join(program, '..', 'redis-cli');
    /** @type {{ group: Group, url: string, ask: string[] }[]} */
    const started = [];
    const groups = () => started.map(({ group }) => group);
    try {
      while (started.length < sides) {
        const port = await freePort();
        const off = ['--save', '', '--appendonly', 'no', '--daemonize', 'no'];
        const command = [program, '--bind', HOST, '--port', String(port), '--dir', folder, ...off];
        const group = await startService(command, folder);
        const ask = ['-h', HOST, '-p', String(port)];
        started.push({ group, url: `redis://${HOST}:${port}/0`, ask });
        await untilServiceAnswers(group, signal, (bounds) => run(client, [...ask, 'ping'], bounds));
      }
    } catch (error) {
      await Promise.all(groups().map((group) => group.stop()));
      throw error;
    }
    return {
      groups: groups(),
      urlOf: (side) => started[side]?.url ?? '',
      async statementsOf(side) {
        const { ask = [] } = started[side] ?? {};
        const { stdout } = await run(client, [...ask, 'info', 'commandstats'], { signal });
        // INFO is our own question.
        const counted = [...stdout.matchAll(/^cmdstat_(?!info:)([^:]+):calls=(\d+)/gm)];
        return new Map(counted.map(([, name = '', calls]) => [`Redis ${name.toUpperCase()}`, Number(calls)]));
      },
    };
  },
};
