/** Somebody takes the port between its choice and its use. */

import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { leftBy, QUICK, readRunFile, startCli, until, writeServer } from '../provoke.js';

/** It waits until its first port is stolen; then it ends, or stays without one. */
const LATE = (/** @type {boolean} */ stays) => `const { existsSync, writeFileSync } = require('node:fs');
writeFileSync('port', process.env.PORT);
while (!existsSync('stolen'));
const server = require('node:http').createServer((_, response) => response.end('hello'));
if (${stays}) server.on('error', () => setInterval(() => {}, 1000));
server.listen(process.env.PORT, process.env.HOST);
`;

/** @type {import('../faults.js').Row[]} */
export const rows = [false, true].map((stays) => ({
  fault: `its port is stolen before a server listens, which then ${stays ? 'stays' : 'ends'}`,
  promised: 'it boots on another port, and the thief is not measured',
  async run(scratch) {
    const name = writeServer(scratch, 'late', { code: LATE(stays) });
    const run = startCli(['run', `--servers=${name}`, ...QUICK], { scratch });
    const file = join(scratch, 'late/port');
    let asked = 0;
    const thief = createServer((_, response) => {
      asked++;
      response.end('hello');
    });
    try {
      await until(() => existsSync(file) && readFileSync(file, 'utf8') !== '', 'a boot');
      await once(thief.listen(Number(readFileSync(file, 'utf8')), '127.0.0.1'), 'listening');
      writeFileSync(join(scratch, 'late/stolen'), '');
      const { code } = await run.ended;
      const [trial] = readRunFile(join(scratch, 'perf-results/run.json')).cases[0]?.trials ?? [];
      return {
        happened: `exit ${code}; ${trial?.failure?.message ?? `${trial?.windows.length} window`}; the thief was asked ${asked < 10 ? 'a few times' : `${asked} times`}`,
        left: (await leftBy(scratch)).length,
        lost: trial?.windows.length === 1 ? 0 : 1,
        holds: code === 0 && asked < 10,
      };
    } finally {
      thief.close();
      thief.closeAllConnections();
    }
  },
}));
