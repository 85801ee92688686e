/** A login against real servers. */

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { logIn } from '../../scripts/deploy/start/log-in.js';

const LOGIN = {
  id: 'POST /login',
  method: 'POST',
  path: '/login',
  headers: {},
  expect: { status: 200 },
  token: { json: 'token' },
};

/**
 * @param {import('node:http').RequestListener} answer
 * @param {Record<string, string>} [headers]
 */
async function tokenOf(answer, headers = {}) {
  const server = createServer(answer);
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const instance = { url: `http://127.0.0.1:${port}`, logTail: () => ['a line'] };
  try {
    return await logIn(instance, { ...LOGIN, headers }, new AbortController().signal);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

test('an answer that breaks off gives no token', () =>
  assert.rejects(
    tokenOf((_, response) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write('{"token":');
      setTimeout(() => response.destroy(), 20);
    }),
    { kind: 'no-token', message: /^before, POST \/login: /, logTail: ['a line'] },
  ));

test('an answer that is no HTTP after its headers gives no token', () =>
  assert.rejects(
    tokenOf((_, response) => {
      response.socket?.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
      setTimeout(() => response.socket?.end('not a length\r\n'), 20);
    }),
    { kind: 'no-token' },
  ));

test('an answer that is no HTTP in the packet of its headers gives no token', () =>
  assert.rejects(
    tokenOf(
      (_, response) =>
        void response.socket?.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nnot a length\r\n'),
    ),
    { kind: 'no-token' },
  ));

test('headers are sent as UTF-8, as load tools send them', async () => {
  const token = await tokenOf(
    ({ headers }, response) =>
      void response.end(
        JSON.stringify({ token: Buffer.from(String(headers['x-user']), 'latin1').toString() }),
      ),
    { 'x-user': 'Łukasz' },
  );
  assert.equal(token, 'Łukasz');
});
