/** Recognizes the protocol of a port that does not answer in HTTP/1.1. */

import { connect as connectHttp2 } from 'node:http2';
import { connect as connectTls } from 'node:tls';
import { HOST } from '../../system/free-port.js';

const GREETING_MS = 1000;

/**
 * A successful TLS handshake or HTTP/2 preface is proof.
 * @param {number} port
 * @returns {Promise<string | undefined>} its protocol and what to do; undefined if it is unknown
 */
export async function otherProtocol(port) {
  if (await speaksTls(port))
    return `port ${port} answers TLS: only plain HTTP/1.1 is measured; let the server start without TLS here`;
  if (await speaksHttp2(port))
    return `port ${port} speaks HTTP/2 only: only plain HTTP/1.1 is measured; let the server accept HTTP/1.1 here`;
  return undefined;
}

/** @param {number} port */
function speaksTls(port) {
  return settled((resolve) => {
    const socket = connectTls({ host: HOST, port, rejectUnauthorized: false, minVersion: 'TLSv1' });
    socket.once('secureConnect', () => resolve(true));
    return { socket, end: () => socket.destroy() };
  });
}

/** @param {number} port */
function speaksHttp2(port) {
  return settled((resolve) => {
    const socket = connectHttp2(`http://${HOST}:${port}`);
    socket.once('remoteSettings', () => resolve(true));
    return { socket, end: () => socket.destroy() };
  });
}

/**
 * @param {(resolve: (answer: boolean) => void) => { socket: import('node:events').EventEmitter, end: () => void }} connect
 * @returns {Promise<boolean>} false if it fails, ends or stays silent
 */
async function settled(connect) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  /** @type {ReturnType<typeof connect> | undefined} */
  let connection;
  try {
    return await new Promise((resolve) => {
      timer = setTimeout(() => resolve(false), GREETING_MS);
      connection = connect(resolve);
      // Later errors need a listener, too.
      for (const event of ['error', 'close']) connection.socket.on(event, () => resolve(false));
    });
  } finally {
    clearTimeout(timer);
    connection?.end();
  }
}
