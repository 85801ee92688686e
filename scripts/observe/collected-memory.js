/**
 * The memory of a Node server after a forced garbage collection.
 * @import { MemoryReading } from '../types.js'
 * @import { Inside } from './observers.js'
 */

import { sum } from 'd3-array';
import { fileURLToPath } from 'node:url';
import { areAmounts, preload } from './preload-channel.js';

const MODULE = fileURLToPath(new URL('./collected-memory-preload.cjs', import.meta.url));
/** Two collections of a heap of several gigabytes take this long on a busy machine. */
const ANSWER_MS = 30_000;

/** Of all processes. @typedef {Pick<MemoryReading, 'heapBytes' | 'externalBytes' | 'rssBytes'>} Memory */

/**
 * It fills no field of a window: the caller decides when to read; undefined where a process did not answer.
 * @type {() => Promise<Inside & { read: () => Promise<Memory | undefined> }>}
 */
export async function enterCollecting() {
  const { take, ...inside } = await preload(MODULE, {
    variable: 'PERF_ACTION_COLLECTED_MEMORY',
    isAnswer: (memory) => areAmounts([memory.heapBytes, memory.externalBytes, memory.rssBytes]),
    answerMs: ANSWER_MS,
  });
  return {
    ...inside,
    async read() {
      const answers = await take();
      const memories = answers.flatMap((memory) => memory ?? []);
      if (answers.length === 0 || memories.length < answers.length) return undefined;
      return {
        heapBytes: sum(memories, ({ heapBytes }) => heapBytes),
        externalBytes: sum(memories, ({ externalBytes }) => externalBytes),
        rssBytes: sum(memories, ({ rssBytes }) => rssBytes),
      };
    },
  };
}
