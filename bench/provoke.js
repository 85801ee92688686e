/**
 * Shared by the rows of faults.js: our command line and the action's steps in a scratch folder, and what they
 * leave there.
 */

import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { versionOf } from '../scripts/load/load.js';
import { findTool, TOOLS } from '../scripts/load/tools.js';
import { listPids, readProcess } from '../scripts/system/process/proc.js';
import { isRunning } from '../test/running.js';

const CLI = fileURLToPath(new URL('../scripts/cli.js', import.meta.url));
const ACTION = fileURLToPath(new URL('../scripts/github/action.js', import.meta.url));
/** A process that is stopped may need this long to end. */
const GONE_MS = 2000;
const POLL_MS = 50;

/** The head's run file until the run ends. */
export const UNFINISHED = 'perf-results/unfinished/run.json';

/**
 * Small runs, of one server each unless a row wants more. BUSY: as fast as the server answers, with any load
 * tool.
 */
export const BUSY = ['--connections=4', '--duration=1s', '--warmup=0', '--rounds=1', '--reference=off'];
export const QUICK = [...BUSY, '--rate=100'];

/** @returns {Promise<string[]>} the installed load tools; k6 and Locust may be missing */
export async function toolsHere() {
  const versions = await Promise.all(TOOLS.map(versionOf));
  return TOOLS.map(({ id }) => id).filter((_, place) => versions[place] !== undefined);
}

/** Those that it can ask for. @type {(tool: string, paths: string[]) => string[]} */
export function askable(tool, paths) {
  return paths.filter((path) => findTool(tool).can.includes('anyPath') || !path.startsWith('//'));
}

/**
 * printed: on standard error.
 * @typedef {{ code: number | null, signal: string | null, stdout: string, printed: string }} Ended
 */

/**
 * @param {string[]} args of `perf-action`
 * @param {{ scratch: string, cwd?: string, env?: NodeJS.ProcessEnv }} where scratch: also has its temporary
 *   files and its cache
 * @returns {{ pid: number, ended: Promise<Ended>, printed: () => string, kill: (signal: NodeJS.Signals) =>
 *   void }}
 */
export function startCli(args, where) {
  return start([CLI, ...args], where);
}

/**
 * A step of the action, as the runner starts it.
 * @param {string} name
 * @param {Parameters<typeof startCli>[1]} where
 */
export function startStep(name, { scratch, env = {}, ...where }) {
  const files = Object.fromEntries(
    ['GITHUB_ENV', 'GITHUB_OUTPUT', 'GITHUB_STEP_SUMMARY'].map((file) => [file, join(scratch, file)]),
  );
  for (const file of Object.values(files)) writeFileSync(file, '');
  return start([ACTION, name], { ...where, scratch, env: { ...files, RUNNER_TEMP: scratch, ...env } });
}

/**
 * @param {string[]} argv of Node
 * @param {Parameters<typeof startCli>[1]} where
 * @returns {ReturnType<typeof startCli>}
 */
function start(argv, { scratch, cwd = scratch, env = {} }) {
  const own = { TMPDIR: join(scratch, 'tmp'), XDG_CACHE_HOME: join(scratch, 'cache') };
  const child = spawn(process.execPath, argv, { cwd, env: { ...process.env, ...own, ...env } });
  const text = { stdout: '', stderr: '' };
  for (const name of /** @type {const} */ (['stdout', 'stderr']))
    child[name].setEncoding('utf8').on('data', (chunk) => (text[name] += chunk));
  return {
    pid: /** @type {number} */ (child.pid),
    ended: new Promise((resolve) =>
      child.once('exit', async (code, signal) => {
        // What it left may hold its output open for ever.
        await Promise.race([new Promise((closed) => child.once('close', closed)), sleep(GONE_MS)]);
        resolve({ code, signal, stdout: text.stdout, printed: text.stderr });
      }),
    ),
    printed: () => text.stderr,
    kill: (signal) => void child.kill(signal),
  };
}

/** @type {(args: string[], where: Parameters<typeof startCli>[1]) => Promise<Ended>} */
export function runCli(args, where) {
  return startCli(args, where).ended;
}

/**
 * A folder with a server.yml.
 * @param {string} scratch
 * @param {string} name of the folder
 * @param {{ code: string, manifest?: string }} server code: of server.js; manifest: lines of server.yml
 *   beyond start and route
 * @returns {string} what `--servers` calls it
 */
