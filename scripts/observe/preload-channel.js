/**
 * A module of ours in every process of a Node server, and the socket that it answers on.
 * @import { Socket } from 'node:net'
 */

import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { preloading } from '../system/process/environment.js';

/** A server that has just been overloaded may have this much left to do first. */
const ANSWER_MS = 2000;

/** What the modules hear: a window begins, a window ends. The second is answered with a line. */
const [BEGIN, END] = ['b', 'e'];

/**
 * env: what the server is started with; scratch: where the socket is; end: what each process said of the window, as text
 * @typedef {{ env: NodeJS.ProcessEnv, scratch: string, begin: () => void, end: () => Promise<string[]>, stop: () => Promise<void> }} Preloaded
 */

/**
 * @param {string} module the file that is preloaded
 * @param {{ variable: string, longest: number }} how variable: tells it where the socket is; longest: as much of what a
 *   process says is kept, since a stranger's code may say anything
 * @returns {Promise<Preloaded>}
 */
export async function preload(module, { variable, longest }) {
  const folder = await mkdtemp(join(tmpdir(), 'perf-inside-'));
  const path = join(folder, 'socket');
  /** The last that each process said. @type {Map<Socket, string>} */
  const said = new Map();
  const server = createServer((socket) => {
    said.set(socket, '');
    socket.setEncoding('utf8').on('data', (text) => {
      said.set(socket, `${said.get(socket)}${text}`.slice(-longest));
    });
    socket.on('error', () => {}).on('close', () => said.delete(socket));
    socket.unref();
  });
  await once(server.listen(path).unref(), 'listening');
  const send = (/** @type {string} */ word) => {
    for (const socket of said.keys()) if (socket.writable) socket.write(word);
  };
  return {
    env: { [variable]: path, ...preloading([module]) },
    scratch: folder,
    begin() {
      for (const socket of said.keys()) said.set(socket, '');
      send(BEGIN);
    },
    async end() {
      send(END);
      const patient = performance.now() + ANSWER_MS;
      const isOpen = () => [...said.values()].some((text) => !text.endsWith('\n'));
      while (isOpen() && performance.now() < patient) await sleep(1);
      return [...said.values()].map((text) => text.trim().split('\n').at(-1) ?? '');
    },
    async stop() {
      for (const socket of said.keys()) socket.destroy();
      server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
