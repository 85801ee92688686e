/** What the check says about answers that break HTTP, and how it sees that they end their connection. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { verify } from '../../scripts/deploy/start/verify.js';

/** @param {import('node:net').Server} server */
async function listen(server) {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => server.close());
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return { url: `http://127.0.0.1:${port}`, logTail: () => [] };
}

/**
 * @param {string} answer as it is sent
 * @param {boolean} [isEnd] of the connection
 */
const says = (answer, isEnd = true) =>
  listen(
    createTcpServer((connection) => {
      connection.on('error', () => {}).on('data', () => connection[isEnd ? 'end' : 'write'](answer));
    }),
  );

/** @param {object} [changes] */
const route = (changes) => ({
  id: '/',
  method: 'GET',
  path: '/',
  headers: {},
  expect: { status: 200 },
  ...changes,
});

const OK = 'HTTP/1.1 200 OK\r\n';
const BREAKS = /^\/: the response breaks HTTP: /;
const LENGTHS = `${OK}content-length: 3\r\ntransfer-encoding: chunked\r\n\r\nabc`;
/** @type {[title: string, answer: string, changes: object, message: RegExp][]} */
const BROKEN = [
  [
    'a reason with its status',
    'HTTP/1.1 503 No\r\ncontent-length: 20\r\n\r\nthe database is down',
    {},
    /^\/: status 503, expected 200: "the database is down"$/,
  ],
  ['no HTTP', 'HELLO\r\n\r\n', {}, /^\/: the response breaks HTTP: Expected HTTP\//],
  ['a body longer than its length', `${OK}content-length: 3\r\n\r\ncafé`, {}, BREAKS],
  ['a body after HEAD', `${OK}content-length: 4\r\n\r\nbody`, { method: 'HEAD' }, BREAKS],
  ['a body with 204', 'HTTP/1.1 204 No Content\r\n\r\nbody', { expect: { status: 204 } }, BREAKS],
  ['two lengths', LENGTHS, {}, /breaks HTTP: .*(Content-Length|Transfer-Encoding)/i],
  ['a header without a colon', `${OK}nonsense\r\n\r\n`, {}, BREAKS],
  [
    'half a body',
    `${OK}content-length: 1000\r\n\r\nhalf`,
    {},
    /the response breaks off before its end \(aborted\)$/,
  ],
  ['nothing', '', {}, /^\/: no answer \(socket hang up\)$/],
];
for (const [title, answer, changes, message] of BROKEN)
  for (const isEnd of answer === '' || title === 'half a body' ? [true] : [true, false])
    test(`the check names ${title}${isEnd ? '' : ' on a connection that stays open'}`, async () =>
      assert.rejects(verify(await says(answer, isEnd), [route(changes)], { answerMs: 2000 }), {
        kind: 'wrong-answer',
        message,
      }));

/** @type {[answer: string, changes: object, closes: string | undefined][]} */
const ENDINGS = [
  ['HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok', {}, undefined],
  ['HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok', {}, 'announced'],
  ['HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nok', {}, 'undelimited'],
  ['HTTP/1.0 200 OK\r\ncontent-length: 2\r\n\r\nok', {}, 'announced'],
  ['HTTP/1.0 200 OK\r\ncontent-length: 2\r\nconnection: keep-alive\r\n\r\nok', {}, undefined],
  ['HTTP/1.1 204 No Content\r\n\r\n', { expect: { status: 204 } }, undefined],
  ['HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\n', { method: 'HEAD' }, undefined],
];
for (const [answer, changes, closes] of ENDINGS)
  test(`the check sees how ${JSON.stringify(answer)} ends`, async () => {
    const [seen] = await verify(await says(answer), [route(changes)]);
    assert.equal(seen?.closes, closes);
  });

test('the check sends a body with any method, asks for no compression, and reads what is compressed', async () => {
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const { 'accept-encoding': coding } = request.headers;
    const said = `${request.method} ${chunks.join('')} ${coding}`;
    if (coding === undefined) response.end(said);
    else response.setHeader('content-encoding', 'gzip').end(gzipSync(said));
  });
  const headers = { 'Accept-Encoding': 'gzip' };
  const answers = await verify(await listen(server), [
    route({ body: 'é', expect: { status: 200, body: 'GET é undefined' } }),
    route({ method: 'POST', body: '{}', headers, expect: { status: 200, body: 'POST {} gzip' } }),
    route({ method: 'HEAD', headers }),
  ]);
  assert.equal(
    answers.map(({ bytes, encoding }) => `${bytes} ${encoding}`).join(),
    '16 undefined,12 gzip,0 gzip',
  );
});

const CHUNKED = `${OK}content-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n`;

test('the check reads only how a stream begins', async () => {
  const stream = { stream: true, expect: { status: 200, type: 'text/event-stream' } };
  const endless = await says(`${CHUNKED}3\r\n:hi\r\n`, false);
  assert.deepEqual(await verify(endless, [route(stream)]), [{ status: 200, type: 'text/event-stream' }]);
  /** @type {[answer: string, message: RegExp][]} */
  const wrong = [
    [CHUNKED, /^\/: no byte of the body within 0\.5 s$/],
    [`${CHUNKED}0\r\n\r\n`, /^\/: the response has no body, .+; remove `stream` from the route$/],
    ['HTTP/1.1 503 No\r\ncontent-length: 4\r\n\r\nslow', /^\/: status 503, expected 200: "slow"$/],
  ];
  for (const [answer, message] of wrong)
    await assert.rejects(verify(await says(answer, false), [route(stream)], { answerMs: 500 }), { message });
});
