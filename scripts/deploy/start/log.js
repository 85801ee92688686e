/** What a child printed: its last lines, and the first that tell of trouble, which later ones bury (npm's cause is at the top). */

const TAIL_LINES = 20;
const HEAD_LINES = 10;
/** Bounds what a program can make us keep that prints without ever ending a line. */
const LINE_CHARACTERS = 4096;

const TROUBLE = /\b(error|err!|fatal|exception|panic|traceback|cannot|can't|failed|not found)\b/i;

/**
 * tail: its last lines; head: those from the first on that tells of trouble, else from its very first, as far as they come
 * before the tail; quietMs: since it last printed, undefined where it printed nothing.
 * @typedef {{ tail: () => string[], head: () => string[], quietMs: () => number | undefined }} Log
 */

/**
 * @param {(import('node:stream').Readable | null)[]} streams each may be in the middle of a line of its own
 * @returns {Log} without blank lines
 */
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
    tail: () => [...tail, ...open()].slice(-TAIL_LINES),
    head: () => head.slice(0, Math.max(0, count + open().length - TAIL_LINES - headAt)),
    quietMs: () => (printedAt === undefined ? undefined : performance.now() - printedAt),
  };
}

/** @param {string} line */
function isNotBlank(line) {
  return line.trim() !== '';
}
