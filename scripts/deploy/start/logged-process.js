/** @import { Readable } from 'node:stream' */
/** @import { Command } from '../../types.js' */
/** @import { ProcessGroup } from '../../system/process/process-group.js' */

import { startProcessGroup } from '../../system/process/process-group.js';
import { SHELL_WORDS } from '../../system/process/shell.js';

/** Optional assignments, then one command with its arguments. */
const ONE_COMMAND = /^\s*((?:[A-Za-z_]\w*=[^\s'"\\`]*\s+)*)(([\w./:@%+-]+)(?:\s[^;&|()<>`\n]*)?)$/;

const TAIL_LINES = 20;
const HEAD_LINES = 10;
/** Bounds the memory for programs that never end a line. */
const LINE_CHARACTERS = 4096;

const TROUBLE = /\b(error|err!|fatal|exception|panic|traceback|cannot|can't|failed|not found)\b/i;

/**
 * @typedef {object} Log Without blank lines.
 * @property {() => string[]} logTail the last lines
 * @property {() => string[]} logHead lines before the tail, from the first that reports trouble, else from the start: npm prints the
 *   cause at the top
 * @property {() => number | undefined} quietMs since it last printed; undefined if it printed nothing
 *
 * @typedef {Pick<ProcessGroup, 'pid' | 'ancestor' | 'exited' | 'hasExited' | 'left' | 'stop'> & Log} Group
 */

/**
 * Starts a command as a process group, and keeps its first and last lines.
 * @param {Command} command
 * @param {{ cwd: string, env: NodeJS.ProcessEnv, uid?: number, gid?: number, scratch?: string, core?: string }} options uid, gid: another
 *   user's; scratch: a folder that is removed if the engine dies; core: the only one that it may use
 * @returns {Promise<Group>}
 * @throws {Error} if the command cannot be started, with the system's code
 */
export async function startGroup(command, { core, ...options }) {
  const argv = core === undefined ? argvOf(command) : ['taskset', '--cpu-list', core, ...argvOf(command)];
  const { child, ...group } = await startProcessGroup(argv, options);
  return { ...group, ...keepLog([child.stdout, child.stderr]) };
}

/**
 * A string runs through sh, an array is executed directly. `exec` replaces the shell by a single program: a waiting shell would
 * hide how the program ends, and be measured with it. Debian's shell does not do so by itself.
 * @param {Command} command
 */
function argvOf(command) {
  if (typeof command !== 'string') return command;
  const [, assignments, rest, word = ''] = ONE_COMMAND.exec(command) ?? [];
  return ['sh', '-c', rest && !SHELL_WORDS.includes(word) ? `${assignments}exec ${rest}` : command];
}

/** @param {(Readable | null)[]} streams lines of one may interrupt those of another @returns {Log} */
function keepLog(streams) {
  /** @type {number | undefined} */
  let printedAt;
  /** @type {string[]} */
  let tail = [];
  /** @type {string[]} */
  let head = [];
  let count = 0;
  let headAt = 0;
  let isTroubled = false;
  const rests = streams.map(() => '');

  /** @param {string} line */
  const keep = (line) => {
    if (!isTroubled && TROUBLE.test(line)) {
      isTroubled = true;
      headAt = count;
      head = [];
    }
    if (head.length < HEAD_LINES) head.push(line);
    tail = [...tail, line].slice(-TAIL_LINES);
    count++;
  };
  for (const [index, stream] of streams.entries()) {
    stream?.setEncoding('utf8').on('data', (chunk) => {
      printedAt = performance.now();
      const lines = (rests[index] + chunk).split('\n');
      rests[index] = (lines.pop() ?? '').slice(-LINE_CHARACTERS);
      for (const line of lines.filter(isNotBlank)) keep(line.slice(0, LINE_CHARACTERS));
    });
  }
  const open = () => rests.filter(isNotBlank);
  return {
    logTail: () => [...tail, ...open()].slice(-TAIL_LINES),
    logHead: () => head.slice(0, Math.max(0, count + open().length - TAIL_LINES - headAt)),
    quietMs: () => (printedAt === undefined ? undefined : performance.now() - printedAt),
  };
}

/** @param {string} line */
function isNotBlank(line) {
  return line.trim() !== '';
}
