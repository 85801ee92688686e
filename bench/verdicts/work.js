/**
 * Work of a known cost: the checksum of so many bytes. Native code, because in some starts V8 compiles a loop in JavaScript so
 * that it costs six times as much.
 */

import { crc32 } from 'node:zlib';

/** @param {Buffer} block */
export function work(block) {
  crc32(block);
}

/** Of the size of what is planted, so that the caches treat it alike. */
const TIMED = Buffer.alloc(4096);
const TIMES = 1000;
const TIMINGS = 25;

/** @returns {number} bytes a microsecond when nothing interrupts them: the quickest of several timings */
export function bytesPerUs() {
  const times = Array.from({ length: TIMINGS }, () => {
    const startedAt = performance.now();
    for (let i = 0; i < TIMES; i++) work(TIMED);
    return performance.now() - startedAt;
  });
  return (TIMES * TIMED.length) / (1000 * Math.min(...times));
}
