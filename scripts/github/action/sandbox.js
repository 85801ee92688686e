/**
 * The measuring step runs in two processes: a contained one measures, this one outlives all that is measured,
 * then writes what later steps and the log read. Measured code can make the contained one say anything.
 * @import { Readable } from 'node:stream'
 * @import { Step } from '../contract/outputs.js'
 * @import { Supervision } from '../../system/process/supervisor.js'
 */

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { UserError } from '../../model/errors.js';
import { readStart } from '../../system/bounded-file.js';
import { listContained } from '../../system/process/proc.js';
import { startProcessGroup } from '../../system/process/process-group.js';
import { copyResults } from './copies.js';
import { readRunnerFiles, restoreRunnerFiles, RUNNER_FILES } from './runner-files.js';
import { print, report, warning } from '../step-log.js';

/** Variables that the contained process does not need and measured code could read from its environment. */
const TOKENS = /^(ACTIONS_.*|INPUT_.*|GITHUB_TOKEN)$/;

/** What a runner that lacks one of these allows. @type {Record<string, string>} */
const LACKS = {
  perl: 'this runner has no Perl, so daemons of measured code may outlive this step and read the token of a later one',
  landlock:
    'the kernel of this runner has no Landlock 2, so measured code can read the environment of other processes and end this step, which leaves later steps the variables that it wrote',
  signals:
    'the kernel of this runner is older than 6.12, so measured code can end this step, which leaves later steps the variables that it wrote, and connect to abstract sockets of other processes',
  no_new_privs: 'measured code can use sudo on this runner',
};

/** What a job allows in which measured code has the ids of the process that contains it. */
const ENDS =
  'and end this step, or outlive it, by setting limits, which leaves later steps the variables that it wrote';
const ROOT = `this job runs as root, so measured code can connect to the sockets of any program, Docker included, ${ENDS}`;
const NO_SUDO = `this runner has no sudo without a password, so measured code may connect to Docker with the groups of its user, ${ENDS}`;

/**
 * A .NET program loads a library for whoever has its user; one is the runner's worker, with the job's
 * secrets. They lie in its TMPDIR: https://learn.microsoft.com/dotnet/core/diagnostics/diagnostic-port
 */
const DIAGNOSTICS = /^(dotnet-diagnostic|clr-debug-pipe)-/;
const SOCKETS = '/proc/net/unix';

/** Time to end when cancelled. A runner ends the step after 10 s, and nothing would restore its files. */
const PATIENCE_MS = 6000;

/** Of a text line and of a result. */
const LONGEST = 2 ** 20;

/** Throws where the contained process was killed, or code changed the runner's files. @type {Step<'run'>} */
export async function runContained({ env, signal }) {
  // By default, this signal opens a debugger, for anybody.
  process.on('SIGUSR1', () => {});
  removeDiagnostics();
  const before = readRunnerFiles(env);
  const others = listContained();
  const folder = mkdtempSync(join(env.RUNNER_TEMP || tmpdir(), 'perf-result-'));
  const file = join(folder, 'result.json');
  const kept = Object.entries(env).filter(([name]) => !RUNNER_FILES.includes(name) && !TOKENS.test(name));
  const isOpen = env.PERF_SOCKETS === 'true';
  const isRoot = process.getuid?.() === 0;
  const apart = isRoot ? undefined : asAnotherGroup(isOpen);
  if (!apart) warning(isRoot ? ROOT : NO_SUDO);
  const group = await startProcessGroup([process.execPath, process.argv[1] ?? '', 'run', file], {
    env: Object.fromEntries(kept),
    contained: isOpen ? 'open' : 'closed',
    apart,
  });
  for (const lack of group.loose) {
    const [word = '', ...paths] = lack.split(' ');
    if (word !== 'sockets') warning(LACKS[word] ?? word);
    if (paths.length > 0)
      print(`measured code can connect to these sockets of other programs: ${paths.join(', ')}\n`);
  }
  const { stdout, stderr } = group.child;
  const isSupervised = !group.loose.includes('perl');
  const rests = (isSupervised ? [stderr] : [stdout, stderr]).map(show);
  const cancel = () => {
    group.signal('SIGINT');
    setTimeout(() => void group.kill(), PATIENCE_MS).unref();
  };
  signal.addEventListener('abort', cancel);
  if (signal.aborted) cancel();
  const ended = await group.exited;
  signal.removeEventListener('abort', cancel);
  for (const rest of rests) rest();
  const { changed, lost } = restoreRunnerFiles(before);
  const wrongs = [];
  if (lost.length > 0)
    wrongs.push(
      `the runner's ${lost.join(', ')} could not be restored, so that later steps of this job run what measured code wrote there: cancel the job`,
    );
  if (isSupervised && !group.isEmpty())
    wrongs.push(
      `measured code still runs (${listContained()
        .filter((each) => !others.includes(each))
        .join(', ')}) and can write to what later steps of this job read: cancel the job`,
    );
  const restored = group.isEmpty()
    ? 'The change was undone'
    : 'The files were restored, though measured code may write to them again';
  if (changed.length > 0)
    wrongs.push(
      `measured code wrote to the runner's ${changed.join(', ')}, which control later steps. ${lost.length > 0 ? 'Not all of it was undone' : restored}, and no results are published.`,
    );
  if (wrongs.length > 0) throw new UserError(wrongs.join('\n'));
  const { outputs, lines } = readResult(file);
  rmSync(folder, { recursive: true, force: true });
  if (ended.code === 0 && outputs) return { ...checked(outputs), ...copiesOf(env) };
  report(lines ?? []);
  if (ended.code !== null && ended.code !== 0) process.exit(ended.code);
  throw new UserError(`the measurement ended by ${ended.signal ?? 'itself, without a result'}`);
}

