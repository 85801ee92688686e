/**
 * Judges whether a server leaks, from its memory after forced collections while load and rest alternate.
 * @import { Leak, MemoryReading, Rate } from '../types.js'
 */

import { median, pairs, range, sum } from 'd3-array';
import { halfOf, mean } from '../samples/interval.js';

/** Slower growth (bytes an hour) is none: Fastify still grew by 1 MB an hour after ten minutes of load. */
export const LEAST_GROWTH = 2e6;
/** The warm-up is at least this share of the readings, and at most the larger one. */
const WARM_UP = 1 / 4;
const LONG_WARM_UP = 1 / 2;
const BLOCKS = 8;
const LEAST_READINGS = 16;
/** Growth that slows to less than this share may end. */
const FADING = 1 / 2;
const HOUR = 3600;

/** The memory of a block of readings. @typedef {{ seconds: number, bytes: number }} Level */
/** Changes between two readings. @typedef {{ seconds: number, requests: number, bytes: number }} Phase */
/** @typedef {Required<Omit<Leak, 'verdict' | 'growsWith' | 'why'>>} Figures */

/**
 * Steps, drift and noise that lasts need no model here: levels of a few blocks are compared, and Student's t
 * is taken over their differences, as for group estimates in R. Ibragimov and U. K. Müller, "t-statistic
 * based correlation and heterogeneity robust inference", Journal of Business & Economic Statistics 28 (2010).
 * One large step widens the interval as much as it moves the mean.
 * @param {MemoryReading[]} readings in order of time, after load and after rest alternately
 * @param {number} [least] bytes an hour
 * @returns {Leak} leaks: the 95 % interval of the growth lies above `least`, and the growth did not slow down
 */
export function judgeLeak(readings, least = LEAST_GROWTH) {
  // A reading after a load comes first, as levels expect.
  const cut = (/** @type {number} */ share) => 2 * Math.round((readings.length * share) / 2);
  const early = cut(WARM_UP);
  if (readings.length < LEAST_READINGS) return { verdict: 'unsure', why: 'few-readings', from: early };
  const isFlat = (/** @type {Figures} */ { bytesPerHour }) => bytesPerHour.ci[1] <= least;
  const figures = figuresOf(readings, early);
  if (isFlat(figures)) return { verdict: 'does-not-leak', ...figures };
  const grows = figures.bytesPerHour.ci[0] > least;
  if (grows && !fades(readings.slice(early)))
    return { verdict: 'leaks', ...causeOf(readings.slice(early), figures), ...figures };
  // It may have warmed up for longer.
  const later = figuresOf(readings, cut(LONG_WARM_UP));
  if (isFlat(later)) return { verdict: 'does-not-leak', ...later };
  return { verdict: 'unsure', why: grows ? 'fading' : 'too-wide', ...figures };
}

/**
 * Rest shows what time adds; load adds that of its own time, and what its requests leave.
 * @type {(readings: MemoryReading[], from: number) => Figures}
 */
function figuresOf(readings, from) {
  const judged = readings.slice(from);
  const cycles = pairs(phasesOf(judged)).filter(([load, rest]) => load.requests > 0 && rest.requests === 0);
  const restSlope = (/** @type {Phase} */ rest) => rest.bytes / rest.seconds;
  const left = cycles.map(([load, rest]) => (load.bytes - restSlope(rest) * load.seconds) / load.requests);
  return {
    from,
    bytesPerHour: rateOf(pairs(levelsOf(judged), (start, end) => HOUR * slope(start, end))),
    bytesPerRequest: rateOf(left),
    idleBytesPerHour: rateOf(cycles.map(([, rest]) => HOUR * restSlope(rest))),
  };
}

/**
 * Tells what has a part in a leak for sure, and surely more than half unless it is both.
 * @type {(readings: MemoryReading[], figures: Figures) => Pick<Leak, 'growsWith'>}
 */
function causeOf(readings, { bytesPerHour, bytesPerRequest, idleBytesPerHour }) {
  const phases = phasesOf(readings);
  const hours = sum(phases, ({ seconds }) => seconds) / HOUR;
  const half = (bytesPerHour.value * hours) / 2;
  const [byRequests, byTime] = [bytesPerRequest.ci[0] > 0, idleBytesPerHour.ci[0] > 0];
  // What the last requests still hold is released during a rest, and hides as much of what time adds.
  const mostIdle = Math.max(...idleBytesPerHour.ci.map(Math.abs));
  if (byRequests && mostIdle * hours < half) return { growsWith: 'requests' };
  if (byTime && bytesPerRequest.ci[1] * sum(phases, ({ requests }) => requests) < half)
    return { growsWith: 'time' };
  return byRequests && byTime ? { growsWith: 'both' } : {};
}

/** @type {(readings: MemoryReading[]) => Phase[]} */
function phasesOf(readings) {
  return pairs(readings, (start, end) => ({
    seconds: end.at - start.at,
    requests: end.requests - start.requests,
    bytes: bytesOf(end) - bytesOf(start),
  }));
}

/**
 * Readings after load are lowered by what the last requests still hold, since a block may have one more of
 * them than after rest. Levels are medians, which single readings do not move.
 * @type {(readings: MemoryReading[]) => Level[]}
 */
function levelsOf(readings) {
  const rests = phasesOf(readings).filter(({ requests }) => requests === 0);
  const held = -(median(rests, ({ bytes }) => bytes) ?? 0);
  const levels = readings.map((reading, index) => ({
    seconds: reading.at,
    bytes: bytesOf(reading) - (reading.requests === readings[index - 1]?.requests ? 0 : held),
  }));
  const blocks = Math.min(BLOCKS, Math.floor(levels.length / 2));
  const ends = range(blocks + 1).map((index) => Math.round((index * levels.length) / blocks));
  return pairs(ends, (from, to) => {
    const block = levels.slice(from, to);
    const seconds = mean(block.map((level) => level.seconds));
    return { seconds, bytes: median(block, ({ bytes }) => bytes) ?? NaN };
  });
}

/** Whether the second half grew much less than the first. @type {(readings: MemoryReading[]) => boolean} */
function fades(readings) {
  const levels = levelsOf(readings);
  const [first, middle, last] = [0, levels.length >> 1, -1].map((place) => levels.at(place));
  return first && middle && last ? slope(middle, last) < FADING * slope(first, middle) : false;
}

/** Bytes a second. @type {(from: Level, to: Level) => number} */
function slope(from, to) {
  return (to.bytes - from.bytes) / (to.seconds - from.seconds);
}

/** The mean of at least two with Student's t. @type {(values: number[]) => Rate} */
function rateOf(values) {
  const value = mean(values);
  const half = halfOf(values);
  return { value, ci: [value - half, value + half] };
}

/** Left by the collector; the allocator keeps more resident. @type {(reading: MemoryReading) => number} */
function bytesOf({ heapBytes, externalBytes }) {
  return heapBytes + externalBytes;
}
