import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { connect as connectTls } from 'node:tls';
import { HOST } from '../../system/free-port.js';

const GREETING_MS = 1000;

/**
 * A successful TLS handshake or HTTP/2 preface is proof.
 * @param {number} port that does not answer in HTTP/1.1
 * @returns {Promise<string | undefined>} its protocol and what to do; undefined if it is unknown
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
 * @param {import('node:events').EventEmitter & { destroy: () => unknown }} connection is closed
 * @param {string} greeting @returns {Promise<boolean>} false if it fails, ends or stays silent
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
