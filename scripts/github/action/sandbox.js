/**
 * The measuring step runs in two processes: a contained one measures, and this one outlives everything measured before it
 * writes what later steps read.
 */

import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UserError } from '../../model/errors.js';
import { startProcessGroup } from '../../system/process/process-group.js';
import { copyResults } from './copies.js';
import { readRunnerFiles, restoreRunnerFiles, RUNNER_FILES } from './runner-files.js';
import { error, warning } from '../log.js';

/** Variables that the contained process does not need and measured code could read from its environment. */
const TOKENS = /^(ACTIONS_.*|INPUT_.*|GITHUB_TOKEN)$/;

/** What a runner that lacks one of these allows. @type {Record<string, string>} */
const LACKS = {
  perl: 'this runner has no Perl, so daemons of measured code may outlive this step and read the token of a later one',
  landlock:
    'the kernel of this runner has no Landlock 2, so measured code can read the environment of other processes',
  signals:
    'the kernel of this runner is older than 6.12, so measured code can end this step, which fails it, and connect to abstract sockets of other processes',
  no_new_privs: 'measured code can use sudo on this runner',
};

/**
 * @param {import('./steps.js').Context} context
 * @returns {Promise<import('./steps.js').Outputs>} the outputs of the contained process
 * @throws {UserError} where it was killed, or measured code changed one of the runner's files
 */
export async function runContained({ env, signal }) {
  const before = readRunnerFiles(env);
  const kept = Object.entries(env).filter(([name]) => !RUNNER_FILES.includes(name) && !TOKENS.test(name));
  const group = await startProcessGroup([process.execPath, process.argv[1] ?? '', 'run'], {
    env: Object.fromEntries(kept),
    contained: true,
    inherit: true,
    ipc: true,
  });
  if (group.loose !== undefined) warning(LACKS[group.loose] ?? group.loose);
  /** @type {import('./steps.js').Outputs | undefined} */
  let outputs;
  group.child.once('message', (message) => (outputs = /** @type {any} */ (message)));
  // The supervisor passes the signal on.
  const cancel = () => void group.child.kill('SIGINT');
  signal.addEventListener('abort', cancel);
  if (signal.aborted) cancel();
  const [ended] = await Promise.all([group.exited, once(group.child, 'disconnect')]);
  signal.removeEventListener('abort', cancel);
  const { changed, lost } = restoreRunnerFiles(before);
  if (lost.length > 0)
    error(
      `the runner's ${lost.join(', ')} could not be restored, so that later steps of this job run what measured code wrote there: cancel the job`,
    );
  if (changed.length > 0)
    throw new UserError(
      `measured code wrote to the runner's ${changed.join(', ')}, which control later steps. ${lost.length > 0 ? 'Not all of it' : 'The change'} was undone, and no results are published.`,
    );
  if (ended.code === 0 && outputs) return { ...outputs, ...copiesOf(env) };
  // The contained process has already reported why.
  if (ended.code !== null && ended.code !== 0) process.exit(ended.code);
  throw new UserError(`the measurement ended by ${ended.signal ?? 'itself, without a result'}`);
}

/** @param {NodeJS.ProcessEnv} env PERF_OUT and PERF_SHARD as planned @returns {import('./steps.js').Outputs} paths of copies */
function copiesOf({ PERF_OUT = '', PERF_SHARD, RUNNER_TEMP }) {
  const to = join(
    RUNNER_TEMP || mkdtempSync(join(tmpdir(), 'perf-action-')),
    'perf-results',
    PERF_SHARD || '1',
  );
  const { copied, refused } = copyResults(PERF_OUT, to);
  if (refused.length > 0)
    warning(
      `measured code replaced ${refused.join(', ')} in the results: no regular file of its own, so left out`,
    );
  return {
    'results-path': to,
    ...(copied.includes('report.md') && { 'report-path': join(to, 'report.md') }),
    ...(copied.includes('badge.json') && { 'badge-path': join(to, 'badge.json') }),
  };
}
