/**
 * The result of a soak, in words.
 * @import { Rate, Run, Soak } from '../../types.js'
 * @import { Answer, Block } from './blocks.js'
 * @import { Words } from '../text/words.js'
 */

import { wordsIn } from '../text/words.js';
import { column, table, text } from './blocks.js';

/** Rows of the table; the file has all readings. */
const MOST_ROWS = 8;

/** @type {(soak: Soak, run: Run) => Answer} */
export function soakAnswer(soak, run) {
  const words = wordsIn(soak.language);
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
  return {
    language: words.language,
    title: phrases.headline[verdict](soak.case, soak.growsWith),
    blocks: [...lines.flatMap((line) => (line ? [text(line)] : [])), readingsTable(soak, words)],
  };
}

/**
 * The ends are of its interval.
 * @type {(rate: Rate, words: Words, format: (value: number) => string) => { value: string, ends: string }}
 */
function rateTexts({ value, ci: [low, high] }, { ends }, format) {
  return { value: format(value), ends: ends({ value, low, high }, format) };
}

/** @type {(soak: Soak, words: Words) => Block} */
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
