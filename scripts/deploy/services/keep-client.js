/** A service's own client that stays open: a crowded machine takes tenths of a second to start one. */

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { MeasureError } from '../../model/errors.js';
import { allowedEnvironment } from '../../system/process/allowed-environment.js';
import { STEP_MS } from './ready.js';

/**
 * Returns what asks it, one question at a time, for the lines that it prints before an empty one. That
 * rejects once the client has ended, as with the signal, with a MeasureError: service-failed, cancelled.
 * @type {(program: string, args: string[], options: { signal: AbortSignal }) =>
 *   (question: string) => Promise<string[]>}
 */
export function keepClient(program, args, { signal }) {
  const env = allowedEnvironment(process.env);
  const client = spawn(program, args, { env, signal, killSignal: 'SIGKILL' });
  const lines = createInterface({ input: client.stdout })[Symbol.asyncIterator]();
  const closed = new Promise((resolve) => client.once('close', resolve));
  let complaint = '';
  client.on('error', ({ message }) => (complaint += message));
  client.stderr.on('data', (text) => (complaint += text));
  // Its answer, which does not come, says why.
  client.stdin.on('error', () => {});
  const answerTo = async (/** @type {string} */ question) => {
    const late = setTimeout(() => client.kill('SIGKILL'), STEP_MS);
    const answer = [];
    try {
      client.stdin.write(`${question}\n`);
      for (let line = await lines.next(); line.value !== ''; line = await lines.next()) {
        if (line.done) {
          await closed;
          const kind = signal.aborted ? 'cancelled' : 'service-failed';
          throw new MeasureError(kind, `${program} ended: ${complaint}`);
        }
        answer.push(line.value);
      }
      return answer;
    } finally {
      clearTimeout(late);
    }
  };
  /** @type {Promise<string[]>} */
  let last = Promise.resolve([]);
  return (question) => (last = last.then(() => answerTo(question)));
}
