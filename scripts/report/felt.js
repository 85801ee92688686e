/**
 * What the servers felt while they were loaded: event loop, collections, heap and how memory grew. Folded where nothing
 * stands out.
 * @import { Run, RunCase, Window } from '../types.js'
 * @import { Words } from './words.js'
 */

import { markdownTable } from 'markdown-table';
import { escaped } from './escape.js';
import { nameOf } from './facts.js';
import { ifKnown } from './format.js';

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
    const isTold = windows.some(({ eventLoopDelayMs }) => eventLoopDelayMs);
    return isTold ? [{ of, windows, seconds: sum(windows.map(({ seconds }) => seconds)) }] : [];
  });
  if (felt.length === 0) return undefined;
  const { columns: heads, milliseconds, portion, megabytes, rate } = words;
  /** @type {[string, (felt: Felt) => string][]} */
  const columns = [
    [
      heads.felt.p50,
      (each) =>
        ifKnown(
          meanOf(each, ({ eventLoopDelayMs }) => eventLoopDelayMs?.p50),
          milliseconds,
        ),
    ],
    [heads.felt.p99, (each) => ifKnown(lateness(each), milliseconds)],
    [
      heads.felt.max,
      ({ windows }) =>
        ifKnown(
          most(windows, ({ eventLoopDelayMs }) => eventLoopDelayMs?.max),
          milliseconds,
        ),
    ],
    [
      heads.felt.busy,
      (each) =>
        ifKnown(
          meanOf(each, ({ eventLoopUtilisation }) => eventLoopUtilisation),
          portion,
        ),
    ],
    [
      heads.felt.collections,
      (each) => rate(sum(each.windows.map(({ gc }) => gc?.count ?? 0)) / each.seconds),
    ],
    [heads.felt.collecting, (each) => portion(collecting(each))],
    [
      heads.felt.longest,
      ({ windows }) =>
        ifKnown(
          most(windows, ({ gc }) => gc?.longestMs),
          milliseconds,
        ),
    ],
    [
      heads.felt.heap,
      ({ windows }) =>
        ifKnown(
          most(windows, ({ heapBytes }) => heapBytes),
          megabytes,
        ),
    ],
    [
      heads.felt.peak,
      ({ windows }) =>
        ifKnown(
          most(windows, ({ rssBytes }) => rssBytes),
          megabytes,
        ),
    ],
    [heads.felt.growth, (each) => ifKnown(growth(each), signed(megabytes))],
  ];
  return {
    table: markdownTable(
      [
        [heads.server, ...columns.map(([name]) => name)],
        ...felt.map((each) => [
          escaped(nameOf(run, each.of.id), 200),
          ...columns.map(([, text]) => text(each)),
        ]),
      ],
      { align: ['l', ...columns.map(() => 'r')] },
    ),
    standsOut: felt.some(
      (each) =>
        (lateness(each) ?? 0) > LATE_MS ||
        collecting(each) > COLLECTING ||
        (growth(each) ?? 0) > GROWING_BYTES,
    ),
  };
}

/** @param {Felt} felt */
function lateness(felt) {
  return meanOf(felt, ({ eventLoopDelayMs }) => eventLoopDelayMs?.p99);
}

/** @param {Felt} felt @returns {number} a share of the time */
function collecting({ windows, seconds }) {
  return sum(windows.map(({ gc }) => gc?.pauseMs ?? 0)) / 1000 / seconds;
}

/** @param {Felt} felt @returns {number | undefined} bytes a second */
function growth(felt) {
  return meanOf(felt, ({ rssBytesPerSecond }) => rssBytesPerSecond);
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

/** @param {number[]} values */
function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}
