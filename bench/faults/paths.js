/** Paths that no request may contain as they are written. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { leftBy, QUICK, readRunFile, runCli, writeServer } from '../provoke.js';

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
const TOOLS = ['autocannon', 'wrk', 'ab'];

/** @type {import('../faults.js').Row[]} */
export const rows = [
  {
    fault: `paths like ${PATHS.join(' ')}`,
    promised: 'every load tool asks for what a browser would, and is answered',
    slow: true,
    async run(scratch) {
      const entries = PATHS.map((path) => `  - path: ${JSON.stringify(path)}\n`).join('');
      const servers = TOOLS.map((tool) =>
        writeServer(scratch, tool, { code: NOTES, manifest: `routes:\n${entries}` }),
      );
      /** @type {string[]} */
      const asked = [];
      let lost = 0;
      let worst = 0;
      for (const [index, tool] of TOOLS.entries()) {
        const args = ['run', `--servers=${servers[index]}`, ...QUICK, `--tool=${tool}`];
        const { code } = await runCli(args, { scratch });
        worst = Math.max(worst, Number(code));
        const { cases } = readRunFile(join(scratch, 'perf-results/run.json'));
        lost += cases.filter(({ summary }) => !summary || summary.errors?.non2xx).length;
        const lines = readFileSync(join(scratch, tool, 'asked'), 'utf8')
          .trim()
          .split('\n');
        asked.push([...new Set(lines)].sort().join(' '));
      }
      const browsers = PATHS.map((path) =>
        new URL(`http://localhost${path}`).href.slice('http://localhost'.length),
      );
      const expected = [...new Set(browsers)].sort().join(' ');
      return {
        happened: `exit ${worst}; they were asked for ${[...new Set(asked)].join(' and ')}`,
        left: (await leftBy(scratch)).length,
        lost,
        holds: worst === 0 && asked.every((each) => each === expected),
      };
    },
  },
];
