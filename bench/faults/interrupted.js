/** Runs that are killed in the middle, and two at once. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  GOOD,
  killLeft,
  QUICK,
  readRunFile,
  runCli,
  startCli,
  failuresOf,
  UNFINISHED,
  until,
  writeServer,
} from '../provoke.js';

const ROUNDS = 3;
const SERVERS = ['a', 'b', 'c'];

/** @param {string} scratch */
function writeThree(scratch) {
  return `--servers=${SERVERS.map((name) => writeServer(scratch, name, { code: GOOD })).join(',')}`;
}

/** @param {string} file @returns {string[]} its starts, each by server and round */
function startsIn(file) {
  return readRunFile(file).cases.flatMap(({ server, trials }) =>
    trials.map(({ round }) => `${server}${round}`),
  );
}

/** @type {import('../faults.js').Row[]} */
export const rows = [
  {
    fault: 'a run of three cases is killed (SIGKILL) and resumed',
    promised: 'every planned start is there once, those from before unchanged',
    async run(scratch) {
      const file = join(scratch, UNFINISHED);
      const args = ['run', writeThree(scratch), ...QUICK, `--rounds=${ROUNDS}`, '--seed=5'];
      const run = startCli(args, { scratch });
      await until(() => existsSync(file) && startsIn(file).length >= 4, 'four starts');
      run.kill('SIGKILL');
      await run.ended;
      // Whether a killed engine leaves its servers is another row's business.
      await killLeft(scratch);
      const before = readRunFile(file);
      const report = await runCli(['report', UNFINISHED], { scratch });
      const judged = await runCli(['compare', `--base=${UNFINISHED}`, `--head=${UNFINISHED}`], { scratch });
      const { code, printed } = await runCli(['run', '--resume=perf-results'], { scratch });
      const ended = join(scratch, 'perf-results/run.json');
      const after = readRunFile(ended);
      const again = await runCli(['run', '--resume=perf-results'], { scratch });
      const starts = startsIn(ended).toSorted();
      const planned = SERVERS.flatMap((name) => [0, 1, 2].map((round) => `${name}${round}`));
      const missing = before.cases.flatMap(({ id, trials }) => {
        const now =
          after.cases.find((resumed) => resumed.id === id)?.trials.map((trial) => JSON.stringify(trial)) ??
          [];
        return trials.filter((trial) => !now.includes(JSON.stringify(trial)));
      });
      return {
        happened: `killed after ${before.cases.flatMap(({ trials }) => trials).length} starts, resumed with exit ${code}: ${starts.join(' ')} ${code === 0 ? '' : printed}; then: ${again.printed.trim()}`,
        lost: missing.length,
        holds:
          code === 0 &&
          starts.join() === planned.join() &&
          before.unfinished?.planned === planned.length &&
          report.stdout.includes('has not finished') &&
          judged.stdout.includes('has not finished') &&
          after.unfinished === undefined &&
          after.session === before.session &&
          again.code === 2,
      };
    },
  },
  {
    fault: 'a run is killed, and its perf.yml changes before it is resumed',
    promised: 'one line says why not, exit 2, and the file stays as it is',
    slow: true,
    async run(scratch) {
      const file = join(scratch, UNFINISHED);
      const run = startCli(['run', writeThree(scratch), ...QUICK, `--rounds=${ROUNDS}`], { scratch });
      await until(() => existsSync(file), 'a start');
      run.kill('SIGKILL');
      await run.ended;
      await killLeft(scratch);
      const before = readFileSync(file, 'utf8');
      const manifest = join(scratch, 'a/server.yml');
      writeFileSync(manifest, `${readFileSync(manifest, 'utf8')}ready: { timeout: 7s }\n`);
      const { code, printed } = await runCli(['run', '--resume=perf-results'], { scratch });
      return {
        happened: `exit ${code}: ${printed.trim()}`,
        lost: readFileSync(file, 'utf8') === before ? 0 : 1,
        holds: code === 2 && printed.trim().split('\n').length === 1,
      };
    },
  },
  {
    fault: 'two runs write to one folder',
    promised: 'the second says whom it waits for, and begins when the first has ended',
    async run(scratch) {
      const server = `--servers=${writeServer(scratch, 'good', { code: GOOD })}`;
      const [first, second] = ['one', 'two'].map((title) =>
        startCli(['run', server, ...QUICK, `--title=${title}`, '--duration=2s'], { scratch }),
      );
      const ended = await Promise.all([first?.ended, second?.ended]);
      const waited = ended.filter((each) => /waiting for process \d+/.test(each?.printed ?? ''));
      const codes = ended.map((each) => each?.code);
      const { cases } = readRunFile(join(scratch, 'perf-results/run.json'));
      return {
        happened: `exits ${codes.join(' and ')}; ${waited.map((each) => each?.printed.split('\n')[0]).join()}${failuresOf(cases)}`,
        lost: cases[0]?.trials[0]?.windows.length === 1 ? 0 : 1,
        holds:
          codes.every((code) => code === 0) &&
          waited.length === 1 &&
          !existsSync(join(scratch, 'perf-results/run.lock')),
      };
    },
  },
];
