/** @import { Readable } from 'node:stream' */

const TAIL_LINES = 20;
const HEAD_LINES = 10;
/** Bounds the memory for programs that never end a line. */
const LINE_CHARACTERS = 4096;

const TROUBLE = /\b(error|err!|fatal|exception|panic|traceback|cannot|can't|failed|not found)\b/i;

/**
 * @typedef {object} Log Without blank lines.
 * @property {() => string[]} logTail the last lines
 * @property {() => string[]} logHead lines before the tail, from the first that reports trouble, else from
 *   the start: npm prints the cause at the top
 * @property {() => number | undefined} quietMs since it last printed; undefined if it printed nothing
 */

/** Keeps what is printed first and last; lines may mingle. @type {(streams: (Readable | null)[]) => Log} */
export function keepLog(streams) {
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
