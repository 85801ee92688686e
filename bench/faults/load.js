/** Load tools and servers that end, or print without end, while they are at work. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  killAll,
  loadsOf,
  BUSY,
  readRunFile,
  runCli,
  startCli,
  failuresOf,
  until,
  writeServer,
  CALM,
  GOOD,
} from '../provoke.js';

/** @type {import('../faults.js').Row[]} */
export const rows = [
  {
    fault: 'the load tool is killed under load',
    promised: 'that trial fails and says so, the other one is measured, exit 3',
    async run(scratch) {
      const server = writeServer(scratch, 'good', { code: CALM });
      const run = startCli(
        ['run', `--servers=${server}`, ...BUSY, '--tool=wrk', '--duration=3s', '--rounds=2'],
        { scratch },
      );
      await until(() => loadsOf(scratch, 'wrk').length > 0, 'the load');
      killAll(loadsOf(scratch, 'wrk'));
      const { code } = await run.ended;
      const [first, second] = readRunFile(join(scratch, 'perf-results/run.json')).cases[0]?.trials ?? [];
      return {
        happened: `exit ${code}; trial 1: ${first?.failure?.message}; trial 2: ${second?.windows.length} windows`,
        lost: second?.failure === null ? 0 : 1,
        holds: code === 3 && first?.failure?.kind === 'load-tool-crashed',
      };
    },
  },
  {
    fault: 'a server floods its log under load',
    promised: 'it is measured, and only its last lines are kept',
    slow: true,
    async run(scratch) {
      const line = "const line = 'x'.repeat(1e5); setInterval(() => console.log(line), 1);";
      const server = writeServer(scratch, 'floods', { code: `${GOOD}\n${line}\n` });
      const { code } = await runCli(['run', `--servers=${server}`, ...BUSY, '--duration=3s'], { scratch });
      const text = readFileSync(join(scratch, 'perf-results/run.json'), 'utf8');
      const { cases } = JSON.parse(text);
      return {
        happened: `exit ${code}, a run file of ${text.length} characters${failuresOf(cases)}`,
        lost: cases[0].trials[0].failure === null ? 0 : 1,
        holds: code === 0 && text.length < 100_000,
      };
    },
  },
];
