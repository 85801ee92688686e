/**
 * Runtime metrics of a Java server: `gc`, `heapBytes` and `jvm`, from the counters that every HotSpot JVM keeps in a file for jstat and
 * jcmd. Nothing is put into the server, nothing is asked of it.
 * @import { Window } from '../../types.js'
 * @import { Observer } from '../observers.js'
 * @import { Processes } from '../../system/process/proc.js'
 * @import { Counters } from '../perf-data.js'
 */

import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { parsePerfData } from '../perf-data.js';
import { sum } from '../cpu-accounting.js';

/** Whatever TMPDIR says: the JVM's own tools look nowhere else. */
const FOLDER = '/tmp';

/**
 * The counters of one JVM.
 * @typedef {object} Reading
 * @property {number} collections since its start
 * @property {number} pausedMs the time of all collections
 * @property {number} lastMs the time of the last collection
 * @property {number} usedBytes of the heap
 * @property {number} metaspaceBytes
 * @property {number} threads
 * @property {number} classes
 * @property {number} compiledMs the time that its compilers worked
 */

/** @type {Observer} */
export const jvm = {
  label: 'heap, garbage collection, threads, classes and compilers of Java servers',
  reads: '/tmp/hsperfdata_USER/PID',
  platforms: ['linux'],
  runtimes: ['java'],
  start() {
    /** @type {Map<number, { first: Reading, last: Reading, longestMs: number }>} */
    const seen = new Map();
    let heapBytes = 0;
    return {
      sample(/** @type {Processes} */ server) {
        const readings = [...server.keys()].flatMap((pid) => readingOf(pid) ?? []);
        for (const { pid, ...reading } of readings) {
          const { first, last, longestMs } = seen.get(pid) ?? { first: reading, last: reading, longestMs: 0 };
          seen.set(pid, {
            ...{ first, last: reading },
            longestMs: Math.max(longestMs, longestBetween(last, reading)),
          });
        }
        heapBytes = Math.max(heapBytes, sum(readings.map(({ usedBytes }) => usedBytes)));
      },
      stop: () => (seen.size > 0 ? { ...figuresOf([...seen.values()]), heapBytes } : {}),
    };
  },
};

/**
 * @param {{ first: Reading, last: Reading, longestMs: number }[]} all
 * @returns {Pick<Window, 'gc' | 'jvm'>}
 */
function figuresOf(all) {
  /** @param {keyof Reading} name */
  const grown = (name) => Math.max(0, sum(all.map(({ first, last }) => last[name] - first[name])));
  /** @param {keyof Reading} name */
  const now = (name) => Math.max(0, sum(all.map(({ last }) => last[name])));
  return {
    gc: {
      count: grown('collections'),
      pauseMs: rounded(grown('pausedMs')),
      longestMs: rounded(Math.max(...all.map(({ longestMs }) => longestMs))),
    },
    jvm: {
      metaspaceBytes: now('metaspaceBytes'),
      threads: now('threads'),
      classes: now('classes'),
      compileMs: rounded(grown('compiledMs')),
    },
  };
}

/**
 * The counters tell the last pause; where several lay between two looks, also how long they were on average.
 * @param {Reading} before
 * @param {Reading} after
 * @returns {number} milliseconds; 0 without one
 */
function longestBetween(before, after) {
  const count = after.collections - before.collections;
  return count > 0 ? Math.max(after.lastMs, (after.pausedMs - before.pausedMs) / count) : 0;
}

/**
 * @param {number} pid
 * @returns {(Reading & { pid: number }) | undefined} undefined where it is no JVM, or one that keeps no such file
 */
function readingOf(pid) {
  const counters = countersOf(pid);
  if (!counters) return undefined;
  const number = (/** @type {string} */ name) => {
    const value = counters.get(name);
    return typeof value === 'number' && Number.isSafeInteger(value) ? value : 0;
  };
  const all = (/** @type {RegExp} */ pattern) =>
    [...counters.keys()].filter((name) => pattern.test(name)).map(number);
  const msPerTick = 1000 / Math.max(1, number('sun.os.hrt.frequency'));
  const collectors = [...counters.keys()].flatMap(
    (name) => /^(sun\.gc\.collector\.\d+)\.name$/.exec(name)?.[1] ?? [],
  );
  const latest = collectors.toSorted((a, b) => number(`${b}.lastExitTime`) - number(`${a}.lastExitTime`))[0];
  return {
    pid,
    collections: sum(all(/^sun\.gc\.collector\.\d+\.invocations$/)),
    pausedMs: sum(all(/^sun\.gc\.collector\.\d+\.time$/)) * msPerTick,
    lastMs: Math.max(0, number(`${latest}.lastExitTime`) - number(`${latest}.lastEntryTime`)) * msPerTick,
    usedBytes: sum(all(/^sun\.gc\.generation\.\d+\.space\.\d+\.used$/)),
    metaspaceBytes: number('sun.gc.metaspace.used'),
    threads: number('java.threads.live'),
    classes:
      number('java.cls.loadedClasses') +
      number('java.cls.sharedLoadedClasses') -
      number('java.cls.unloadedClasses') -
      number('java.cls.sharedUnloadedClasses'),
    compiledMs: number('java.ci.totalTime') * msPerTick,
  };
}

/** @param {number} pid @returns {Counters | undefined} */
function countersOf(pid) {
  try {
    return parsePerfData(readFileSync(join(FOLDER, `hsperfdata_${userInfo().username}`, String(pid))));
  } catch (error) {
    // No JVM, one without the file (-XX:-UsePerfData), or one that has just ended.
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  }
}

/** @param {number} value */
function rounded(value) {
  return Math.round(value * 1000) / 1000;
}
