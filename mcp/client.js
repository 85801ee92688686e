/** The official client, connected to the server: for the tests and for bench/agent-edits.js. */

import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

/**
 * @param {string} cwd where the server is started
 * @returns {Promise<Client>}
 */
export async function connect(cwd) {
  const client = new Client({ name: 'perf-action', version: '1' });
  const args = [fileURLToPath(new URL('server.js', import.meta.url))];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, cwd }));
  return client;
}
