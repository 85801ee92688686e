/** Real processes that burn a known amount of CPU; on a busy machine they only take longer. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { startWindow } from '../../scripts/observe/observe.js';
import { foreignTicks } from '../../scripts/observe/observers/machine.js';
import { readProcesses, readThreads } from '../../scripts/system/process/proc.js';

const onLinux = { skip: process.platform !== 'linux' && 'only Linux has /proc' };

/** Burns CPU seconds as the kernel counts them, not seconds. */
const BURN = `const burn = (seconds) => {
  const used = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1e6; };
  const end = used() + seconds;
  while (used() < end);
};`;
/** Burns CPU for each line of input, then answers and keeps running. */
const SERVER = `${BURN} process.stdin.on('data', () => { burn(0.2); console.log('burnt'); });
  console.log('ready'); setInterval(() => {}, 1000);`;
/** The same in a child that leaves the group and ends before the answer. */
const PARENT = `${BURN} const { spawn } = require('node:child_process');
  process.stdin.once('data', () => {
    const child = spawn(process.execPath, ['-e', ${JSON.stringify(`${BURN} burn(0.2)`)}], { detached: true });
    child.on('close', () => console.log('burnt'));
  });
  console.log('ready'); setInterval(() => {}, 1000);`;

/** @param {string} program */
async function startServer(program) {
  const child = spawn(process.execPath, ['-e', program], {
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return {
    pid: /** @type {number} */ (child.pid),
    async burn() {
      child.stdin.write('go\n');
      await once(child.stdout, 'data');
    },
    async stop() {
      child.kill('SIGKILL');
      await once(child, 'close');
    },
  };
}

/**
 * @param {string[]} programs
 * @param {(...servers: Awaited<ReturnType<typeof startServer>>[]) => Promise<void>} work with a server of
 *   each
 */
const withServers = (programs, work) => async () => {
  const servers = await Promise.all(programs.map(startServer));
  try {
    await work(...servers);
  } finally {
    await Promise.all(servers.map(({ stop }) => stop()));
  }
};

/** @param {number} seconds */
async function runClient(seconds) {
  await once(spawn(process.execPath, ['-e', `${BURN} burn(${seconds})`]), 'close');
}

test(
  'server and client are distinguished, and neither is foreign',
  onLinux,
  withServers([SERVER], async (server) => {
    const window = startWindow(server.pid);
    await server.burn();
    await runClient(0.4);
    const { cpu, rssBytes } = await window.stop();
    assert.ok(cpu && rssBytes);
    assert.ok(cpu.serverSeconds > 0.17 && cpu.serverSeconds < 0.4, `server ${cpu.serverSeconds} s`);
    assert.ok(cpu.clientSeconds > 0.37 && cpu.clientSeconds < 1.1, `client ${cpu.clientSeconds} s`);
    for (const share of [cpu.foreignShare, cpu.stealShare]) assert.ok(share >= 0 && share <= 1);
    assert.ok(rssBytes > 10e6 && rssBytes < 1e9, `${rssBytes} bytes`);
  }),
);

test(
  'a server’s child that left the group and has ended is counted, once',
  onLinux,
  withServers([PARENT], async (server) => {
    const window = startWindow(server.pid);
    await server.burn();
    const { cpu } = await window.stop();
    assert.ok(cpu && cpu.serverSeconds > 0.17 && cpu.serverSeconds < 0.55, `server ${cpu?.serverSeconds} s`);
    assert.equal(cpu.clientSeconds, 0);
  }),
);

test(
  'a window excludes CPU time that was used before and after it',
  onLinux,
  withServers([SERVER], async (server) => {
    await server.burn();
    await runClient(0.1);
    const window = startWindow(server.pid);
    const observed = await window.stop();
    await runClient(0.1);
    assert.ok(observed.cpu && observed.cpu.serverSeconds <= 0.05 && observed.cpu.clientSeconds === 0);
  }),
);

test(
  'the work of other programs is foreign',
  onLinux,
  withServers([SERVER, SERVER], async (server, neighbour) => {
    const window = startWindow(server.pid);
    await neighbour.burn();
    const { cpu, others } = await window.stop();
    assert.ok(cpu && cpu.foreignShare > 0.02, `foreign ${cpu?.foreignShare}`);
    assert.equal(others !== undefined && others.length > 0, cpu.foreignShare > 0.1);
    assert.ok(cpu.serverSeconds <= 0.1 && cpu.clientSeconds === 0);
  }),
);

test('a server that has ended has no figures', onLinux, async () => {
  const server = await startServer(SERVER);
  await server.stop();
  assert.deepEqual(await startWindow(server.pid).stop(), {});
});

test('a window that is never stopped does not keep the program running', onLinux, async () => {
  const url = new URL('../../scripts/observe/observe.js', import.meta.url).href;
  const child = spawn(process.execPath, [
    '-e',
    `import(${JSON.stringify(url)}).then(({ startWindow }) => startWindow(process.pid))`,
  ]);
  assert.deepEqual(await once(child, 'close'), [0, null]);
});

test('interrupts are ours, whether or not the kernel adds them to the accounts of processes', () => {
  const start = { cores: 2, processTicks: 0, interruptTicks: 0, stealTicks: 0 };
  const apart = { ...start, processTicks: 500, interruptTicks: 120 };
  assert.equal(foreignTicks(start, apart, { ours: 500, seen: 0 }), 0);
  assert.equal(foreignTicks(start, apart, { ours: 400, seen: 100 }), 100);
  const within = { ...start, processTicks: 400, interruptTicks: 120 };
  assert.equal(foreignTicks(start, within, { ours: 518, seen: 1 }), 2);
  assert.equal(foreignTicks(start, within, { ours: 370, seen: 150 }), 150);
});

test(
  'waiting servers and running load tools are distinguished from the server, and neither is foreign',
  onLinux,
  withServers([SERVER, SERVER, SERVER], async (server, waiting, client) => {
    const window = startWindow(server.pid, { waitingServers: [waiting.pid], clients: () => [client.pid] });
    await Promise.all([waiting.burn(), client.burn()]);
    const { cpu, waitingServers: shares = [] } = await window.stop();
    assert.ok(cpu && Number(cpu.waitingSeconds) > 0.17, `waiting ${cpu?.waitingSeconds} s`);
    assert.ok(cpu.clientSeconds > 0.17 && cpu.clientSeconds < 0.4, `client ${cpu.clientSeconds} s`);
    assert.ok(cpu.serverSeconds < 0.1, `server ${cpu.serverSeconds} s`);
    assert.ok(shares.length === 1 && Number(shares[0]) > 0);
  }),
);

test(
  'nanoseconds and ticks agree on a long window',
  onLinux,
  withServers([SERVER], async (server) => {
    const before = readProcesses((pid) => pid === server.pid).get(server.pid);
    const threads = readThreads(server.pid);
    for (let i = 0; i < 2; i++) await server.burn();
    const after = readProcesses((pid) => pid === server.pid).get(server.pid);
    const sum = (/** @type {Map<number, number> | undefined} */ all) =>
      [...(all?.values() ?? [])].reduce((total, each) => total + each, 0) / 1e9;
    const fine = sum(readThreads(server.pid)) - sum(threads);
    const ticks = (Number(after?.ownTicks) - Number(before?.ownTicks)) / 100;
    assert.ok(Math.abs(fine - ticks) < 0.03, `${fine} s and ${ticks} s`);
  }),
);
