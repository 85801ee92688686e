/** Another program takes the port between its choice and its use. */

import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { isTaken } from '../../scripts/deploy/start/listening.js';
import { QUICK, readRunFile, startCli, until, writeServer } from '../provoke.js';

/** It waits until its first port is stolen; then it ends, or stays without one. */
const LATE = (/** @type {boolean} */ stays) => `const { existsSync, writeFileSync } = require('node:fs');
writeFileSync('port', process.env.PORT);
while (!existsSync('stolen'));
const server = require('node:http').createServer((_, response) => response.end('hello'));
if (${stays}) server.on('error', () => setInterval(() => {}, 1000));
server.listen(process.env.PORT, process.env.HOST);
`;

/** The port that the late server was given first. @type {(scratch: string) => Promise<number>} */
async function chosenPort(scratch) {
  const file = join(scratch, 'late/port');
  await until(() => existsSync(file) && readFileSync(file, 'utf8') !== '', 'a start');
  return Number(readFileSync(file, 'utf8'));
}

/** Its environment names the port, as that of a server does whose engine has drawn the same one. */
const OTHER = `require('node:http')
  .createServer((_, response) => response.end('other'))
  .listen(process.env.OWN_PORT, process.env.HOST);
`;

/** @type {import('../faults.js').Row} */
const twoEngines = {
  fault: 'the server of another engine takes the port that ours has chosen',
  promised: 'both are measured, each by its own engine',
  slow: true,
  async run(scratch) {
    const late = writeServer(scratch, 'late', { code: LATE(true) });
    const first = startCli(['run', `--servers=${late}`, ...QUICK, '--out=first'], { scratch });
    const port = await chosenPort(scratch);
    const manifest = `env: { OWN_PORT: '${port}' }\nroutes: [{ path: /, expect: { body: other } }]\n`;
    const other = writeServer(scratch, 'other', { code: OTHER, manifest });
    const second = startCli(['run', `--servers=${other}`, ...QUICK, '--duration=5s', '--out=second'], {
      scratch,
    });
    await until(() => isTaken(port), 'the start of the other server');
    writeFileSync(join(scratch, 'late/stolen'), '');
    const ended = await Promise.all([first.ended, second.ended]);
    const trials = ['first', 'second'].map(
      (out) => readRunFile(join(scratch, out, 'run.json')).cases[0]?.trials[0],
    );
    return {
      happened: `exits ${ended.map(({ code }) => code).join(' and ')}; ${trials.map((trial) => trial?.failure?.message ?? `${trial?.windows.length} window`).join('; ')}`,
      lost: trials.filter((trial) => trial?.windows.length !== 1).length,
      holds: ended.every(({ code }) => code === 0),
    };
  },
};

/** @type {import('../faults.js').Row[]} */
const stolen = [false, true].map((stays) => ({
  fault: `its port is stolen before a server listens, which then ${stays ? 'stays' : 'ends'}`,
  promised: 'it starts on another port, and the thief is not measured',
  ...(stays && { slow: /** @type {const} */ (true) }),
  async run(scratch) {
    const name = writeServer(scratch, 'late', { code: LATE(stays) });
    const run = startCli(['run', `--servers=${name}`, ...QUICK], { scratch });
    let asked = 0;
    const thief = createServer((_, response) => {
      asked++;
      response.end('hello');
    });
    try {
      await once(thief.listen(await chosenPort(scratch), '127.0.0.1'), 'listening');
      writeFileSync(join(scratch, 'late/stolen'), '');
      const { code } = await run.ended;
      const [trial] = readRunFile(join(scratch, 'perf-results/run.json')).cases[0]?.trials ?? [];
      return {
        happened: `exit ${code}; ${trial?.failure?.message ?? `${trial?.windows.length} window`}; the thief was asked ${asked < 10 ? 'a few times' : `${asked} times`}`,
        lost: trial?.windows.length === 1 ? 0 : 1,
        holds: code === 0 && asked < 10,
      };
    } finally {
      thief.close();
      thief.closeAllConnections();
    }
  },
}));

export const rows = [...stolen, twoEngines];
