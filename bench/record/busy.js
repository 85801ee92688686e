/** Another program on the machine: takes about a third of its cores, in bursts, until it is stopped. */

import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** The part of a hundred milliseconds in which it works; then it sleeps. */
const WORKING_MS = Math.round((100 * availableParallelism()) / 3);
/** It ends by then, even if the bench was killed. */
const LONGEST_MS = 4 * 60 * 60 * 1000;

const PROGRAM = `
  const end = Date.now() + ${LONGEST_MS};
  let value = 1;
  const burst = () => {
    const until = Date.now() + Math.min(95, ${WORKING_MS});
    while (Date.now() < until) for (let i = 0; i < 1e4; i++) value = (Math.imul(value, 1664525) + 1013904223) | 0;
    if (Date.now() < end && process.ppid === ${process.pid}) setTimeout(burst, 100 - Math.min(95, ${WORKING_MS}));
  };
  burst();
`;

/** @returns {{ stop: () => void }} */
export function startBusy() {
  const child = spawn(process.execPath, ['-e', PROGRAM], { stdio: 'ignore' });
  return { stop: () => void child.kill('SIGKILL') };
}
