/** Services that say nothing, are broken, or end while they are needed. */

import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findProgram } from '../../scripts/system/process/find-program.js';
import {
  CALM,
  killAll,
  processesOf,
  programOf,
  BUSY,
  QUICK,
  readRunFile,
  runCli,
  startCli,
  TELLS_LOAD,
  underLoad,
  until,
  writeServer,
} from '../provoke.js';

/** It answers nothing without its Redis. */
const ASKS_REDIS = `const redis = require('node:net').connect(new URL(process.env.REDIS_URL).port, '127.0.0.1');
const waiting = [];
redis.on('data', (text) => {
  for (const _ of String(text).matchAll(/PONG/g)) waiting.shift()?.end('hello');
});
redis.on('error', () => {});
require('node:http')
  .createServer((_, response) => {
    waiting.push(response);
    redis.write('PING\\r\\n');
  })
  .listen(process.env.PORT, process.env.HOST);
`;

/** So does this one, of PostgreSQL: a query for each request, all on one connection. */
const ASKS_POSTGRES = `const { DATABASE_URL } = process.env;
const { port, username, pathname } = new URL(DATABASE_URL);
const message = (type, body) => {
  const length = Buffer.alloc(4);
  length.writeInt32BE(4 + body.length);
  return Buffer.concat([Buffer.from(type), length, Buffer.from(body, 'latin1')]);
};
const postgres = require('node:net').connect(port, '127.0.0.1');
const waiting = [];
postgres.on('data', (bytes) => {
  for (const _ of bytes.toString('latin1').matchAll(/Z\\0\\0\\0\\x05I/g)) waiting.shift()?.end('hello');
});
postgres.on('error', () => {});
const user = ['user', username, 'database', pathname.slice(1), '', ''].join('\\0');
waiting.push({ end: () => {} });
postgres.write(message('', '\\0\\x03\\0\\0' + user));
require('node:http')
  .createServer((_, response) => {
    waiting.push(response);
    postgres.write(message('Q', 'SELECT 1\\0'));
  })
  .listen(process.env.PORT, process.env.HOST);
`;

const LISTENS = `#!/bin/sh
[ "$1" = --version ] && exit 1
exec node -e 'process.on("SIGTERM", () => {}); require("node:net").createServer(() => {}).listen(process.argv[1])' "$4"
`;

/** Two signals at once may arrive as one. */
const SECOND_SIGNAL_MS = 100;

/**
 * @param {string} scratch
 * @returns {Record<string, string>} the environment in which a redis-server is found that never answers
 */
function withSilentRedis(scratch) {
  const bin = join(scratch, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'redis-server'), LISTENS, { mode: 0o755 });
  symlinkSync(findProgram('redis-cli', { env: process.env }) ?? '', join(bin, 'redis-cli'));
  return { PATH: [bin, process.env.PATH].join(delimiter) };
}

/**
 * A server that needs a service, and one that needs nothing.
 * @param {string} scratch
 * @param {{ service: string, code: string }} [needs]
 */
function writeTwo(scratch, { service, code } = { service: 'redis', code: ASKS_REDIS }) {
  const manifest = `needs: [${service}]\n`;
  const needy = writeServer(scratch, 'needy', { code: `${TELLS_LOAD}${code}`, manifest });
  return `--servers=${needy},${writeServer(scratch, 'good', { code: CALM })}`;
}

/**
 * @param {string} scratch
 * @param {number | null} code
 */
async function outcomeOf(scratch, code) {
  const { cases } = readRunFile(join(scratch, 'perf-results/run.json'));
  const [needy, good] = ['needy', 'good'].map(
    (id) => cases.find(({ server }) => server === id)?.trials ?? [],
  );
  const failure = needy?.at(-1)?.failure;
  return {
    happened: `exit ${code}; ${failure?.message}`,
    lost: good?.every((trial) => trial.failure === null && trial.windows.length > 0) ? 0 : 1,
    holds: code === 3 && failure?.kind === 'service-failed' && !failure.message.includes('\n'),
  };
}

/** @type {import('../faults.js').Row[]} */
export const rows = [
  {
    fault: 'REDIS_URL names a service that accepts connections and never answers',
    promised: 'one line within 5 s for the server that needs it; the other is measured, exit 3',
    async run(scratch) {
      const silent = createServer(() => {});
      await once(silent.listen(0, '127.0.0.1'), 'listening');
      const { port } = /** @type {import('node:net').AddressInfo} */ (silent.address());
      try {
        const env = { REDIS_URL: `redis://:secret@127.0.0.1:${port}` };
        const { code, printed } = await runCli(['run', writeTwo(scratch), ...QUICK], { scratch, env });
        const { holds, ...what } = await outcomeOf(scratch, code);
        return { ...what, holds: holds && !printed.includes('secret') };
      } finally {
        silent.close();
      }
    },
  },
  {
    fault: 'a redis-server whose --version fails and which never answers',
    promised: 'one line within 20 s for the server that needs it; the other is measured, exit 3',
    slow: true,
    async run(scratch) {
      const env = withSilentRedis(scratch);
      const { code } = await runCli(['run', writeTwo(scratch), ...QUICK], { scratch, env });
      return outcomeOf(scratch, code);
    },
  },
  {
    fault: 'two SIGINTs while a redis-server starts that never answers',
    promised: 'the second ends the run at once, and nothing is left',
    slow: true,
    async run(scratch) {
      const run = startCli(['run', writeTwo(scratch), ...QUICK], { scratch, env: withSilentRedis(scratch) });
      const isStarting = (/** @type {number} */ pid) => programOf(pid) === 'redis-cli';
      await until(() => processesOf(scratch).some(isStarting), 'the first question to Redis');
      run.kill('SIGINT');
      run.kill('SIGINT');
      await sleep(SECOND_SIGNAL_MS);
      run.kill('SIGINT');
      const { code } = await run.ended;
      return { happened: `exit ${code}`, holds: code === 130 };
    },
  },
  killed('Redis', { service: 'redis', code: ASKS_REDIS, program: 'redis-server' }),
  killed('PostgreSQL', { service: 'postgres', code: ASKS_POSTGRES, program: 'postgres' }),
];

/**
 * @param {string} label
 * @param {{ service: string, code: string, program: string }} needs
 * @returns {import('../faults.js').Row}
 */
function killed(label, { program, ...needs }) {
  return {
    fault: `${label} is killed under load`,
    promised: `the trial says that ${label} ended, the other server is measured, exit 3`,
    ...(label === 'PostgreSQL' && { slow: /** @type {const} */ (true) }),
    async run(scratch) {
      // PostgreSQL runs as another user than root.
      chmodSync(scratch, 0o755);
      const args = ['run', writeTwo(scratch, needs), ...BUSY, '--tool=wrk', '--duration=3s'];
      const run = startCli(args, { scratch });
      await underLoad(join(scratch, 'needy'));
      const isService = (/** @type {number} */ pid) => programOf(pid).startsWith(program);
      killAll(processesOf(scratch).filter(isService));
      const { code } = await run.ended;
      const { holds, ...what } = await outcomeOf(scratch, code);
      return { ...what, holds: holds && what.happened.includes(`${label} ended`) };
    },
  };
}
