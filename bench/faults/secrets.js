/**
 * Secrets in the environment and in requests, looked for in what servers see and in everything a run leaves.
 */

import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { planted } from '../../test/planted.js';
import { GOOD, QUICK, readRunFile, runCli, writeServer } from '../provoke.js';

const TOKEN = 'tok-8f1c0a77d2';

/** @type {import('../faults.js').Row[]} */
export const rows = [
  {
    fault: '27 secrets in the environment of a run',
    promised: 'the server sees none',
    async run(scratch) {
      const code = `require('node:fs').writeFileSync('seen', JSON.stringify(process.env));\n${GOOD}`;
      const server = writeServer(scratch, 'looks', { code });
      const { code: exit } = await runCli(['run', `--servers=${server}`, ...QUICK], {
        scratch,
        env: planted(),
      });
      const seen = readFileSync(join(scratch, 'looks', 'seen'), 'utf8');
      const found = Object.entries(planted()).filter(([, value]) => seen.includes(value));
      return {
        happened: `exit ${exit}, it sees ${found.length}`,
        holds: exit === 0 && found.length === 0,
      };
    },
  },
  {
    fault: 'secrets in headers and body of a request, which the server prints and echoes',
    promised: 'they are sent, and no file and no output has them',
    slow: true,
    async run(scratch) {
      const code = GOOD.replace("'hello'", '(console.log(_.headers), _.headers.authorization)');
      const manifest = `routes:\n  - path: /\n    headers: { authorization: Bearer ${TOKEN}, x-a: '\${STRIPE_KEY}' }\n    expect: { body: hello }\n`;
      const server = writeServer(scratch, 'echoes', { code, manifest });
      const env = planted();
      const ended = await runCli(['run', `--servers=${server}`, ...QUICK], { scratch, env });
      writeFileSync(join(scratch, 'perf-results', 'printed'), ended.stdout + ended.printed);
      const files = readdirSync(join(scratch, 'perf-results'), { recursive: true, encoding: 'utf8' })
        .map((name) => join(scratch, 'perf-results', name))
        .filter((file) => statSync(file).isFile());
      const found = files.filter((file) => {
        const text = readFileSync(file, 'utf8');
        return [TOKEN, env.STRIPE_KEY ?? ''].some((secret) => text.includes(secret));
      });
      const failure = readRunFile(join(scratch, 'perf-results/run.json')).cases[0]?.trials[0]?.failure;
      return {
        happened: `exit ${ended.code}, in ${found.length} of ${files.length} files; ${failure?.message}`,
        holds: found.length === 0 && /Bearer ‹secret/.test(failure?.message ?? ''),
      };
    },
  },
];
