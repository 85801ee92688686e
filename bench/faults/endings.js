/** All ways in which a run can end, with daemons that have separate sessions and environments. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isRunning } from '../../test/running.js';
import {
  filesLeft,
  GOOD,
  leftBy,
  processesOf,
  QUICK,
  readRunFile,
  runCli,
  startCli,
  TELLS_LOAD,
  underLoad,
  UNFINISHED,
  until,
  writePlan,
  writeServer,
} from '../provoke.js';

const ACTION = fileURLToPath(new URL('../../scripts/github/action.js', import.meta.url));
const CLI = fileURLToPath(new URL('../../scripts/cli.js', import.meta.url));
const LONG = [...QUICK, '--duration=2s', '--rounds=30'];

/**
 * Starts a daemon with no environment in a separate session; its arguments name the scratch folder that it
 * belongs to.
 */
const daemonIn = (/** @type {string} */ scratch) =>
  `require('node:child_process').spawn('setsid', ['env', '-i', process.execPath, '-e', 'setInterval(() => {}, 1e3)', ${JSON.stringify(scratch)}], { stdio: 'ignore' });\n`;

/** It answers the questions before the load, and nothing after. */
const HANGS = `let asked = 0;
require('node:http')
  .createServer((_, response) => {
    if (++asked < 3) response.end('hello');
    else require('node:fs').writeFileSync('hanging', '');
  })
  .listen(process.env.PORT, process.env.HOST);
`;

/** @param {string} scratch */
function writeHaunted(scratch, needs = 'redis') {
  const code = `${TELLS_LOAD}${daemonIn(scratch)}${GOOD}`;
  return `--servers=${writeServer(scratch, 'haunted', { code, manifest: `needs: [${needs}]\n` })}`;
}

/** A terminal that runs a command until its own process is killed: nobody is left to hold it open. */
const TERMINAL = 'import pty, sys; pty.spawn(sys.argv[1:])';

/**
 * @param {string} scratch
 * @returns {ReturnType<typeof readRunFile>} of a run that was killed, or has ended
 */
function readLast(scratch) {
  const file = [UNFINISHED, 'perf-results/run.json'].find((name) => existsSync(join(scratch, name)));
  return readRunFile(join(scratch, file ?? ''));
}

/** @param {string} scratch where a haunted server has been measured once, and is loaded again */
async function secondStart(scratch) {
  await until(() => existsSync(join(scratch, UNFINISHED)), 'the first start');
  await underLoad(join(scratch, 'haunted'));
}

/**
 * @param {string} scratch
 * @param {() => string} describe
 */
async function settled(scratch, describe) {
  await leftBy(scratch);
  const files = filesLeft(scratch);
  const trials = readLast(scratch).cases[0]?.trials.length ?? 0;
  return {
    happened: `${describe()}; ${trials} starts kept; scratch folders left: ${files.length}`,
    lost: Number(trials === 0),
    holds: files.length === 0,
  };
}

