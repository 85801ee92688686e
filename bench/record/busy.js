/** Other programs on the machine, until they are stopped. */

import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * @typedef {import('../bursts.js').Bursts & { cores: number, within?: number }} Neighbours within: seconds in
 *   which they start, at any time
 */

const PROGRAM = fileURLToPath(new URL('busy-program.js', import.meta.url));

/** All cores are in the same bursts. @type {(neighbours: Neighbours) => { stop: () => void }} */
export function startBusy({ cores, within = 0, ...bursts }) {
  const begin = Date.now() + 1000 * within * Math.random();
  const how = { ...bursts, begin, seed: Math.floor(2 ** 32 * Math.random()), parent: process.pid };
  const programs = Array.from({ length: cores }, () =>
    spawn(process.execPath, [PROGRAM, JSON.stringify(how)], { stdio: 'ignore' }),
  );
  return { stop: () => programs.forEach((program) => void program.kill('SIGKILL')) };
}
