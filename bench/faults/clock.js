/**
 * The system clock is set while a load tool is at work: libfaketime stands in front of the tool, and of the
 * engine.
 */

import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findProgram } from '../../scripts/system/process/find-program.js';
import { readRun } from '../../scripts/store/run-file.js';
import { GOOD, loadsOf, BUSY, startCli, writeServer } from '../provoke.js';

/** Where Debian's package `faketime` keeps it, on every architecture. */
const LIBRARIES = readdirSync('/usr/lib')
  .map((name) => `/usr/lib/${name}/faketime/libfaketime.so.1`)
  .filter(existsSync);

const HOUR = 3600;

/** @type {import('../faults.js').Row[]} */
export const rows = [
  { tool: 'wrk', by: HOUR, often: false },
  { tool: 'wrk', by: -HOUR, often: false },
  { tool: 'ab', by: HOUR, often: false },
  { tool: 'wrk', by: HOUR, often: true },
].map(({ tool, by, often }) => ({
  fault: `the clock goes an hour ${by > 0 ? 'forward' : 'back'} under ${tool}${often ? ', in every window' : ''}`,
  promised: often
    ? 'the trial fails with a reason, exit 3'
    : 'the window is measured again, and the run file is valid',
  slow: /** @type {const} */ (true),
  run: (scratch) => withSteps(scratch, { tool, by, often }),
}));

/**
 * @param {string} scratch
 * @param {{ tool: string, by: number, often: boolean }} steps by: seconds
 */
async function withSteps(scratch, { tool, by, often }) {
  const [library] = LIBRARIES;
  if (library === undefined) throw new Error('libfaketime is not installed: apt-get install faketime');
  const clock = join(scratch, 'clock');
  let offset = 0;
  // The file is read at any moment, so it is never there in part.
  const set = () => {
    writeFileSync(`${clock}.new`, `${offset < 0 ? '' : '+'}${offset}s\n`);
    renameSync(`${clock}.new`, clock);
  };
  set();
  const faked = {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: clock,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  };
  const words = Object.entries(faked).map(([name, value]) => `${name}=${value}`);
  const bin = join(scratch, 'bin');
  mkdirSync(bin);
  const program = findProgram(tool, { env: process.env, folders: [] });
  writeFileSync(join(bin, tool), `#!/bin/sh\nexec env ${words.join(' ')} ${program} "$@"\n`);
  chmodSync(join(bin, tool), 0o755);

  const server = writeServer(scratch, 'good', { code: GOOD });
  const run = startCli(['run', `--servers=${server}`, ...BUSY, `--tool=${tool}`, '--duration=2s'], {
    scratch,
    env: { ...faked, PATH: [bin, process.env.PATH].join(delimiter) },
  });
  let ended = false;
  void run.ended.then(() => (ended = true));
  /** @type {Set<number>} */
  const seen = new Set();
  while (!ended && (often || seen.size === 0)) {
    const load = loadsOf(scratch, tool).find((pid) => !seen.has(pid));
    if (load !== undefined) {
      seen.add(load);
      await sleep(500);
      offset += by;
      set();
    }
    await sleep(50);
  }
  const { code } = await run.ended;
  const { startedAt, finishedAt, cases } = await readRun(join(scratch, 'perf-results/run.json'));
  const [trial] = cases[0]?.trials ?? [];
  const seconds = trial?.windows.map((window) => window.seconds) ?? [];
  const rightWindows = trial?.failure === null && seconds.length === 1 && seconds.every((each) => each < 4);
  const outcome = trial?.failure?.message ?? `a window of ${seconds.join(', ')} s`;
  return {
    happened: `exit ${code}; ${outcome}; the run took ${(Date.parse(finishedAt) - Date.parse(startedAt)) / 1000} s by its file`,
    lost: often || rightWindows ? 0 : 1,
    holds:
      finishedAt > startedAt &&
      (often ? code === 3 && trial?.failure?.kind === 'clock-stepped' : code === 0 && rightWindows),
  };
}
