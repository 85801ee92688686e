/**
 * Programs in a network of their own download through a door: a proxy (RFC 9110, 9.3.6; RFC 9112, 3.2.2) that
 * listens there, is served by the process outside, and leads to no port of this machine.
 * @import { ChildProcess } from 'node:child_process'
 * @import { IncomingMessage, ServerResponse } from 'node:http'
 * @import { AddressInfo, Server } from 'node:net'
 * @import { Duplex } from 'node:stream'
 */

import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { connect, createServer as createDoor } from 'node:net';
import { networkInterfaces } from 'node:os';
import { pipeline } from 'node:stream';
import { HOST } from '../../system/free-port.js';

const OURS = /^(::ffff:)?(127|0)\.|^::1?$/;
const DIRECT = 'localhost,127.0.0.1,::1';
/** Yarn reads only its own from version 2 on (its CorePlugin's httpProxy and httpsProxy have no default). */
const NAMES = 'https_proxy HTTPS_PROXY http_proxy HTTP_PROXY YARN_HTTPS_PROXY YARN_HTTP_PROXY'.split(' ');
/** Maven asks only its own settings otherwise. */
const MAVEN = ['transport', 'connector'].map((part) => `-Daether.${part}.http.useSystemProperties=true`);

/** Opens it in a process with a channel to its parent, named in its variables; returns what shuts it. */
export async function openDoor() {
  const door = createDoor();
  await once(door.listen(0, HOST), 'listening');
  const { port } = /** @type {AddressInfo} */ (door.address());
  await new Promise((resolve) => process.send?.('door', door, {}, resolve));
  door.close();
  const before = { ...process.env };
  // A proxy of the caller's may ask for a password.
  const place = { protocol: 'http:', hostname: HOST, port };
  const { href } = Object.assign(proxyIn(before) ?? new URL('http://none'), place);
  const java = ['https', 'http'].map((each) => `-D${each}.proxyHost=${HOST} -D${each}.proxyPort=${port}`);
  const given = {
    ...Object.fromEntries(NAMES.map((name) => [name, href])),
    ...{ no_proxy: DIRECT, NO_PROXY: DIRECT, NODE_USE_ENV_PROXY: '1' },
    JAVA_TOOL_OPTIONS: [before.JAVA_TOOL_OPTIONS, ...java, ...MAVEN].filter(Boolean).join(' '),
  };
  Object.assign(process.env, given);
  return () => {
    for (const name of Object.keys(given)) delete process.env[name];
    Object.assign(process.env, before);
    process.disconnect?.();
  };
}

/**
 * Serves a child's door until it is shut, by the caller's proxy if there is one.
 * @type {(child: ChildProcess, env: NodeJS.ProcessEnv) => void}
 */
export function serveDoor(child, env) {
  const beyond = proxyIn(env);
  const proxy = createServer(forward).on('connect', tunnel);
  child.once('message', (_, handle) => {
    const door = /** @type {Server} */ (handle);
    door.on('connection', (socket) => {
      if (!beyond) return void proxy.emit('connection', socket);
      pipeline(socket, connect(Number(beyond.port || 80), beyond.hostname), socket, () => {});
    });
    child.once('disconnect', () => door.close());
  });
}

/** @type {(env: NodeJS.ProcessEnv) => URL | undefined} */
function proxyIn({ https_proxy = '', HTTPS_PROXY = https_proxy }) {
  return URL.canParse(HTTPS_PROXY) ? new URL(HTTPS_PROXY) : undefined;
}

/** Of plain HTTP. @type {(asked: IncomingMessage, answer: ServerResponse) => Promise<void>} */
async function forward(asked, answer) {
  const { method, url = '', headers } = asked;
  const place = URL.canParse(url) ? new URL(url) : undefined;
  if (place?.protocol !== 'http:' || !(await isElsewhere(place.hostname)))
    return void answer.writeHead(403).end();
  const { host: _, connection: __, 'proxy-connection': ___, 'proxy-authorization': ____, ...rest } = headers;
  const onwards = request(place, { method, headers: rest }, (got) => {
    answer.writeHead(Number(got.statusCode), got.headers);
    pipeline(got, answer, () => {});
  });
  pipeline(asked, onwards, (error) => void (error && answer.destroy()));
}

/** Of HTTPS. @type {(asked: IncomingMessage, socket: Duplex, head: Buffer) => Promise<void>} */
async function tunnel({ url = '' }, socket, head) {
  socket.on('error', () => {});
  const [, host = '', port] = /^(.*):(\d+)$/.exec(url) ?? [];
  if (!(await isElsewhere(host))) return void socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  const onwards = connect(Number(port), host, () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
  onwards.once('error', ({ message }) => socket.end(`HTTP/1.1 502 ${message}\r\n\r\n`)).write(head);
  pipeline(socket, onwards, socket, () => {});
}

/** @type {(host: string) => Promise<boolean>} */
async function isElsewhere(host) {
  const own = Object.values(networkInterfaces()).flatMap((each) => each?.map(({ address }) => address) ?? []);
  const found = await lookup(host.replace(/[[\]]/g, '') || HOST, { all: true }).catch(() => []);
  return found.every(({ address }) => !OURS.test(address) && !own.includes(address));
}
