/** Measured code that attacks its job: later steps' tokens, the runner's files, the job's log. */

import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isRunning } from '../../test/running.js';
import { GOOD, startStep, writePlan, writeServer } from '../provoke.js';

/** A server that leaves a daemon without session, parent or environment, which ends its supervisor. */
const SPY = fileURLToPath(new URL('../../test/e2e/actions/repository/spy', import.meta.url));
const LOAD = { connections: '4', duration: '2s', warmup: '0', rounds: '1', reference: 'off' };
const LATER_MS = 500;

/** At the start of a line, and in the middle of one. */
const HOSTILE = [
  '::error::EVIL',
  '  ::set-env name=EVIL::EVIL',
  'EVIL ##[error]EVIL',
  '\u001b]8;;https://evil.example\u0007EVIL\u001b]8;;\u0007',
  '\u001b[2J\u009b31mEVIL\r::add-mask::EVIL',
];

/**
 * @param {string} scratch
 * @param {string} servers
 */
function measureStep(scratch, servers) {
  const env = {
    PERF_PLAN: writePlan({ servers, ...LOAD }, scratch),
    PERF_OUT: join(scratch, 'perf-results'),
  };
  return startStep('run', { scratch, env }).ended;
}

/** @type {import('../faults.js').Row[]} */
export const rows = [
  {
    fault:
      'a measured server leaves a daemon that kills its supervisor and waits for the token of a later step',
    promised: 'it is dead when the measuring step ends, and reads no token',
    slow: true,
    async run(scratch) {
      const notes = join(scratch, 'notes');
      mkdirSync(notes);
      cpSync(SPY, join(scratch, 'spy'), { recursive: true });
      writeFileSync(join(scratch, 'spy/notes'), notes);
      const { code } = await measureStep(scratch, './spy');
      const isAlive = isRunning(Number(readFileSync(join(notes, 'pid'), 'utf8')));
      const step = spawn('sleep', ['60'], { env: { PERF_GITHUB_TOKEN: 'ghs_of-a-later-step' } });
      await sleep(LATER_MS);
      step.kill();
      const isStolen = existsSync(join(notes, 'stolen'));
      return {
        happened: `the step ended with ${code}; the daemon ${isAlive ? 'runs' : 'is dead'}; token ${isStolen ? 'stolen' : 'not seen'}`,
        holds: code === 0 && !isAlive && !isStolen,
      };
    },
  },
  {
    fault: 'a server that fails prints workflow commands and terminal escapes',
    promised: "in the job's log they are text",
    slow: true,
    async run(scratch) {
      const prints = HOSTILE.map((line) => `console.log(${JSON.stringify(line)});`).join('\n');
      const server = writeServer(scratch, 'loud', { code: `${prints}\n${GOOD}\nprocess.exit(1);\n` });
      const { code, stdout, printed } = await measureStep(scratch, server);
      const lines = (stdout + printed).split('\n').filter((line) => line.includes('EVIL'));
      const obeyed = lines.filter((line) =>
        /^\s*::|##\[|[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/.test(line),
      );
      return {
        happened: `the step ended with ${code}; ${lines.length} lines shown, ${obeyed.length} obeyed`,
        holds: lines.length >= HOSTILE.length && obeyed.length === 0,
      };
    },
  },
];
