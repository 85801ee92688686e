/** Questions to a port: over HTTP or HTTPS, and whether it speaks something else. */

import { once } from 'node:events';
import { request as requestHttp } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { request as requestHttps } from 'node:https';
import { connect as connectTls } from 'node:tls';
import { excerpt } from '../../model/json.js';
import { HOST } from '../../system/free-port.js';

/** No answer may take longer. */
export const LONGEST_MS = 30_000;
const GREETING_MS = 1000;
/** Characters of an answer that says why a server failed. */
const READ = 8192;

/**
 * @type {(isSecure: boolean, options: import('node:https').RequestOptions, body?: string | Uint8Array) =>
 *   import('node:http').ClientRequest}
 */
export function send(isSecure, options, body) {
  return (isSecure ? requestHttps : requestHttp)(options).end(body);
}

/**
 * With the body's length. UTF-8, as load tools send it; Node takes a character as a byte.
 * @type {(headers: Record<string, string>, body?: string | Uint8Array) => Record<string, string>}
 */
export function asBytes(headers, body) {
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const sent = Object.entries({ ...headers, ...length });
  return Object.fromEntries(sent.map(([name, value]) => [name, Buffer.from(value).toString('latin1')]));
}

/**
 * The timeout, in milliseconds, is of a server that does not work on the question.
 * @param {{ port: number, path: string, isSecure: boolean }} question
 * @param {{ signal: AbortSignal, timeout: number, isWorking: () => boolean }} bounds
 * @returns {Promise<{ status: number, reason: string } | string>} reason: what the answer of a failed server
 *   says; or the error
 */
export function askStatus({ port, path, isSecure }, { signal, timeout, isWorking }) {
  // verify.js checks the certificate.
  const options = { host: HOST, port, path, agent: false, timeout, signal, rejectUnauthorized: false };
  let waitedMs = 0;
  return new Promise((resolve) => {
    const question = send(isSecure, options);
    question.on('response', (answer) => {
      const status = Number(answer.statusCode);
      let body = '';
      // The answer may be endless.
      const timer = setTimeout(() => question.destroy(), timeout);
      const end = () => {
        clearTimeout(timer);
        resolve({ status, reason: reasonIn(body) });
      };
      answer.setEncoding('utf8').on('data', (text) => (body += body.length < READ ? text : ''));
      answer.once('close', end);
      if (status < 500) resolve({ status, reason: '' });
    });
    const wait = () => {
      waitedMs += timeout;
      if (waitedMs < LONGEST_MS && isWorking()) question.socket?.setTimeout(timeout);
      else question.destroy(new Error(`waited ${waitedMs / 1000} s`));
    };
    question.on('socket', (socket) => socket.on('timeout', wait)); // the request's own event comes once
    question.on('error', (error) => resolve('code' in error ? String(error.code) : error.message));
  });
}

/** Quotes, after a colon, what a failed server answers, if anything. @type {(body: string) => string} */
export function reasonIn(body) {
  const said = body.slice(0, READ).replaceAll(/(?:<[^>]*>|&nbsp;|\s)+/g, ' ');
  return said.trim() && `: ${excerpt(said.trim())}`;
}

/**
 * What a port speaks that does not answer in HTTP/1.1, and what to do; undefined if it is unknown. A
 * successful TLS handshake or HTTP/2 preface is proof.
 * @type {(port: number) => Promise<string | undefined>}
 */
export async function otherProtocol(port) {
  const tls = connectTls({ host: HOST, port, rejectUnauthorized: false, minVersion: 'TLSv1' });
  if (await emits(tls, 'secureConnect'))
    return `port ${port} answers TLS: only plain HTTP/1.1 is measured; let the server start without TLS here`;
  if (await emits(connectHttp2(`http://${HOST}:${port}`), 'remoteSettings'))
    return `port ${port} speaks HTTP/2 only: only plain HTTP/1.1 is measured; let the server accept HTTP/1.1 here`;
  return undefined;
}

/**
 * False if it fails, ends or stays silent. It closes the connection.
 * @type {(connection: import('node:events').EventEmitter & { destroy: () => unknown }, greeting: string) =>
 *   Promise<boolean>}
 */
async function emits(connection, greeting) {
  // Later errors need a listener, too.
  connection.on('error', () => {});
  const bounds = { signal: AbortSignal.timeout(GREETING_MS) };
  const ended = once(connection, 'close', bounds).then(() => false);
  try {
    return await Promise.race([once(connection, greeting, bounds).then(() => true), ended]);
  } catch {
    return false;
  } finally {
    connection.destroy();
  }
}
