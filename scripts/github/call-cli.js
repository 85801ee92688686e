/** Calls the command line the way a step does: its log streams, its complaints become the step's annotations. */

import { main } from '../cli.js';
import { UserError } from '../errors.js';

/** How the command line begins a line about wrong usage. */
const COMPLAINT = 'perf-action: ';

/**
 * @param {string[]} argv
 * @param {{ env: NodeJS.ProcessEnv, cwd: string, signal: AbortSignal, told?: import('../cli.js').Io['told'] }} context
 * @returns {Promise<number>} 0, 1 or 3
 * @throws {UserError} instead of a 2
 */
export async function callCli(argv, { env, cwd, signal, told = {} }) {
  /** @type {string[]} */
  const complaints = [];
  // A job's log keeps every line, even where its runner poses as a terminal.
  const stderr = Object.create(process.stderr, {
    isTTY: { value: false },
    write: {
      value: (/** @type {string} */ text) => {
        if (!text.startsWith(COMPLAINT)) return process.stderr.write(text);
        complaints.push(text.slice(COMPLAINT.length).trimEnd());
        return true;
      },
    },
  });
  const code = await main(argv, {
    env,
    cwd,
    signal,
    stdout: process.stdout,
    stderr,
    told,
    ...(env.RUNNER_ENVIRONMENT && { runner: env.RUNNER_ENVIRONMENT }),
  });
  if (code === 2) throw new UserError(complaints.join('\n'));
  return code;
}
