/**
 * What the engine itself takes while a load is held: its peak of resident memory, and its share of a core
 * while load tools run.
 *
 *     npm run bench:held -- [--seconds 600] [--cases 200]
 *
 * Exits with 1 where one is beyond its limit.
 */

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { readProcess, readProcesses, TICKS_PER_SECOND } from '../scripts/system/process/proc.js';
import { GOOD, peakBytes, readRunFile, startCli, writeServer } from './provoke.js';

const MOST_MEGABYTES = 200;
const MOST_SHARE = 0.03;
const LOOK_MS = 500;

const { seconds, cases } = parseArgs({
  options: { seconds: { type: 'string', default: '600' }, cases: { type: 'string', default: '200' } },
}).values;

/** @type {[name: string, routes: number, args: string[]][]} */
const RUNS = [
  [`1,000 connections for ${seconds} s`, 1, ['--connections=1000', `--duration=${seconds}s`, '--warmup=1s']],
  [`${cases} cases in one run`, Number(cases), ['--connections=8', '--duration=1s', '--warmup=0']],
];

console.log('| run | exit | cases measured | peak MB | share of a core under load |');
console.log('| --- | ---: | ---: | ---: | ---: |');
for (const [name, routes, args] of RUNS) {
  const { code, measured, megabytes, share } = await hold(routes, args);
  const holds = code === 0 && measured === routes && megabytes <= MOST_MEGABYTES && share <= MOST_SHARE;
  const cells = [name, code, measured, megabytes.toFixed(0), `${(share * 100).toFixed(2)} %`];
  console.log(`| ${cells.join(' | ')} |${holds ? '' : ' **beyond the limit**'}`);
  if (!holds) process.exitCode = 1;
}

/**
 * @param {number} routes of one server, each a case
 * @param {string[]} args
 */
async function hold(routes, args) {
  const scratch = mkdtempSync(join(tmpdir(), 'perf-held-'));
  for (const folder of ['tmp', 'cache']) mkdirSync(join(scratch, folder));
  try {
    const paths = Array.from({ length: routes }, (_, place) => `  - path: /${place}\n`).join('');
    const server = writeServer(scratch, 'good', { code: GOOD, manifest: `routes:\n${paths}` });
    const asked = ['run', `--servers=${server}`, '--rounds=1', '--reference=off', '--tool=wrk', ...args];
    const engine = startCli(asked, { scratch });
    let ended = false;
    const hasEnded = engine.ended.finally(() => (ended = true));
    let [peak, ticks, lookedMs, before, at] = [0, 0, 0, 0, 0];
    let wasLoaded = false;
    while (!ended) {
      const now = readProcess(engine.pid);
      peak = Math.max(peak, peakBytes(engine.pid));
      const isLoaded = isLoading(engine.pid);
      const clock = performance.now();
      // Only what lies between two looks that both saw a load.
      if (now && isLoaded && wasLoaded) {
        ticks += now.ownTicks - before;
        lookedMs += clock - at;
      }
      [before, at, wasLoaded] = [now?.ownTicks ?? 0, clock, isLoaded];
      await sleep(LOOK_MS);
    }
    const { code } = await hasEnded;
    const all = readRunFile(join(scratch, 'perf-results/run.json')).cases;
    const measured = all.filter(({ trials }) => trials.every(({ failure }) => failure === null)).length;
    const share = ticks / TICKS_PER_SECOND / (lookedMs / 1000);
    return { code, measured, megabytes: peak / 2 ** 20, share };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/**
 * @param {number} engine its pid
 * @returns {boolean} whether a load tool below it runs
 */
function isLoading(engine) {
  const all = readProcesses();
  const parentOf = (/** @type {number} */ pid) => all.get(pid)?.ppid ?? 0;
  return [...all.values()].some(({ name, pid }) => {
    const parent = parentOf(pid);
    return name === 'wrk' && [parent, parentOf(parent)].includes(engine);
  });
}
