/** Loads a server without keep-alive that leaves it to its clients to close. Prints the outcome. */
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
  durationSeconds: 1,
  warmupSeconds: 0,
  keepAlive: false,
  pipelining: 1,
  threads: 1,
};
const request = { method: 'GET', path: '/', headers: {} };
const { signal } = new AbortController();
const server = createServer({ allowHalfOpen: true }, (socket) => {
  socket.on('error', () => {}).on('end', () => socket.end());
  socket.on('data', () => socket.write(ANSWER));
});
// A port outside the range, since all of those may be at rest.
await once(server.listen(20_001, '127.0.0.1'), 'listening');
const outcomeOf = (/** @type {number} */ seconds) =>
  startLoading()
    .load({ load, request, url: 'http://127.0.0.1:20001', seconds, signal })
    .catch(({ kind, message }) => ({ kind, message }));
// On a crowded machine the tool gets the longer to use up the ports.
let outcome;
for (const seconds of [1, 5, 25]) {
  outcome = await outcomeOf(seconds);
  if ('kind' in outcome) break;
}
process.stdout.write(JSON.stringify(outcome));
process.exit();
