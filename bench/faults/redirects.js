/**
 * Servers that redirect.
 * @import { Run } from '../../scripts/types.js'
 */

import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { findTool } from '../../scripts/load/tools.js';
import { askable, BUSY, readRunFile, runCli, toolsHere, writeServer } from '../provoke.js';

/**
 * What a parser may take for an address, and what is answered there: each of the ways to redirect.
 * @type {Record<string, number>}
 */
const ANSWERS = {
  '/': 301,
  '//127.0.0.2/x': 302,
  '/@127.0.0.2/': 303,
  '/?u=http://127.0.0.2/': 307,
  '/%2f%2f127.0.0.2': 308,
};

/** To a host that is on the loopback as well. @param {string} elsewhere */
const redirects = (elsewhere) => `const answers = ${JSON.stringify(ANSWERS)};
require('node:http')
  .createServer((request, response) => {
    const location = '${elsewhere}' + request.url;
    response.writeHead(answers[request.url] ?? 404, { location, refresh: '0; url=' + location });
    response.end('hello');
  })
  .listen(process.env.PORT, process.env.HOST);
`;

/** @type {import('../faults.js').Row[]} */
export const rows = [
  {
    fault: `a server redirects every request to another host, on paths like ${Object.keys(ANSWERS).join(' ')}`,
    promised: 'that host is asked by no load tool and no check',
    slow: true,
    async run(scratch) {
      /** @type {string[]} */
      const strayed = [];
      const elsewhere = createServer((request, response) => {
        strayed.push(String(request.url));
        response.end('hello');
      }).listen(0, '127.0.0.2');
      await once(elsewhere, 'listening');
      try {
        const { port } = /** @type {import('node:net').AddressInfo} */ (elsewhere.address());
        const code = redirects(`http://127.0.0.2:${port}`);
        // ab takes a redirect for an error, and is refused.
        const tools = (await toolsHere()).filter((id) => findTool(id).can.includes('anyStatus'));
        let worst = 0;
        /** @type {Run['cases']} */
        const cases = [];
        for (const tool of tools) {
          const routes = askable(tool, Object.keys(ANSWERS)).map(
            (path) => `  - { path: ${JSON.stringify(path)}, expect: { status: ${ANSWERS[path]} } }\n`,
          );
          const server = writeServer(scratch, tool, { code, manifest: `routes:\n${routes.join('')}` });
          const args = ['run', `--servers=${server}`, ...BUSY, `--tool=${tool}`, '--duration=2s'];
          worst = Math.max(worst, Number((await runCli(args, { scratch })).code));
          cases.push(...readRunFile(join(scratch, 'perf-results/run.json')).cases);
        }
        const loaded = cases.filter(({ trials }) => (trials[0]?.windows[0]?.requests ?? 0) > 10);
        return {
          happened: `exit ${worst}; ${loaded.length} cases of ${tools.join(', ')} under load; the other host was asked ${strayed.length} times`,
          lost: cases.length - loaded.length,
          holds: worst === 0 && strayed.length === 0,
        };
      } finally {
        elsewhere.close();
        elsewhere.closeAllConnections();
      }
    },
  },
];
