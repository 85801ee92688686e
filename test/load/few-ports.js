/** Loads two servers without keep-alive: one that closes, and one that leaves it to its clients. Prints what becomes of them. */
import { execFileSync } from 'node:child_process';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { startLoading } from '../../scripts/load/load.js';

const ANSWER =
  'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok';

execFileSync('ip', ['link', 'set', 'lo', 'up']);
const [tool = ''] = process.argv.slice(2);
const load = {
  tool,
  connections: 10,
  durationSeconds: 3,
  warmupSeconds: 0,
  keepAlive: false,
  pipelining: 1,
  threads: 1,
};
const request = { method: 'GET', path: '/', headers: {} };
const { signal } = new AbortController();
const loading = startLoading();
/** @type {Record<string, unknown>} */
const told = {};
// Ports of their own, since those of the range may be at rest, all of them.
for (const [name, port] of Object.entries({ usual: 20_001, lazy: 20_002 })) {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => {}).on('end', () => socket.end());
    socket.on('data', () => (name === 'lazy' ? socket.write(ANSWER) : socket.end(ANSWER)));
  });
  await once(server.listen(port, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${port}`;
  told[name] = await loading
    .load({ load, request, url, seconds: name === 'lazy' ? 3 : 1, signal })
    .catch(({ kind, message }) => ({ kind, message }));
  server.close();
}
process.stdout.write(JSON.stringify(told));
process.exit();
