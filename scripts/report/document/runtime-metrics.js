/**
 * What the servers felt while they were loaded: event loop, collections, heap, a JVM's threads, classes and compilers, and how memory grew. Folded where nothing
 * stands out.
 * @import { Run, RunCase, Window } from '../../types.js'
 * @import { Words } from '../text/words.js'
 */

import { sum } from 'd3-array';
import { markdownTable } from 'markdown-table';
import { escaped } from '../render/escape.js';
import { nameOf } from './table-rows.js';
import { ifKnown } from '../text/format.js';

/** What stands out: an event loop that is late for most people's patience, */
const LATE_MS = 100;
/** a share of the time in collections, */
const COLLECTING = 0.1;
/** and memory that would fill a gigabyte within a minute or two. */
const GROWING_BYTES = 1e7;

/** @typedef {{ of: RunCase, windows: Window[], seconds: number }} Felt */

/**
 * @param {Run} run
 * @param {Words} words
 * @returns {{ table: string, standsOut: boolean } | undefined} undefined where nothing was felt
 */
export function renderFelt(run, words) {
  const felt = run.cases.flatMap((of) => {
    const windows = of.trials.flatMap((trial) => (trial.failure ? [] : trial.windows));
    const isTold = windows.some(({ eventLoopDelayMs, jvm }) => eventLoopDelayMs ?? jvm);
    return isTold ? [{ of, windows, seconds: sum(windows.map(({ seconds }) => seconds)) }] : [];
  });
  if (felt.length === 0) return undefined;
  const columns = columnsOf(words).filter(({ of }) => felt.some((each) => of(each) !== undefined));
  return {
    table: markdownTable(
      [
        [words.columns.server, ...columns.map(({ name }) => name)],
        ...felt.map((each) => [
          escaped(nameOf(run, each.of.id, words), 200),
          ...columns.map(({ of, text }) => ifKnown(of(each), text)),
        ]),
      ],
      { align: ['l', ...columns.map(() => 'r')] },
    ),
    standsOut: felt.some(
      (each) =>
        (lateness(each) ?? 0) > LATE_MS ||
        (collecting(each) ?? 0) > COLLECTING ||
        (growth(each) ?? 0) > GROWING_BYTES,
    ),
  };
}

/**
 * @param {Words} words
 * @returns {{ name: string, of: (felt: Felt) => number | undefined, text: (value: number) => string }[]} those that no
 *   server fills are left out
 */
function columnsOf({ columns: { felt: heads }, milliseconds, portion, megabytes, rate, count }) {
  /** @param {(window: Window) => number | undefined} of */
  const highest =
    (of) =>
    (/** @type {Felt} */ { windows }) =>
      most(windows, of);
  /** @param {(window: Window) => number | undefined} of */
  const usual = (of) => (/** @type {Felt} */ felt) => meanOf(felt, of);
  return [
    { name: heads.p50, of: usual(({ eventLoopDelayMs }) => eventLoopDelayMs?.p50), text: milliseconds },
    { name: heads.p99, of: lateness, text: milliseconds },
    { name: heads.max, of: highest(({ eventLoopDelayMs }) => eventLoopDelayMs?.max), text: milliseconds },
    { name: heads.busy, of: usual(({ eventLoopUtilisation }) => eventLoopUtilisation), text: portion },
    { name: heads.collections, of: (each) => perSecond(each, ({ gc }) => gc?.count), text: rate },
    { name: heads.collecting, of: collecting, text: portion },
    { name: heads.longest, of: highest(({ gc }) => gc?.longestMs), text: milliseconds },
    { name: heads.heap, of: highest(({ heapBytes }) => heapBytes), text: megabytes },
    { name: heads.metaspace, of: highest(({ jvm }) => jvm?.metaspaceBytes), text: megabytes },
    { name: heads.threads, of: highest(({ jvm }) => jvm?.threads), text: count },
    { name: heads.classes, of: highest(({ jvm }) => jvm?.classes), text: count },
    { name: heads.compiling, of: compiling, text: portion },
    { name: heads.peak, of: highest(({ rssBytes }) => rssBytes), text: megabytes },
    { name: heads.growth, of: growth, text: signed(megabytes) },
  ];
}

/** @param {Felt} felt */
function lateness(felt) {
  return meanOf(felt, ({ eventLoopDelayMs }) => eventLoopDelayMs?.p99);
}

/** @param {Felt} felt @returns {number | undefined} a share of the time */
function collecting(felt) {
  return perSecond(felt, ({ gc }) => gc && gc.pauseMs / 1000);
}

/** @param {Felt} felt @returns {number | undefined} as many cores as compilers kept busy */
function compiling(felt) {
  return perSecond(felt, ({ jvm }) => jvm && jvm.compileMs / 1000);
}

/** @param {Felt} felt @returns {number | undefined} bytes a second */
function growth(felt) {
  return meanOf(felt, ({ rssBytesPerSecond }) => rssBytesPerSecond);
}

/**
 * @param {Felt} felt
 * @param {(window: Window) => number | undefined} of
 * @returns {number | undefined} undefined where no window tells
 */
function perSecond({ windows, seconds }, of) {
  const values = windows.flatMap((window) => of(window) ?? []);
  return values.length > 0 ? sum(values) / seconds : undefined;
}

/**
 * @param {Felt} felt
 * @param {(window: Window) => number | undefined} of
 * @returns {number | undefined} over the windows that tell
 */
function meanOf({ windows }, of) {
  const values = windows.flatMap((window) => of(window) ?? []);
  return values.length > 0 ? sum(values) / values.length : undefined;
}

/**
 * @param {Window[]} windows
 * @param {(window: Window) => number | undefined} of
 */
function most(windows, of) {
  const values = windows.flatMap((window) => of(window) ?? []);
  return values.length > 0 ? Math.max(...values) : undefined;
}

/** @param {(value: number) => string} text */
function signed(text) {
  return (/** @type {number} */ value) => `${value < 0 ? '−' : '+'}${text(Math.abs(value))}`;
}
