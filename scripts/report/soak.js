/**
 * The result of a soak, in words.
 * @import { Rate, Run, Soak } from '../types.js'
 * @import { Block } from './document/blocks.js'
 * @import { Words } from './text/words.js'
 */

import { column, table, text } from './document/blocks.js';
import { inMarkdown } from './render/escape.js';
import { blocksMarkdown } from './render/markdown.js';
import { blocksTerminal } from './render/terminal.js';
import { wordsIn } from './text/words.js';

/** Rows of the table; the file has all readings. */
const MOST_ROWS = 8;

/** @param {Soak} soak @param {Run} run its run @param {string} out the folder of both @returns {string} for a terminal */
export function renderSoak(soak, run, out) {
  const words = wordsIn(soak.language);
  const blocks = [...blocksOf(soak, run, words), text(words.soak.report(out))];
  return blocksTerminal([text(headlineOf(soak, words)), ...blocks], words);
}

/** @param {Soak} soak @param {Run} run @returns {string} a section of a report */
export function soakMarkdown(soak, run) {
  const words = wordsIn(soak.language);
  return `## ${inMarkdown(headlineOf(soak, words))}\n\n${blocksMarkdown(blocksOf(soak, run, words))}\n`;
}

/** @param {Soak} soak @param {Words} words */
function headlineOf({ case: id, verdict, growsWith }, { soak: { headline } }) {
  return headline[verdict](id, growsWith);
}

/** @param {Soak} soak @param {Run} run @param {Words} words @returns {Block[]} */
function blocksOf(soak, run, words) {
  const { verdict, why, from, bytesPerHour, bytesPerRequest, idleBytesPerHour, leastBytesPerHour, readings } =
    soak;
  const { soak: phrases, signed, megabytes } = words;
  const megabyteRate = (/** @type {Rate} */ rate) =>
    rateTexts(rate, words, (bytes) => signed(Math.round(bytes / 1e4) / 100));
  const last = readings.at(-1);
  const failure = run.cases[0]?.trials.find((trial) => trial.failure)?.failure;
  const lines = [
    failure && phrases.failed(failure.message),
    why && phrases.why[why],
    bytesPerHour && phrases.perHour({ ...megabyteRate(bytesPerHour), least: megabytes(leastBytesPerHour) }),
    verdict === 'leaks' && bytesPerRequest && phrases.perRequest(rateTexts(bytesPerRequest, words, signed)),
    verdict === 'leaks' && idleBytesPerHour && phrases.idle(megabyteRate(idleBytesPerHour)),
    last && phrases.measured({ readings: readings.length, requests: last.requests, seconds: last.at, from }),
  ];
  return [...lines.flatMap((line) => (line ? [text(line)] : [])), readingsTable(soak, words)];
}

/** @param {Rate} rate @param {Words} words @param {(value: number) => string} format @returns {{ value: string, ends: string }} ends: of its interval */
function rateTexts({ value, ci: [low, high] }, { ends }, format) {
  return { value: format(value), ends: ends({ value, low, high }, format) };
}

/** @param {Soak} soak @param {Words} words @returns {Block} */
function readingsTable({ readings }, words) {
  const { heads } = words.soak;
  const step = Math.max(1, (readings.length - 1) / (MOST_ROWS - 1));
  const rows = Array.from(
    { length: Math.min(MOST_ROWS, readings.length) },
    (_, place) => readings[Math.round(place * step)],
  ).flatMap((reading) => reading ?? []);
  return table([
    column(rows, heads.at, ({ at }) => words.duration(at), { priority: 0 }),
    column(rows, heads.requests, (reading) => words.count(reading.requests)),
    column(rows, heads.heap, ({ heapBytes }) => words.fineMegabytes(heapBytes), { priority: 0 }),
    column(rows, heads.outside, ({ externalBytes }) => words.fineMegabytes(externalBytes), { priority: 0 }),
    column(rows, heads.rss, ({ rssBytes }) => words.megabytes(rssBytes)),
  ]);
}
