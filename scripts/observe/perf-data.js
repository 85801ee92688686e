/**
 * Parses `hsperfdata`, version 2: the counters of a HotSpot JVM, in a file that its user's programs may read.
 * Format: the JDK's `src/hotspot/share/runtime/perfMemory.hpp`.
 */

const MAGIC = 0xcafec0c0;
const VERSION = 2;
const PROLOGUE = { littleEndian: 4, major: 5, accessible: 7, entries: 24, count: 28 };
const ENTRY = { name: 4, vectorLength: 8, type: 12, data: 16 };
const LONG = 'J'.charCodeAt(0);
const TEXT = 'B'.charCodeAt(0);
/** The file has 32 KB unless the JVM is started otherwise; a foreign program may write anything there. */
const MOST_ENTRIES = 10_000;

/** By name: numbers, and texts. @typedef {Map<string, number | string>} Counters */

/**
 * Undefined if no JVM wrote it, or one that is still starting.
 * @type {(file: Buffer) => Counters | undefined}
 */
export function parsePerfData(file) {
  try {
    if (file.readUInt32BE(0) !== MAGIC || file.readUInt8(PROLOGUE.major) !== VERSION) return undefined;
    if (file.readUInt8(PROLOGUE.accessible) === 0) return undefined;
    const view = new DataView(file.buffer, file.byteOffset, file.length);
    const isLittle = file.readUInt8(PROLOGUE.littleEndian) === 1;
    const int = (/** @type {number} */ offset) => view.getInt32(offset, isLittle);
    /** @type {Counters} */
    const counters = new Map();
    let entry = int(PROLOGUE.entries);
    for (let left = Math.min(int(PROLOGUE.count), MOST_ENTRIES); left > 0; left--) {
      const name = textAt(file, entry + int(entry + ENTRY.name));
      const data = entry + int(entry + ENTRY.data);
      const length = int(entry + ENTRY.vectorLength);
      const type = file.readUInt8(entry + ENTRY.type);
      if (type === LONG && length === 0) counters.set(name, Number(view.getBigInt64(data, isLittle)));
      else if (type === TEXT && length > 0) counters.set(name, textAt(file, data));
      entry += int(entry);
    }
    return counters;
  } catch (error) {
    // An offset in it lies beyond its end.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** @type {(file: Buffer, offset: number) => string} */
function textAt(file, offset) {
  const end = file.indexOf(0, offset);
  if (end < 0) throw new RangeError('a text without end');
  return file.toString('utf8', offset, end);
}
