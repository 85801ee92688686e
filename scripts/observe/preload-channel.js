/** Preloads a module (with preload-answers.cjs) in a Node server's processes; each answers after a window. */

import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { preloading } from '../system/process/allowed-environment.js';

/** A server that was overloaded may have this much left to do first. */
const ANSWER_MS = 2000;
/** Characters of an answer, mostly. */
const LONGEST = 16_384;
/** Sent to the modules as a window begins and ends; they answer the second with a line. */
const BEGIN = 'b';
const END = 'e';

/**
 * @param {string | undefined} module a file
 * @param {{ variable: string, longest?: number, isAnswer: (value: any) => boolean, answerMs?: number,
 *   figuresOf?: (answers: any[]) => import('./observers.js').Observed }} options variable: of the
 *   environment, with the socket's path; longest: characters of an answer that are kept, since a foreign
 *   program may write anything; isAnswer: whether the module may have written it; answerMs: the most that
 *   answers take; figuresOf: makes a part of a window of each process's answer, undefined if there is none
 * @returns take: the answers outside of windows; scratch: the socket's folder
 */
export async function preload(module, options) {
  const { variable, longest = LONGEST, isAnswer, answerMs = ANSWER_MS, figuresOf = () => ({}) } = options;
  const scratch = await mkdtemp(join(tmpdir(), 'perf-inside-'));
  const path = join(scratch, 'socket');
  /** What each process wrote in this window. @type {Map<import('node:net').Socket, string>} */
  const written = new Map();
  const server = createServer((socket) => {
    written.set(socket, '');
    socket.setEncoding('utf8').on('data', (text) => {
      written.set(socket, `${written.get(socket)}${text}`.slice(-longest));
    });
    // The answer of one that ended in a window does not come.
    socket.on('error', () => {}).on('close', () => written.set(socket, '\n'));
    socket.unref();
  });
  await once(server.listen(path).unref(), 'listening');
  const send = (/** @type {string} */ word) => {
    for (const socket of written.keys()) if (socket.writable) socket.write(word);
  };
  const begin = () => {
    for (const socket of written.keys())
      if (socket.destroyed) written.delete(socket);
      else written.set(socket, '');
    send(BEGIN);
  };
  const end = async () => {
    send(END);
    const latest = performance.now() + answerMs;
    const isOpen = () => [...written.values()].some((text) => !text.endsWith('\n'));
    while (isOpen() && performance.now() < latest) await sleep(1);
    return [...written.values()].map((text) => parse(text, isAnswer));
  };
  return {
    /** @type {NodeJS.ProcessEnv} */
    env: { [variable]: path, ...preloading(module ? [module] : []) },
    scratch,
    start() {
      begin();
      return { stop: async () => figuresOf(await end()) };
    },
    take() {
      begin();
      return end();
    },
    async stop() {
      for (const socket of written.keys()) socket.destroy();
      server.close();
      await rm(scratch, { recursive: true, force: true });
    },
  };
}

/** Whether all are numbers, of bytes, times or seconds. @param {unknown[]} values */
export function areAmounts(values) {
  return values.every((value) => Number.isFinite(value) && Number(value) >= 0);
}

/** Reads the last line. @type {(text: string, isAnswer: (value: any) => boolean) => any} */
function parse(text, isAnswer) {
  try {
    const answer = JSON.parse(text.trim().split('\n').at(-1) ?? '');
    return isAnswer(answer) ? answer : undefined;
  } catch {
    return undefined;
  }
}
