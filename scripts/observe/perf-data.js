/**
 * What a HotSpot JVM tells of itself in a file that anybody of its user may read: `hsperfdata`, version 2, as jstat reads it.
 * The JVM writes it whether or not somebody looks, so looking costs it nothing. Format: the JDK's
 * `src/hotspot/share/runtime/perfMemory.hpp`.
 */

const MAGIC = 0xcafec0c0;
const VERSION = 2;
const PROLOGUE = { littleEndian: 4, major: 5, accessible: 7, used: 8, entries: 24, count: 28 };
const ENTRY = { nameAt: 4, vectorLength: 8, type: 12, dataAt: 16 };
const LONG = 'J'.charCodeAt(0);
const TEXT = 'B'.charCodeAt(0);
/** The file is 32 KB unless the JVM is told otherwise; a stranger's program may write anything there. */
const MOST_ENTRIES = 10_000;

/** By name: numbers, and texts. @typedef {Map<string, number | string>} Counters */

/**
 * @param {Buffer} file
 * @returns {Counters | undefined} undefined where it is of no JVM, or of one that still starts
 */
export function parsePerfData(file) {
  try {
    return readCounters(file);
  } catch (error) {
    // A number in it led beyond its end.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** @param {Buffer} file @returns {Counters | undefined} @throws {RangeError} */
function readCounters(file) {
  if (file.readUInt32BE(0) !== MAGIC) return undefined;
  if (file.readUInt8(PROLOGUE.major) !== VERSION || file.readUInt8(PROLOGUE.accessible) === 0)
    return undefined;
  const isLittle = file.readUInt8(PROLOGUE.littleEndian) === 1;
  const int = (/** @type {number} */ at) => (isLittle ? file.readInt32LE(at) : file.readInt32BE(at));
  const long = (/** @type {number} */ at) =>
    Number(isLittle ? file.readBigInt64LE(at) : file.readBigInt64BE(at));
  /** @type {Counters} */
  const counters = new Map();
  let at = int(PROLOGUE.entries);
  for (let left = Math.min(int(PROLOGUE.count), MOST_ENTRIES); left > 0; left--) {
    const name = textAt(file, at + int(at + ENTRY.nameAt));
    const data = at + int(at + ENTRY.dataAt);
    const length = int(at + ENTRY.vectorLength);
    const type = file.readUInt8(at + ENTRY.type);
    if (type === LONG && length === 0) counters.set(name, long(data));
    else if (type === TEXT && length > 0) counters.set(name, textAt(file, data));
    at += int(at);
  }
  return counters;
}

/** @param {Buffer} file @param {number} at */
function textAt(file, at) {
  const end = file.indexOf(0, at);
  if (end < 0) throw new RangeError('a text without end');
  return file.toString('utf8', at, end);
}
