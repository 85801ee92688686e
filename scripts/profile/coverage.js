/**
 * Which functions of a Node server were executed since it was last asked, by V8's precise coverage. It costs
 * time, so no start that is measured has it.
 * @import { Inside } from '../observe/observers.js'
 */

import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { preload } from '../observe/preload-channel.js';

const MODULE = fileURLToPath(new URL('./coverage-preload.cjs', import.meta.url));
/** Characters of an answer; the first has all sources, of a NestJS application 10 million. */
const LONGEST = 2 ** 28;
const ANSWER_MS = 30_000;

/** Begins the names of scripts of eval, new Function and vm, which end with a hash of their text. */
export const GENERATED = 'generated code';

/**
 * Of one process. scripts: those that are new; start: what ran before its first request, in the first answer
 * @typedef {object} Answer
 * @property {number} pid
 * @property {string} version
 * @property {number} workers
 * @property {number} programs
 * @property {string[]} assemblies
 * @property {Record<string, string>} files
 * @property {{ id: string, url: string, text: string }[]} scripts
 * @property {Executed} start
 * @property {Executed} ran
 *
 * By script.
 * @typedef {[id: string, functions: [name: string, start: number, end: number][]][]} Executed
 *
 * A function that was executed; offsets of its source.
 * @typedef {{ file: string, name: string, start: number, end: number }} Ran
 *
 * What one side executed.
 * @typedef {object} Recording
 * @property {string} version of Node
 * @property {Map<string, { hash: string, text: string }>} files sources, by name: relative to the server's
 *   folder, or node_modules/name/...
 * @property {Ran[]} start before the first request
 * @property {Ran[]} first by the first requests
 * @property {Ran[]} idle while nothing was asked
 * @property {Map<string, Ran[][]>} routes by id, of each further time that it was asked
 * @property {Map<string, string>} others files that are not JavaScript, and WebAssembly, with a hash of each
 * @property {Unseen[]} unseen
 *
 * silent: a process did not answer; worker, program: there is code that coverage does not see
 * @typedef {'silent' | 'worker' | 'program'} Unseen
 */

/**
 * @returns {Promise<Inside & { take: () => Promise<(Answer | undefined)[]> }>} take: what ran since it was
 *   last called, one a process
 */
export async function enterCoverage() {
  const { begin, end, ...rest } = await preload(MODULE, {
    ...{ variable: 'PERF_ACTION_COVERAGE', longest: LONGEST, answerMs: ANSWER_MS },
    isAnswer,
  });
  const take = () => {
    begin();
    return end();
  };
  return { ...rest, take, start: () => ({ stop: async () => ({}) }) };
}

/**
 * @param {any} answer
 * @returns {answer is Answer}
 */
function isAnswer(answer) {
  return [answer.scripts, answer.start, answer.ran].every(Array.isArray);
}

/** @param {{ folder: string, tree: string }} place of the server; tree: the checkout that contains it */
export function recorder({ folder, tree }) {
  const [from, top] = [realpathSync(folder), realpathSync(tree)];
  /** @type {Recording} */
  const recording = {
    ...{ version: '', files: new Map(), start: [], first: [], idle: [], routes: new Map() },
    ...{ others: new Map(), unseen: [] },
  };
  /** Names of files, by process and script. @type {Map<string, string>} */
  const names = new Map();
  /** @type {Map<number, Answer>} the last of each process */
  const last = new Map();
  /** @type {Set<number>} processes that did something when a route was asked */
  const serving = new Set();
  const nameOf = (/** @type {string} */ url) => {
    const file = url.startsWith('file:') ? fileURLToPath(url) : url;
    const packages = file.lastIndexOf('/node_modules/');
    if (packages >= 0) return file.slice(packages + 1);
    // The checkouts of both sides have different places.
    return file.startsWith(`${top}/`) ? relative(from, file) : file;
  };
  /** @param {Answer} answer */
  const know = ({ pid, scripts }) => {
    for (const { id, url, text } of scripts) {
      const hash = createHash('sha1').update(text).digest('hex');
      const isFile = url.startsWith('file:') || url.startsWith('/');
      const name = isFile ? nameOf(url) : `${GENERATED} ${hash}`;
      // One file may be loaded in several forms.
      const known = recording.files.get(name);
      const file = known && known.hash !== hash ? `${name}?${hash}` : name;
      recording.files.set(file, { hash, text });
      names.set(`${pid} ${id}`, file);
    }
  };
  /**
   * @param {number} pid
   * @param {Executed} executed
   * @returns {Ran[]}
   */
  const ranIn = (pid, executed) =>
    executed.flatMap(([id, functions]) => {
      const file = names.get(`${pid} ${id}`);
      return file === undefined ? [] : functions.map(([name, start, end]) => ({ file, name, start, end }));
    });
  /**
   * @param {(Answer | undefined)[]} answers
   * @param {string} route that was asked, and repeats itself; empty: none
   * @returns {Ran[]}
   */
  const note = (answers, route) => {
    if (answers.length === 0 || answers.includes(undefined)) recording.unseen.push('silent');
    return answers.flatMap((answer) => {
      if (!answer) return [];
      const { pid, start, ran } = answer;
      know(answer);
      last.set(pid, answer);
      recording.start.push(...ranIn(pid, start));
      if (route !== '' && ran.length > 0) serving.add(pid);
      return ranIn(pid, ran);
    });
  };
  /** @returns {Recording} */
  const end = () => {
    // npm, which starts many a server, is a Node process, too.
    const own = [...last.values()].filter(({ pid }) => serving.has(pid));
    if (own.length === 0) recording.unseen.push('silent');
    for (const { version, workers, programs, assemblies, files } of own) {
      recording.version = version;
      if (workers > 0) recording.unseen.push('worker');
      if (programs > 0) recording.unseen.push('program');
      for (const url of assemblies) recording.others.set(url, url);
      for (const [file, hash] of Object.entries(files)) recording.others.set(nameOf(file), hash);
    }
    return recording;
  };
  return { recording, note, end };
}
