/** Answers that the network has not delivered, of real connections and of a recorded table. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { queuesIn } from '../../scripts/observe/observers/network.js';

const PROGRAM = fileURLToPath(new URL('./waiting-answer.js', import.meta.url));
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

/** In a network of its own: where others have many sockets, nobody looks. @param {string[]} args */
function inside(...args) {
  return spawnSync('unshare', ['-rn', process.execPath, ...args], { encoding: 'utf8' });
}

const skip = inside('-e', '').status === 0 ? false : 'this machine gives nobody a network of his own';

test('a connection counts while its answer is not delivered', { skip }, () => {
  const { stdout, stderr } = inside(PROGRAM);
  assert.equal(stderr, '');
  assert.deepEqual(JSON.parse(stdout), [{ sendingShare: 0.5 }, {}]);
});
