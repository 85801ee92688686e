/**
 * A Java server's `gc`, `heapBytes` and `jvm`, from counters that HotSpot keeps in a file for jstat and jcmd.
 * @import { Observer } from '../observers.js'
 * @import { Counters } from '../perf-data.js'
 */

import { max, sum } from 'd3-array';
import { userInfo } from 'node:os';
import { UserError } from '../../model/errors.js';
import { readBounded } from '../../system/bounded-file.js';
import { parsePerfData } from '../perf-data.js';
import { rounded } from './runtime-metrics.js';

/** The measured program may write anything there; see also MOST_ENTRIES. */
const LARGEST_BYTES = 2 ** 20;

/** @typedef {ReturnType<typeof figuresOf>} Reading */
/** @typedef {{ first: Reading, last: Reading, longestMs: number }} Readings */

/** @type {Observer} */
export const jvm = {
  runtimes: ['java'],
  start() {
    /** @type {Map<number, Readings>} */
    const seen = new Map();
    let heapBytes = 0;
    return {
      sample(server) {
        let usedBytes = 0;
        for (const pid of server.keys()) {
          const counters = countersOf(pid);
          if (!counters) continue;
          const reading = figuresOf(counters);
          const { first, last, longestMs } = seen.get(pid) ?? { first: reading, last: reading, longestMs: 0 };
          const count = reading.collections - last.collections;
          // The counters hold the last pause; of several, one was at least their mean.
          const pauseMs =
            count > 0 ? Math.max(reading.lastMs, (reading.pausedMs - last.pausedMs) / count) : 0;
          seen.set(pid, { first, last: reading, longestMs: Math.max(longestMs, pauseMs) });
          usedBytes += reading.usedBytes;
        }
        heapBytes = Math.max(heapBytes, usedBytes);
      },
      stop: () => (seen.size > 0 ? { ...joined([...seen.values()]), heapBytes } : {}),
    };
  },
};

/**
 * Undefined if it is not a JVM, or has no file (-XX:-UsePerfData), or has just ended.
 * @type {(pid: number) => Counters | undefined}
 */
function countersOf(pid) {
  try {
    // The JVM's own tools look only here, whatever TMPDIR says.
    return parsePerfData(
      readBounded(`/tmp/hsperfdata_${userInfo().username}/${pid}`, { bytes: LARGEST_BYTES }),
    );
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}

/** @param {Counters} counters since the JVM's start */
function figuresOf(counters) {
  const number = (/** @type {string} */ name) => {
    const value = counters.get(name);
    return typeof value === 'number' && Number.isSafeInteger(value) ? value : 0;
  };
  const names = [...counters.keys()];
  const total = (/** @type {RegExp} */ pattern) =>
    sum(names, (name) => (pattern.test(name) ? number(name) : 0));
  const msPerTick = 1000 / Math.max(1, number('sun.os.hrt.frequency'));
  const collectors = names.flatMap((name) => /^(sun\.gc\.collector\.\d+)\.name$/.exec(name)?.[1] ?? []);
  const [latest] = collectors.sort((a, b) => number(`${b}.lastExitTime`) - number(`${a}.lastExitTime`));
  return {
    collections: total(/^sun\.gc\.collector\.\d+\.invocations$/),
    pausedMs: total(/^sun\.gc\.collector\.\d+\.time$/) * msPerTick,
    lastMs: Math.max(0, number(`${latest}.lastExitTime`) - number(`${latest}.lastEntryTime`)) * msPerTick,
    usedBytes: total(/^sun\.gc\.generation\.\d+\.space\.\d+\.used$/),
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

/** @param {Readings[]} jvms */
function joined(jvms) {
  const total = (/** @type {(seen: Readings) => number} */ read) => Math.max(0, sum(jvms, read));
  const growth = (/** @type {keyof Reading} */ name) => total(({ first, last }) => last[name] - first[name]);
  const latest = (/** @type {keyof Reading} */ name) => total(({ last }) => last[name]);
  return {
    gc: {
      count: growth('collections'),
      pauseMs: rounded(growth('pausedMs')),
      longestMs: rounded(max(jvms, ({ longestMs }) => longestMs)),
    },
    jvm: {
      metaspaceBytes: latest('metaspaceBytes'),
      threads: latest('threads'),
      classes: latest('classes'),
      compileMs: rounded(growth('compiledMs')),
    },
  };
}
