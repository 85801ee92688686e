/** An answer that comes while its window lasts, or while a tool waits for the last ones, is an answer. */

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { startLoading } from '../../scripts/load/load.js';
import { LAST_ANSWERS_SECONDS } from '../../scripts/load/request.js';
import { TOOLS } from '../../scripts/load/tools.js';
import { scratchFolder } from '../scratch.js';
import { target } from './target.js';

/** How each tool is told its limit, which is 2 to 60 s by itself. */
const SAID = /(?:--timeout|-s|timeout\\?":) ?"?(\d+)/;

for (const tool of TOOLS)
  test(`${tool.id}: a request may take as long as its window and the wait for last answers`, async () => {
    const seconds = 90;
    const asked = { ...target('http://127.0.0.1:1', { tool: tool.id }), seconds };
    const scratch = scratchFolder();
    const said = 'driver' in tool ? JSON.stringify(tool.options(asked)) : await toldTo(tool, asked, scratch);
    assert.ok(Number(SAID.exec(said)?.[1]) > seconds + LAST_ANSWERS_SECONDS, said);
  });

/**
 * @param {import('../../scripts/load/tools.js').StartedTool} tool
 * @param {import('../../scripts/load/tools.js').Target} asked
 * @param {string} scratch
 */
async function toldTo(tool, asked, scratch) {
  const command = await tool.command({ ...asked, scratch });
  const files = readdirSync(scratch).map((name) => readFileSync(join(scratch, name), 'utf8'));
  return [...files, command.join(' ').replace(/-s \S*\.lua/, '')].join('\n');
}

test('wrk: an answer after 2.2 s is no error', async () => {
  const server = createServer((_, response) => void setTimeout(() => response.end('ok'), 2200));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const loading = startLoading();
  try {
    const asked = { ...target(`http://127.0.0.1:${port}`, { tool: 'wrk' }), seconds: 4 };
    const { errors, latencyMs } = await loading.load({ ...asked, signal: new AbortController().signal });
    assert.deepEqual(errors, { timeouts: 0, connect: 0, write: 0, non2xx: 0 });
    assert.ok(Number(latencyMs?.min) >= 2200, JSON.stringify(latencyMs));
  } finally {
    await loading.stop();
    server.closeAllConnections();
    server.close();
  }
});