export function writeServer(scratch, name, { code, manifest = '' }) {
  mkdirSync(join(scratch, name));
  writeFileSync(join(scratch, name, 'server.js'), code);
  const routes = /^routes:/m.test(manifest) ? '' : 'routes:\n  - path: /\n    expect: { body: hello }\n';
  const start = /^start:/m.test(manifest) ? '' : 'start: [node, server.js]\n';
  writeFileSync(join(scratch, name, 'server.yml'), `${start}${routes}${manifest}`);
  return `./${name}`;
}

/** A server without a fault. */
export const GOOD = `require('node:http')
  .createServer((_, response) => response.end('hello'))
  .listen(process.env.PORT, process.env.HOST);
`;
/** The same, which no load keeps busy. */
export const CALM = GOOD.replace("response.end('hello')", "setTimeout(() => response.end('hello'), 5)");

/** Stands before a server's code and notes in its folder that more requests arrived than checks send. */
export const TELLS_LOAD = `let asked = 0;
require('node:diagnostics_channel').subscribe('http.server.request.start', () => {
  asked += 1;
  if (asked === 100) require('node:fs').writeFileSync('loaded', '');
});
`;

/**
 * Waits until a server with TELLS_LOAD is loaded, in this start or a later one.
 * @param {string} folder the server's
 */
export async function underLoad(folder) {
  const file = join(folder, 'loaded');
  rmSync(file, { force: true });
  await until(() => existsSync(file), 'the load');
}

/**
 * What the step `plan` leaves for the step `run`.
 * @type {(options: Record<string, string>, cwd: string) => string}
 */
export function writePlan(options, cwd) {
  const file = join(cwd, 'plan.json');
  writeFileSync(file, JSON.stringify({ options, cwd }));
  return file;
}

/** @type {(file: string) => import('../scripts/types.js').Run} */
export function readRunFile(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/**
 * The failures of their starts, if any.
 * @type {(cases: import('../scripts/types.js').Run['cases']) => string}
 */
export function failuresOf(cases) {
  return cases
    .flatMap(({ trials }) => trials.map(({ failure }) => failure && `; ${failure.message}`))
    .join('');
}

/**
 * @param {() => boolean | Promise<boolean>} isSo
 * @param {string} what is waited for
 * @param {number} [seconds] at most
 */
export async function until(isSo, what, seconds = 60) {
  const end = performance.now() + seconds * 1000;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`${what} did not happen within ${seconds} s`);
    await sleep(POLL_MS);
  }
}

/**
 * Those that work in the scratch folder, or were started with a word of it, in whatever group, session or
 * environment. Returns what runs, after a moment in which it may end.
 * @type {(scratch: string) => Promise<number[]>}
 */
export async function leftBy(scratch) {
  const end = performance.now() + GONE_MS;
  let left = processesOf(scratch);
  while (left.length > 0 && performance.now() < end) {
    await sleep(POLL_MS);
    left = processesOf(scratch);
  }
  return left;
}

/** @param {string} scratch */
export async function killLeft(scratch) {
  killAll(processesOf(scratch));
  await leftBy(scratch);
}

/** @param {number[]} pids */
export function killAll(pids) {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      // It ended in between.
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ESRCH') throw error;
    }
  }
}

/** The temporary folders and files that are still there. @type {(scratch: string) => string[]} */
export function filesLeft(scratch) {
  return readdirSync(join(scratch, 'tmp'));
}

/**
 * @param {string} scratch
 * @returns {number[]} without this process
 */
export function processesOf(scratch) {
  const isOf = (/** @type {number} */ pid) =>
    [
      () => readlinkSync(`/proc/${pid}/cwd`),
      () => readFileSync(`/proc/${pid}/cmdline`, 'utf8'),
      () => readFileSync(`/proc/${pid}/environ`, 'utf8'),
    ].some((read) => tells(read, scratch));
  return listPids().filter((pid) => pid !== process.pid && isRunning(pid) && isOf(pid));
}

/**
 * @param {() => string} read
 * @param {string} text
 */
function tells(read, text) {
  try {
    return read().includes(text);
  } catch {
    // It ended, or is another user's.
    return false;
  }
}

/** Its program; empty if it has ended. @type {(pid: number) => string} */
export function programOf(pid) {
  return readProcess(pid)?.name ?? '';
}

/**
 * @param {string} scratch
 * @param {string} tool
 * @returns {number[]} that load a server, without one that is only asked for its version
 */
export function loadsOf(scratch, tool) {
  const isLoading = (/** @type {number} */ pid) =>
    programOf(pid) === tool && tells(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8'), 'http://');
  return processesOf(scratch).filter(isLoading);
}

/** Its highest resident memory so far, in bytes; 0 if it has ended. @type {(pid: number) => number} */
export function peakBytes(pid) {
  try {
    return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
