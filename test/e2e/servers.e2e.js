/** Every server of the catalogue, installed, built, started and asked as its manifest says. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { whyNotBuilt } from '../../scripts/deploy/process/programs.js';
import { addressVariables } from '../../scripts/deploy/services.js';
import { startServer } from '../../scripts/deploy/start/start-server.js';
import { inBuildDir } from '../../scripts/deploy/source/build-dir.js';
import { prepare } from '../../scripts/deploy/install/prepare.js';
import { startServices } from '../../scripts/deploy/services/start-services.js';
import { verify } from '../../scripts/deploy/start/verify.js';
import { catalogServers } from '../../scripts/catalog/catalog.js';
import { startLoading } from '../../scripts/load/load.js';
import { thisProcess } from '../../scripts/system/this-project.js';
import { target } from '../load/target.js';
import { ROOT } from './tools.js';

const signal = new AbortController().signal;
const servers = catalogServers(ROOT, thisProcess());
const needed = [
  ...new Set(
    servers.flatMap(({ needs, routes }) => [needs, ...routes.map((route) => route.needs ?? [])]).flat(),
  ),
];
const { started, stop } = await startServices(needed, { sides: 1, env: process.env, signal });
after(stop);
const loading = startLoading();
after(() => loading.stop());
/** A JVM its options, Workerman that it starts and stops. */
const TELLS_ITSELF = /^(Picked up|Workerman\[)/;
const services = Object.assign({}, ...started.map(({ id, urlOf }) => addressVariables(id, urlOf(0))));

for (const server of servers) {
  const isJava = server.runtime === 'java';
  const skip = whyNotBuilt(server, process.env) ?? false;
  test(`${server.id} is prepared, starts, answers correctly and ends at SIGTERM`, { skip }, async (t) => {
    const placed = await inBuildDir(server, { env: process.env, out: '/nowhere', commits: new Map() });
    try {
      await prepare(placed, { signal });
    } catch (error) {
      const { message } = /** @type {Error} */ (error);
      // Composer's registry is not reached everywhere.
      if (/registry cannot be reached/.test(message)) return t.skip(message);
      throw error;
    }
    const instance = await startServer(placed, { signal, services });
    try {
      await verify(instance, server.routes);
      // A stream has no length.
      const routes = server.routes.filter(({ stream }) => !stream);
      // Express, Fastify and Nest announce the length that GET has.
      if (server.runtime === 'node' && routes[0]) await measuresHead(instance.url, routes[0].path);
      // Frameworks for Java answer a client of HTTP/1.0 without a length, and close.
      if (!isJava) for (const { path } of routes) await keepsAlive(instance.url, path);
    } finally {
      // A connection that is kept alive is no reason to stay: verify has left one open.
      await instance.stop();
    }
    assert.notEqual((await instance.exited).signal, 'SIGKILL');
    const log = instance.logTail();
    assert.deepEqual(
      log.filter((line) => !TELLS_ITSELF.test(line)),
      [],
    );
  });
}

for (const { id, folder } of servers.filter(({ runtime }) => runtime === 'node')) {
  test(`${id} locks what it installs, and no registry`, () => {
    const { lockfileVersion, packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
    assert.equal(lockfileVersion, 3);
    for (const [path, { resolved }] of Object.entries(packages)) assert.equal(resolved, undefined, path);
  });
}

/** @type {(url: string, path: string | undefined) => Promise<void>} */
async function measuresHead(url, path) {
  const asked = target(url, { rate: 200 }, { method: 'HEAD', path });
  const { requests, errors } = await loading.load({ ...asked, signal });
  assert.ok(requests > 50, `${requests} requests`);
  assert.deepEqual(errors, { timeouts: 0, connect: 0, non2xx: 0 });
}

/**
 * Asks twice on one connection in HTTP/1.0, as ab does, which needs the length of the answer beforehand.
 * @param {string} url
 * @param {string} path
 */
async function keepsAlive(url, path) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).setEncoding('latin1').setTimeout(5000);
  socket.on('timeout', () => socket.destroy(new Error(`${path}: no second answer`)));
  try {
    for (const turn of ['first', 'second']) {
      socket.write(`GET ${path} HTTP/1.0\r\nHost: ${hostname}\r\nConnection: Keep-Alive\r\n\r\n`);
      assert.match(await answerOn(socket), /^HTTP\/1\.[01] 200 /, `${path}: the ${turn} answer`);
    }
  } finally {
    socket.destroy();
  }
}

/**
 * @param {import('node:net').Socket} socket
 * @returns {Promise<string>} one answer with its body, by its own Content-Length
 */
async function answerOn(socket) {
  for (let text = ''; ;) {
    const [chunk] = await Promise.race([once(socket, 'data'), once(socket, 'end')]);
    assert.ok(chunk !== undefined, `the connection was closed after: ${text}`);
    text += chunk;
    const [head = '', body] = text.split('\r\n\r\n');
    if (body === undefined) continue;
    const length = /^content-length: (\d+)$/im.exec(head)?.[1];
    assert.ok(length !== undefined, `no Content-Length in: ${head}`);
    if (body.length >= Number(length)) return text;
  }
}
