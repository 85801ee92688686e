/** Two clients that do not read, of whom one is sent an answer. Prints what is seen of them, and of no port. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { network } from '../../scripts/observe/observers/network.js';

execFileSync('ip', ['link', 'set', 'lo', 'up']);
const server = createServer((socket) => {
  socket.once('data', () => {
    socket.write(Buffer.alloc(64 * 2 ** 20));
    server.emit('answered');
  });
});
await once(server.listen(0, '127.0.0.1'), 'listening');
const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
const clients = [0, 1].map(() => connect(port, '127.0.0.1').pause());
await Promise.all(clients.map((client) => once(client, 'connect')));
const answered = once(server, 'answered');
clients[0]?.write('?');
await answered;

/** @param {{ port?: number }} of */
async function seen(of) {
  const observing = network.start(of);
  for (let sample = 0; sample < 3; sample++) observing.sample?.(new Map());
  return observing.stop(/** @type {import('../../scripts/observe/span.js').Span} */ ({}));
}

process.stdout.write(JSON.stringify([await seen({ port }), await seen({})]));
process.exit();
