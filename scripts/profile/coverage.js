/**
 * Which functions of a Node server were executed since it was last asked, by V8's precise coverage. It costs
 * time, so no start that is measured has it.
 * @import { TouchedReason } from '../types.js'
 * @import { Inside } from '../observe/observers.js'
 */

import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { preload } from '../observe/preload-channel.js';

const MODULE = fileURLToPath(new URL('./coverage-preload.cjs', import.meta.url));
/** longest: the first answer has all sources, of a NestJS application 10 million characters. */
const CHANNEL = {
  ...{ variable: 'PERF_ACTION_COVERAGE', longest: 2 ** 28, answerMs: 30_000 },
  isAnswer: (/** @type {any} */ { scripts, start, ran }) => [scripts, start, ran].every(Array.isArray),
};

/** Begins the names of scripts of eval, new Function and vm, which end with a hash of their text. */
export const GENERATED = 'generated code';

/** By script. @typedef {[id: string, functions: [name: string, start: number, end: number][]][]} Executed */
/** A function that was executed. @typedef {{ file: string, name: string, start: number, end: number }} Ran */
/**
 * One process's answer. scripts: those that are new; start: what ran before its first request
 * @typedef {{ pid: number, version: string, unseen: TouchedReason['why'][], others: Record<string, string>,
 *   scripts: { id: string, url: string, text: string }[], start: Executed, ran: Executed }} Answer
 */
/**
 * What one side executed. version: of Node, empty if no process served; files: sources, by name; start:
 * before the first request; first: by the first requests; idle: while nothing was asked; routes: each further
 * time that one was asked, by id; others: files that are not JavaScript, and WebAssembly, with a hash of each
 * @typedef {{ version: string, files: Map<string, string>, start: Ran[], first: Ran[], idle: Ran[],
 *   routes: Map<string, Ran[][]>, others: Map<string, string>, unseen: TouchedReason['why'][] }} Recording
 */

/**
 * take: what ran since it was last called, one a process
 * @returns {Promise<Inside & { take: () => Promise<(Answer | undefined)[]> }>}
 */
export function enterCoverage() {
  return preload(MODULE, CHANNEL);
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
  /** Processes that did something when a route was asked: npm is one of Node, too. @type {Set<number>} */
  const serving = new Set();
  const nameOf = (/** @type {string} */ url) => {
    const file = url.startsWith('file:') ? fileURLToPath(url) : url;
    const packages = file.lastIndexOf('/node_modules/');
    if (packages >= 0) return file.slice(packages + 1);
    // The checkouts of both sides have different places.
    return file.startsWith(`${top}/`) ? relative(from, file) : file;
  };
  /** @type {(pid: number, executed: Executed) => Ran[]} */
  const ranIn = (pid, executed) =>
    executed.flatMap(([id, functions]) => {
      const file = names.get(`${pid} ${id}`) ?? '';
      return functions.map(([name, start, end]) => ({ file, name, start, end }));
    });
  /** route: was asked, repeats itself. @type {(all: (Answer | undefined)[], route?: string) => Ran[]} */
  const note = (answers, route) => {
    if (answers.length === 0 || answers.includes(undefined)) recording.unseen.push('silent');
    return answers.flatMap((answer) => {
      if (!answer) return [];
      const { pid, scripts, start, ran } = answer;
      for (const { id, url, text } of scripts) {
        const hash = createHash('sha1').update(text).digest('hex');
        const name = /^(file:|\/)/.test(url) ? nameOf(url) : `${GENERATED} ${hash}`;
        // One file may be loaded in several forms.
        const file = (recording.files.get(name) ?? text) === text ? name : `${name}?${hash}`;
        recording.files.set(file, text);
        names.set(`${pid} ${id}`, file);
      }
      recording.start.push(...ranIn(pid, start));
      if (route !== undefined && ran.length > 0) serving.add(pid);
      if (serving.has(pid)) {
        recording.version = answer.version;
        recording.unseen.push(...answer.unseen);
        for (const [file, hash] of Object.entries(answer.others)) recording.others.set(nameOf(file), hash);
      }
      return ranIn(pid, ran);
    });
  };
  return { recording, note };
}
