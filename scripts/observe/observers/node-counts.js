/**
 * What a Node server's requests cost that no clock moves: `allocatedBytes` and `outgoing`. The module that is
 * preloaded into each of its processes is read at both ends of a window.
 * @import { Count, Window } from '../../types.js'
 * @import { Inside, Observer } from '../observers.js'
 */

import { sum } from 'd3-array';
import { fileURLToPath } from 'node:url';
import { totals } from '../../model/totals.js';
import { areAmounts, preload } from '../preload-channel.js';

const MODULE = fileURLToPath(new URL('./node-counts-preload.cjs', import.meta.url));

/** @typedef {{ allocatedBytes?: number, outgoing?: Omit<Count, 'idle'> & { idle?: number } }} Reading */

/** @type {Observer} */
export const nodeCounts = { runtimes: ['node'], enter: () => enterCounting(MODULE) };

/** Without a module, its caller adds what answers. @type {(module?: string) => Promise<Inside>} */
export async function enterCounting(module) {
  const { take, ...inside } = await preload(module, {
    variable: 'PERF_ACTION_COUNTS',
    isAnswer: ({ allocatedBytes = 0, outgoing: { count, idle = 0, by } = { count: 0, by: {} } }) =>
      areAmounts([allocatedBytes, count, idle, ...Object.values(by)]),
    figuresOf,
  });
  // A JVM's answer goes on from the last one, and would count what it does meanwhile.
  return { ...inside, counts: true, ...(module && { rest: take }) };
}

/**
 * Undefined stands for a process that did not answer, whose counts would be missing.
 * @type {(readings: (Reading | undefined)[]) => Partial<Window>}
 */
function figuresOf(readings) {
  const known = readings.flatMap((reading) => reading ?? []);
  if (known.length === 0 || known.length < readings.length) return {};
  const sent = known.flatMap(({ outgoing }) => outgoing ?? []);
  const by = totals(sent.flatMap((each) => Object.entries(each.by)));
  const bytes = known.flatMap(({ allocatedBytes }) => allocatedBytes ?? []);
  return {
    ...(bytes.length === known.length && { allocatedBytes: sum(bytes) }),
    ...(sent.length === known.length && {
      outgoing: {
        count: sum(sent, ({ count }) => count),
        ...(sent.every(({ idle }) => idle !== undefined) && { idle: sum(sent, ({ idle }) => idle) }),
        by: Object.fromEntries(by),
      },
    }),
  };
}
