/** @import { Command, FailureKind } from '../../types.js' */

import { MeasureError } from '../../model/errors.js';
import { shellLine } from '../../system/process/shell.js';
import { couldNotStart, missingProgram } from './programs.js';
import { FAILURES } from '../runtimes.js';
import { startGroup } from './logged-process.js';
import { abortIn } from '../../system/deadline.js';

/**
 * Runs one command of an installation, a build or a setup to its end.
 * @param {Command} command
 * @param {{ cwd: string, env: NodeJS.ProcessEnv, kind: FailureKind, signal: AbortSignal, seconds?: number }}
 *   options kind: of the error if it fails; seconds: that it may take; absent: any time
 * @returns {Promise<string[]>} names of processes that it left behind, which were ended
 * @throws {MeasureError} with the command, how it ended and what it printed; or cancelled
 */
export async function runCommand(command, { cwd, env, kind, signal, seconds }) {
  const line = shellLine(command);
  const group = await startGroup(command, { cwd, env }).catch((error) => {
    throw new MeasureError(kind, couldNotStart(command, error));
  });
  const late = seconds === undefined ? [] : [abortIn(1000 * seconds)];
  const over = AbortSignal.any([signal, ...late]);
  const stop = () => void group.stop();
  over.addEventListener('abort', stop);
  if (over.aborted) stop();
  const { code, signal: ended } = await group.exited;
  over.removeEventListener('abort', stop);
  await group.stop();
  if (signal.aborted) throw new MeasureError('cancelled', `cancelled during \`${line}\``);
  if (code === 0) return group.left();
  const printed = [...group.logHead(), ...group.logTail()];
  const failure = FAILURES.find(({ command }) => command.test(line));
  const why = missingProgram(printed) ?? failure?.explain(printed.join('\n'));
  const how = over.aborted ? `did not end within ${seconds} s` : `ended with ${code ?? ended}`;
  const message = `\`${line}\` ${how}${why ? `; ${why}` : ''}`;
  throw Object.assign(new MeasureError(kind, message, group.logTail()), { logHead: group.logHead() });
}
