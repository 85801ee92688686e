/** First threads that share a core, in processes that really run. */

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { test } from 'node:test';
import { shareCore } from '../../scripts/system/process/shared-core.js';

const WORK = 'const end = process.cpuUsage().user + 3e5; while (process.cpuUsage().user < end);';
const SERVER = `${WORK} console.log('worked'); setInterval(() => {}, 1000);`;
/** Two processes that work equally: at the same time, or one after the other. */
const SEVERAL = {
  'of several processes': `
const child = require('node:child_process').spawn(process.execPath, ['-e', process.env.SERVER], { stdio: ['ignore', 'pipe', 'inherit'] });
process.on('SIGTERM', () => (child.kill(), process.exit()));
${WORK} child.stdout.once('data', () => console.log('worked')); setInterval(() => {}, 1000);`,
  'whose children work and end': `
require('node:child_process').spawnSync(process.execPath, ['-e', process.env.WORK]);
${SERVER}`,
};

/** @param {string} program */
async function started(program) {
  const child = spawn(process.execPath, ['-e', program], {
    detached: true,
    env: { ...process.env, SERVER, WORK },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return child;
}

/**
 * The cores that each thread may use, the first one's first.
 * @type {(pid: number | undefined) => string[]}
 */
function coresOf(pid) {
  const threads = readdirSync(`/proc/${pid}/task`).sort((a, b) => Number(a) - Number(b));
  return threads.map((id) => {
    const status = readFileSync(`/proc/${pid}/task/${id}/status`, 'utf8');
    return /Cpus_allowed_list:\t(.*)/.exec(status)?.[1] ?? '';
  });
}

const skip = availableParallelism() === 1 || spawnSync('taskset', ['--version']).error !== undefined;

/**
 * @param {string[]} programs
 * @returns the cores of each one's threads before and after, and whether they share one
 */
async function shared(...programs) {
  const servers = await Promise.all(programs.map(started));
  const cores = () => servers.map(({ pid }) => coresOf(pid));
  try {
    const before = cores();
    return { before, isShared: await shareCore(servers.map(({ pid = 0 }) => pid)), after: cores() };
  } finally {
    for (const server of servers) server.kill();
  }
}

test('the first threads of servers share a core, the others keep all', { skip }, async () => {
  const { before, isShared, after } = await shared(SERVER, SERVER);
  assert.equal(isShared, true);
  const [[first, ...others] = [], [second] = []] = after;
  assert.match(first ?? '', /^\d+$/);
  assert.equal(second, first);
  assert.deepEqual(others, before[0]?.slice(1));
});

for (const [kind, program] of Object.entries(SEVERAL))
  test(`a server ${kind} keeps all cores, and so does the one beside it`, { skip }, async () => {
    const { before, isShared, after } = await shared(SERVER, program);
    assert.deepEqual([isShared, after], [false, before]);
  });
