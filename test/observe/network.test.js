/** Answers that the network has not delivered, of real connections and of a recorded table. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { test } from 'node:test';
import { network, queuesIn } from '../../scripts/observe/observers/network.js';

const TABLE = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:9985 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 81 1 0000000000000000 100 0 0 10 0
   1: 0100007F:9985 0100007F:C350 01 000186A0:00000000 01:00000014 00000000     0        0 82 2 0000000000000000 20 4 30 10 -1
   2: 0100007F:9985 0100007F:C351 01 00000000:00000000 00:00000000 00000000     0        0 83 1 0000000000000000 20 4 30 10 -1
   3: 0100007F:C350 0100007F:9985 01 00000020:00001000 00:00000000 00000000     0        0 84 1 0000000000000000 20 4 30 10 -1
   4: 0100007F:9985 0100007F:C352 06 00000000:00000000 03:00000014 00000000     0        0 0 3 0000000000000000
`;

test('the send queues of connections to a server are told from all other sockets', () => {
  assert.deepEqual(queuesIn(TABLE, 0x9985), [100_000, 0]);
  assert.deepEqual(queuesIn(TABLE, 0x9986), []);
});

const skip = process.platform !== 'linux';
test('a connection counts while its answer is not delivered', { skip }, async () => {
  const server = createServer((socket) => {
    socket
      .on('error', () => {})
      .once('data', () => {
        socket.write(Buffer.alloc(64 * 2 ** 20));
        server.emit('answered');
      });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  // Neither reads: of the two, only the one that asked is sent an answer.
  const clients = [0, 1].map(() => connect(port, '127.0.0.1').pause());
  try {
    await Promise.all(clients.map((client) => once(client, 'connect')));
    const observing = network.start({ port });
    const answered = once(server, 'answered');
    clients[0]?.write('?');
    await answered;
    for (let sample = 0; sample < 3; sample++) observing.sample?.(new Map());
    const span = /** @type {import('../../scripts/observe/span.js').Span} */ ({});
    assert.deepEqual(await observing.stop(span), { sendingShare: 0.5 });
    const elsewhere = network.start({});
    for (let sample = 0; sample < 3; sample++) elsewhere.sample?.(new Map());
    assert.deepEqual(await elsewhere.stop(span), {});
  } finally {
    for (const client of clients) client.destroy();
    server.close();
  }
});
