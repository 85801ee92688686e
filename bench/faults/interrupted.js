/** Runs that are killed in the middle, and two at once. */

import { existsSync } from 'node:fs';
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

/** Its starts, each by server and round. @type {(file: string) => string[]} */
function startsIn(file) {
  return readRunFile(file).cases.flatMap(({ server, trials }) =>
    trials.map(({ round }) => `${server}${round}`),
  );
}

/** @type {import('../faults.js').Row[]} */
export const rows = [
  {
    fault: 'a run of three cases is killed (SIGKILL)',
    promised:
      'its report and its comparison have every start that was over, and say that it has not finished',
    async run(scratch) {
      const file = join(scratch, UNFINISHED);
      const args = ['run', writeThree(scratch), ...QUICK, `--rounds=${ROUNDS}`];
      const run = startCli(args, { scratch });
      await until(() => existsSync(file) && startsIn(file).length >= 4, 'four starts');
      run.kill('SIGKILL');
      await run.ended;
      // Whether a killed engine leaves its servers is another row's business.
      await killLeft(scratch);
      const { unfinished } = readRunFile(file);
      const starts = startsIn(file);
      const report = await runCli(['report', UNFINISHED], { scratch });
      const judged = await runCli(['compare', `--base=${UNFINISHED}`, `--head=${UNFINISHED}`], { scratch });
      const outputs = [report.stdout, judged.stdout];
      return {
        happened: `killed after ${starts.length} of ${unfinished?.planned} starts; report: exit ${report.code}, compare: exit ${judged.code}`,
        lost: new Set(starts).size === starts.length ? 0 : 1,
        holds:
          report.code === 0 &&
          unfinished?.planned === SERVERS.length * ROUNDS &&
          outputs.every(
            (text) => text.includes('has not finished') && SERVERS.every((name) => text.includes(name)),
          ),
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
