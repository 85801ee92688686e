/**
 * What a Node server's requests cost that no clock moves: `allocatedBytes` and `outgoing`. The module that is
 * preloaded into each of its processes is read at both ends of a window.
 * @import { Count, Window } from '../../types.js'
 * @import { Observer } from '../observers.js'
 */

import { rollup, sum } from 'd3-array';
import { fileURLToPath } from 'node:url';
import { areAmounts, preload } from '../preload-channel.js';

const MODULE = fileURLToPath(new URL('./node-counts-preload.cjs', import.meta.url));
/** Characters of a process's answer; a foreign program may write anything. */
const LONGEST = 16_384;

/** @typedef {{ allocatedBytes?: number, outgoing: Omit<Count, 'idle'> & { idle?: number } }} Reading */

/** @type {Observer} */
export const nodeCounts = {
  label: 'allocated bytes and outgoing requests of Node servers',
  platforms: ['linux'],
  runtimes: ['node'],
  counts: true,
  async enter() {
    const { begin, end, ...rest } = await preload(MODULE, {
      variable: 'PERF_ACTION_COUNTS',
      longest: LONGEST,
      isAnswer: ({ allocatedBytes = 0, outgoing: { count, idle = 0, by } }) =>
        areAmounts([allocatedBytes, count, idle, ...Object.values(by)]),
    });
    return {
      ...rest,
      counts: true,
      start() {
        begin();
        return { stop: async () => figuresOf(await end()) };
      },
    };
  },
};

/**
 * Undefined stands for a process that did not answer, whose counts would be missing.
 * @type {(readings: (Reading | undefined)[]) => Partial<Window>}
 */
function figuresOf(readings) {
  const known = readings.flatMap((reading) => reading ?? []);
  if (known.length === 0 || known.length < readings.length) return {};
  const sent = known.map(({ outgoing }) => outgoing);
  const by = rollup(
    sent.flatMap((each) => Object.entries(each.by)),
    (hosts) => sum(hosts, ([, count]) => count),
    ([host]) => host,
  );
  return {
    ...(known.every(({ allocatedBytes }) => allocatedBytes !== undefined) && {
      allocatedBytes: sum(known, ({ allocatedBytes }) => allocatedBytes),
    }),
    outgoing: {
      count: sum(sent, ({ count }) => count),
      ...(sent.every(({ idle }) => idle !== undefined) && { idle: sum(sent, ({ idle }) => idle) }),
      by: Object.fromEntries(by),
    },
  };
}