/** Removes diagnostic sockets and pipes of this user's .NET programs. Only developers' tools use them. */
export function removeDiagnostics() {
  const sockets = existsSync(SOCKETS) ? readFileSync(SOCKETS, 'utf8').match(/(?<= )\/.*$/gm) : [];
  const folders = (sockets ?? []).filter((path) => path.includes('/dotnet-diagnostic-')).map(dirname);
  for (const folder of new Set(['/tmp', ...folders]))
    for (const name of existsSync(folder) ? readdirSync(folder) : [])
      if (DIAGNOSTICS.test(name))
        try {
          rmSync(join(folder, name));
        } catch {
          // Another user's, who alone may connect to it.
        }
}

/**
 * As this user in another group, so that no limit of this process can be set; undefined without sudo. On
 * hosted runners, a group is Docker's, with which any program becomes root: the first on Ubuntu 22.04.
 * @type {(keepsGroups: boolean) => Supervision['apart']}
 */
export function asAnotherGroup(keepsGroups) {
  const [own = 0, uid = 0] = [process.getgid?.(), process.getuid?.()];
  const other = own === 65_534 ? 65_533 : 65_534;
  const kept = keepsGroups ? [own, ...(process.getgroups?.() ?? [])] : [];
  const [sudo, ...args] = ['/usr/bin/sudo', '-n', '--'];
  const isAllowed = spawnSync(sudo, [...args, '/bin/true']).status === 0;
  return isAllowed ? { by: [sudo, ...args], ids: [uid, other, ...kept] } : undefined;
}

/** The paths of copies. @param {NodeJS.ProcessEnv} env PERF_OUT and PERF_SHARD as planned */
function copiesOf({ PERF_OUT = '', PERF_SHARD, RUNNER_TEMP }) {
  const to = join(
    RUNNER_TEMP || mkdtempSync(join(tmpdir(), 'perf-action-')),
    'perf-action-results',
    PERF_SHARD || '1',
  );
  const { copied, refused } = copyResults(PERF_OUT, to);
  if (refused.length > 0)
    warning(
      `measured code replaced ${refused.join(', ')} in the results: no regular file of its own, so left out`,
    );
  return {
    'results-path': to,
    'report-path': copied.includes('report.md') ? join(to, 'report.md') : undefined,
  };
}

/** Prints its text by lines; the result prints the rest. @type {(stream: Readable | null) => () => void} */
function show(stream) {
  let rest = '';
  stream?.setEncoding('utf8').on('data', (chunk) => {
    const text = rest + chunk;
    const end = text.lastIndexOf('\n') + 1;
    rest = text.slice(end);
    print(text.slice(0, end));
    if (rest.length > LONGEST) flush();
  });
  const flush = () => {
    // What follows in this line must not become a command together with it.
    if (rest !== '') print(`${rest}\n`);
    rest = '';
  };
  return () => {
    stream?.destroy();
    flush();
  };
}

/** @type {(file: string) => { outputs?: Record<string, unknown>, lines?: string[] }} */
function readResult(file) {
  try {
    const { outputs, lines } = JSON.parse(String(readStart(file, LONGEST)));
    return { outputs, lines: [lines ?? []].flat().map(String) };
  } catch {
    return {};
  }
}

/** What later steps may get, besides paths. @param {Record<string, unknown>} outputs */
function checked(outputs) {
  const shaped = (/** @type {string} */ name, /** @type {RegExp} */ shape) => {
    const value = outputs[name];
    return typeof value === 'string' && shape.test(value) ? value : undefined;
  };
  return {
    code: shaped('code', /^[0-3]$/),
    verdict: shaped('verdict', /^[a-z]+$/),
    commit: shaped('commit', /^[\da-f]{40}$/),
    cases: shaped('cases', /^\[.*\]$/),
  };
}
