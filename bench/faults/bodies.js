/** Bodies that no text can hold. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BUSY, readRunFile, runCli, toolsHere, writeServer } from '../provoke.js';

const BYTES = Buffer.from([...Array(256).keys()]);

/** It answers 400 to any other body. */
const CHECKS = `const { buffer } = require('node:stream/consumers');
const right = require('node:fs').readFileSync('body.bin');
require('node:http')
  .createServer(async (request, response) => {
    const isRight = right.equals(await buffer(request));
    response.writeHead(isRight ? 200 : 400, { 'content-length': 2 });
    response.end('ok');
  })
  .listen(process.env.PORT, process.env.HOST);
`;

/** @type {import('../faults.js').Row[]} */
export const rows = [
  {
    fault: 'a body of all 256 bytes',
    promised: 'every load tool sends exactly these bytes, and the run file has their digest alone',
    slow: true,
    async run(scratch) {
      const manifest = 'routes: [{ path: /, method: POST, bodyFile: body.bin }]\n';
      const server = writeServer(scratch, 'checks', { code: CHECKS, manifest });
      writeFileSync(join(scratch, 'checks/body.bin'), BYTES);
      const tools = await toolsHere();
      const { code } = await runCli(
        ['run', `--servers=${server}`, ...BUSY, `--tool=${tools}`, '--duration=3s'],
        { scratch },
      );
      const { cases } = readRunFile(join(scratch, 'perf-results/run.json'));
      const sent = cases.map(({ load, summary, request }) => {
        const refused = summary ? (summary.errors?.non2xx ?? 0) : 'no';
        return `${load.tool}: ${refused} refused, ${Object.keys(request.bodyFile ?? {}).join(' ')}`;
      });
      const right = tools.map((tool) => `${tool}: 0 refused, name bytes sha256`);
      return {
        happened: `exit ${code}; ${sent.join('; ')}`,
        lost: cases.filter(({ summary }) => !summary).length,
        holds: code === 0 && sent.join() === right.join(),
      };
    },
  },
];