/** @type {import('../faults.js').Row[]} */
export const rows = [
  ...['redis', 'postgres'].map((service) => ({
    fault: `SIGKILL of the engine under load, with ${service} and a daemon`,
    promised: 'nothing is left, not even a scratch folder; what was measured is kept',
    ...(service === 'postgres' && { slow: /** @type {const} */ (true) }),
    async run(/** @type {string} */ scratch) {
      // PostgreSQL runs as another user than root, and so does who removes its files.
      chmodSync(scratch, 0o755);
      chmodSync(join(scratch, 'tmp'), 0o1777);
      const cli = startCli(['run', writeHaunted(scratch, service), ...LONG], { scratch });
      await secondStart(scratch);
      cli.kill('SIGKILL');
      const { signal } = await cli.ended;
      await until(() => processesOf(scratch).length === 0, 'the end of all processes');
      await until(() => filesLeft(scratch).length === 0, 'the removal of scratch folders');
      const result = await settled(scratch, () => `ended by ${signal}`);
      return { ...result, holds: result.holds && signal === 'SIGKILL' };
    },
  })),
  {
    fault: 'the terminal is closed under load, with Redis and a daemon',
    promised: 'the run is cancelled and leaves nothing; what was measured is kept',
    slow: true,
    async run(scratch) {
      const args = [CLI, 'run', writeHaunted(scratch), ...LONG];
      const env = { ...process.env, TMPDIR: join(scratch, 'tmp'), XDG_CACHE_HOME: join(scratch, 'cache') };
      const terminal = spawn('python3', ['-c', TERMINAL, process.execPath, ...args], {
        cwd: scratch,
        env,
        stdio: 'ignore',
      });
      await secondStart(scratch);
      terminal.kill('SIGKILL');
      await until(() => processesOf(scratch).length === 0, 'the end of all processes', 30);
      const { cases, unfinished } = readLast(scratch);
      const result = await settled(scratch, () => (unfinished ? 'unfinished' : 'concluded'));
      return { ...result, holds: result.holds && cases.length === 1 };
    },
  },
  {
    fault: 'a reader that stops reading (`2>&1 | head -1`)',
    promised: 'the run is cancelled and leaves nothing',
    async run(scratch) {
      const args = [CLI, 'run', writeHaunted(scratch), ...LONG].map((word) => `'${word}'`).join(' ');
      const env = { ...process.env, TMPDIR: join(scratch, 'tmp'), XDG_CACHE_HOME: join(scratch, 'cache') };
      const line = `{ '${process.execPath}' ${args}; echo $? > code; } 2>&1 | head -1`;
      spawn('sh', ['-c', line], { cwd: scratch, env, stdio: 'ignore' });
      await until(() => existsSync(join(scratch, 'code')), 'the end of the run', 120);
      await leftBy(scratch);
      const files = filesLeft(scratch).length;
      return {
        happened: `ended; scratch folders left: ${files}`,
        holds: files === 0,
      };
    },
  },
  {
    fault: "SIGHUP of the action's measuring step under load, with Redis and a daemon",
    promised: 'nothing is left, what was measured is kept and handed to the later steps',
    async run(scratch) {
      const [, servers = ''] = writeHaunted(scratch).split('=');
      const load = {
        connections: '4',
        rate: '100',
        duration: '2s',
        warmup: '0',
        rounds: '30',
        reference: 'off',
      };
      const output = join(scratch, 'output');
      writeFileSync(output, '');
      const env = {
        ...process.env,
        TMPDIR: join(scratch, 'tmp'),
        XDG_CACHE_HOME: join(scratch, 'cache'),
        GITHUB_OUTPUT: output,
        // The step leaves the copies of the results here, for later steps.
        RUNNER_TEMP: scratch,
        PERF_PLAN: writePlan({ servers, ...load }, scratch),
        PERF_OUT: join(scratch, 'perf-results'),
      };
      const step = spawn(process.execPath, [ACTION, 'run'], { cwd: scratch, env, stdio: 'ignore' });
      const exited = once(step, 'exit');
      await secondStart(scratch);
      step.kill('SIGHUP');
      const [code] = await exited;
      const ended = /^code<<(\S+)\n(\d+)\n\1$/m.exec(readFileSync(output, 'utf8'))?.[2];
      const result = await settled(scratch, () => `the step ended with ${code}, the run with ${ended}`);
      return { ...result, holds: result.holds && code === 0 && ended === '3' };
    },
  },
  ...['SIGHUP', 'SIGTERM'].map((signal) => ({
    fault: `${signal} under load, with Redis and a daemon`,
    promised: 'exit 3; nothing is left, what was measured is kept',
    slow: /** @type {const} */ (true),
    async run(/** @type {string} */ scratch) {
      const cli = startCli(['run', writeHaunted(scratch), ...LONG], { scratch });
      await secondStart(scratch);
      cli.kill(/** @type {NodeJS.Signals} */ (signal));
      const { code } = await cli.ended;
      const result = await settled(scratch, () => `exit ${code}`);
      return { ...result, holds: result.holds && code === 3 };
    },
  })),
  {
    fault: 'two SIGINTs while a route hangs and the server ignores SIGTERM',
    promised: 'the second ends the run at once, and nothing is left',
    async run(scratch) {
      const code = `process.on('SIGTERM', () => {});\n${daemonIn(scratch)}${HANGS}`;
      const server = writeServer(scratch, 'hangs', { code });
      const cli = startCli(['run', `--servers=${server}`, ...LONG], { scratch });
      await until(() => existsSync(join(scratch, 'hangs/hanging')), 'the load');
      cli.kill('SIGINT');
      cli.kill('SIGINT');
      await new Promise((resolve) => setTimeout(resolve, 100));
      cli.kill('SIGINT');
      const { code: ended } = await cli.ended;
      await until(() => processesOf(scratch).length === 0, 'the end of all processes');
      return { happened: `exit ${ended}`, holds: ended === 130 };
    },
  },
  {
    fault: 'an install that leaves a daemon',
    promised: 'the daemon is ended before anything is measured, and the report names it',
    async run(scratch) {
      mkdirSync(join(scratch, 'daemons'));
      const manifest = `install: ['setsid', '--fork', 'env', '-i', '/bin/sleep', '600']\n`;
      const server = writeServer(scratch, 'leaves', { code: GOOD, manifest });
      const { code } = await runCli(['run', `--servers=${server}`, ...QUICK], { scratch });
      const run = readRunFile(join(scratch, 'perf-results/run.json'));
      const warning = run.warnings?.find(({ code }) => code === 'left-behind');
      const left = (await leftBy(scratch)).filter(isRunning);
      return {
        happened: `exit ${code}; named: ${JSON.stringify(/** @type {any} */ (warning)?.programs)}`,
        left: left.length,
        lost: Number(code !== 0),
        holds: warning !== undefined,
      };
    },
  },
];
