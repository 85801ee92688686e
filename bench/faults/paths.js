/** Paths that no request may contain as they are written. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { askable, BUSY, readRunFile, runCli, toolsHere, writeServer } from '../provoke.js';

/** It notes what it is asked for, and answers only there. */
const NOTES = `const { appendFileSync } = require('node:fs');
const seen = new Set();
require('node:http')
  .createServer((request, response) => {
    if (!seen.has(request.url)) appendFileSync('asked', request.url + '\\n');
    seen.add(request.url);
    response.end('hello');
  })
  .listen(process.env.PORT, process.env.HOST);
`;

const PATHS = ['/a b', '/→?q=ü&r="x"', '/a%20b', '/{id}|', '//evil.example/x', "/it's"];

/** @type {import('../faults.js').Row[]} */
export const rows = [
  {
    fault: `paths like ${PATHS.join(' ')}`,
    promised: 'every load tool asks for what a browser would, and is answered',
    slow: true,
    async run(scratch) {
      const tools = await toolsHere();
      /** @type {string[]} */
      const wrong = [];
      let lost = 0;
      let worst = 0;
      for (const tool of tools) {
        const paths = askable(tool, PATHS);
        const entries = paths.map((path) => `  - path: ${JSON.stringify(path)}\n`).join('');
        const server = writeServer(scratch, tool, { code: NOTES, manifest: `routes:\n${entries}` });
        const args = ['run', `--servers=${server}`, ...BUSY, `--tool=${tool}`, '--duration=2s'];
        const { code } = await runCli(args, { scratch });
        worst = Math.max(worst, Number(code));
        const { cases } = readRunFile(join(scratch, 'perf-results/run.json'));
        lost += cases.filter(({ summary }) => !summary || summary.errors?.non2xx).length;
        const lines = readFileSync(join(scratch, tool, 'asked'), 'utf8')
          .trim()
          .split('\n');
        const browsers = paths.map((path) =>
          new URL(`http://localhost${path}`).href.slice('http://localhost'.length),
        );
        // A browser leaves "|" as it is; Go and Python encode it, as RFC 3986 has it.
        const [asked, expected] = [lines, browsers].map((all) =>
          [...new Set(all.map((path) => path.replaceAll('|', '%7C')))].sort().join(' '),
        );
        if (asked !== expected) wrong.push(`${tool} asked for ${asked}`);
      }
      return {
        happened: [`exit ${worst}; ${tools.join(', ')}`, ...wrong].join('; '),
        lost,
        holds: worst === 0 && wrong.length === 0,
      };
    },
  },
];
