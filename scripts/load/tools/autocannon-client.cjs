/**
 * Sets up each connection of autocannon, in its threads too, which get options of text only. autocannon 9.0.0
 * waits for a body that HTTP rules out, takes an interim answer for the last one, drops an answer that its
 * connection ends, asks on a connection that the server is about to close, and reads the first answer of a
 * new connection as the rest of a broken one.
 */

'use strict';

const { isMainThread, threadId } = require('node:worker_threads');
const { requestsIn, sendAll } = require('./autocannon-requests.cjs');

/** Of a thread's connections: it lives for one window. @type {ReturnType<typeof sendAll> | undefined} */
let vary;

/** Callbacks of its parser, http-parser-js. */
const [ON_HEADERS, ON_COMPLETE] = [2, 4];

/**
 * @param {{ opts: { body?: string, method: string, headers: Record<string, string>,
 *     requests?: { file?: string, threads?: number }[] },
 *   getRequestBuffer: () => Buffer, requestIterator: { setBody: (body: Buffer) => void }, parser: any,
 *   conn?: import('node:net').Socket, destroyed: boolean, pipelinedRequests: { clear: () => void },
 *   _connect: () => void, _doRequest: () => void }} client
 */
module.exports = (client) => {
  const { opts, parser } = client;
  // By the iterator, since `client.setBody` refuses where requests are pipelined.
  if (opts.body !== undefined) client.requestIterator.setBody(Buffer.from(opts.body, 'base64'));
  const connect = client._connect.bind(client);
  const send = client._doRequest.bind(client);
  const [{ file, threads = 1 } = {}] = opts.requests ?? [];
  if (file !== undefined && !isMainThread) {
    // The threads of a window have consecutive numbers.
    vary ??= sendAll(requestsIn(file), { first: threadId % threads, step: threads });
    vary(client);
  }
  let isIgnored = false;
  let isLast = false;
  client._connect = () => {
    if (client.conn) drop(client.conn);
    else listen();
    client.pipelinedRequests.clear();
    parser.reinitialize('RESPONSE');
    isLast = false;
    connect();
    client.conn?.prependListener('end', () => parser.finish());
  };
  client._doRequest = () => {
    if (!isLast) send();
  };
  const drop = (/** @type {import('node:net').Socket} */ conn) => {
    for (const event of ['end', 'error']) conn.removeAllListeners(event);
    conn.on('error', () => {}).destroy();
  };
  // autocannon sets the callbacks between this set-up and the first connection.
  const listen = () => {
    const [onHeaders, onComplete] = [parser[ON_HEADERS], parser[ON_COMPLETE]];
    parser[ON_HEADERS] = (/** @type {any} */ info) => {
      const { statusCode } = info;
      isIgnored = isLast || statusCode < 200;
      if (isIgnored) return;
      // RFC 9112, 6.3.
      if (opts.method === 'HEAD' || statusCode === 204 || statusCode === 304) {
        parser.isChunked = false;
        parser.body_bytes = 0;
        info.shouldKeepAlive = parser.shouldKeepAlive();
      }
      if (opts.headers.connection === 'close') info.shouldKeepAlive = false;
      isLast = !info.shouldKeepAlive;
      onHeaders(info);
    };
    parser[ON_COMPLETE] = () => {
      if (isIgnored) return;
      onComplete();
      const { conn } = client;
      // RFC 9112, 9.6: whatever the server does, which mostly closes first: the port rests on its side.
      if (isLast) setImmediate(() => conn === client.conn && !client.destroyed && client._connect());
    };
  };
};
