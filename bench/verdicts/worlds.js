/**
 * Simulated machines and servers, in which the truth is known; their numbers come from the recordings.
 * @import { Trial } from '../../scripts/types.js'
 * @import { Bursts } from '../bursts.js'
 */

import { sum } from 'd3-array';
import { drawBursts } from '../bursts.js';

/**
 * Standard deviations and shares.
 * @typedef {object} World
 * @property {number} level requests per second
 * @property {number} moment of the machine, for some 20 seconds at a time
 * @property {number} start how much starts differ
 * @property {number} window
 * @property {number} [throughput] of throughput alone, caused by other programs
 * @property {number} [gap] between the two states of a start
 * @property {number} [fast] the share of starts in the faster state
 * @property {number} [wrecked] the share of starts that lose up to half
 * @property {number} [disturbed] the share of windows with a neighbour on one core
 * @property {number} [run] of a run, beside a reference
 * @property {Bursts & InBursts} [bursts] of other programs on all cores, which both sides meet
 *
 * @typedef {object} InBursts
 * @property {number} window of one in a burst
 * @property {number} lasting what a start whose whole warm-up is in bursts loses, at most
 * @property {number} within seconds in which the programs start, at any time
 */

/** @type {Record<string, World>} */
export const WORLDS = {
  'steady server': { level: 85_000, moment: 0.08, start: 0.005, window: 0.013 },
  'noisy server': { level: 14_000, moment: 0.08, start: 0.015, window: 0.025 },
  'unsteady starts': { level: 14_000, moment: 0.05, start: 0.03, window: 0.008 },
  'two states': { level: 60_000, moment: 0.05, start: 0.005, window: 0.013, gap: 0.26, fast: 1 / 6 },
  'wrecked starts': { level: 30_000, moment: 0.05, start: 0.01, window: 0.015, wrecked: 0.04 },
  'visited machine': { level: 60_000, moment: 0.05, start: 0.007, window: 0.015, disturbed: 0.12 },
  'busy machine': {
    level: 60_000,
    moment: 0.08,
    start: 0.007,
    window: 0.02,
    throughput: 0.07,
    disturbed: 0.4,
  },
  'bursts later': {
    level: 40_000,
    moment: 0.05,
    start: 0.007,
    window: 0.015,
    bursts: { share: 0.3, lengths: [0.2, 5], window: 0.06, lasting: 0.06, within: 90 },
  },
};

/** How long a moment of the machine lasts, in windows. */
const MOMENT_WINDOWS = 20;
/** What a burst on all cores takes of them from a server and its load tool. */
const BURST_SHARE = 0.5;
/** Seconds between two rounds, in which servers start and warm up. */
const BETWEEN = 3;

/**
 * @param {World} world
 * @param {{ rounds: number, windows: number, speed?: number, random: () => number, members?: number }}
 *   options windows: per start; speed: of every member but the first: 0.95 is 5 % slower; members: servers
 *   that run together
 * @returns {Trial[][]} the starts of each member
 */
export function simulate(world, { rounds, windows, speed = 1, random, members = 2 }) {
  /** @type {Trial[][]} */
  const trials = Array.from({ length: members }, () => []);
  let moment = world.moment * normal(random);
  const inBursts = burstsOf(world.bursts, random);
  let at = 0;
  for (let round = 0; round < rounds; round++) {
    const warmUp = inBursts(at - BETWEEN, at);
    const own = trials.map(() => startPart(world, { burst: warmUp, random }));
    const running = trials.map(() => /** @type {Trial} */ ({ round, failure: null, windows: [] }));
    for (let place = 0; place < windows; place++) {
      // Slices of the sides alternate, so their windows meet the same bursts.
      const burst = inBursts(at, at + members);
      const turn = (round + place) % 2 === 0 ? [...running.keys()] : [...running.keys()].reverse();
      for (const member of turn) {
        if (random() < 1 / MOMENT_WINDOWS) moment = world.moment * normal(random);
        const slow = member === 0 ? 0 : Math.log(speed);
        const part = slow + (own[member] ?? 0) + moment;
        running[member]?.windows.push({ at, ...windowOf(world, part, { burst, random }) });
        at += 1;
      }
    }
    for (const [member, trial] of running.entries()) trials[member]?.push(trial);
    at += BETWEEN;
  }
  return trials;
}

/**
 * The share of that time that is in bursts; to: no earlier than the last.
 * @type {(bursts: World['bursts'], random: () => number) => (from: number, to: number) => number}
 */
function burstsOf(bursts, random) {
  if (!bursts) return () => 0;
  const begin = bursts.within * random();
  const coming = drawBursts(bursts, random);
  const known = [coming.next().value];
  return (from, to) => {
    while (begin + (known.at(-1)?.[0] ?? 0) < to) known.push(coming.next().value);
    const shared = sum(known, ([start, end]) =>
      Math.max(0, Math.min(begin + end, to) - Math.max(begin + start, from)),
    );
    return shared / (to - from);
  };
}

/**
 * @param {World} world
 * @param {{ burst: number, random: () => number }} now burst: the share of its warm-up in bursts
 */
function startPart({ start, gap = 0, fast = 0, wrecked = 0, bursts }, { burst, random }) {
  const state = random() < fast ? gap : 0;
  const wreck = random() < wrecked ? -0.5 * random() : 0;
  const lost = bursts ? bursts.lasting * burst * random() : 0;
  return start * normal(random) + state + wreck - lost;
}

/**
 * @param {World} world
 * @param {number} part what moment, start and change make of its speed
 * @param {{ burst: number, random: () => number }} now burst: the share of its time in bursts
 * @returns {Trial['windows'][number]}
 */
function windowOf({ level, window, throughput = 0, disturbed = 0, bursts }, part, { burst, random }) {
  const speed = part + Math.hypot(window, burst * (bursts?.window ?? 0)) * normal(random);
  const others = random() < disturbed ? 0.33 * (0.8 + 0.4 * random()) : BURST_SHARE * burst;
  const requests = level * Math.exp(speed + throughput * normal(random) - 0.5 * others);
  const us = (1e6 / level) * Math.exp(-speed - 0.1 * others);
  return {
    seconds: 1,
    requests,
    latencyMs: { p50: 64e3 / requests, p99: (160e3 / requests) * Math.exp(0.15 * Math.abs(normal(random))) },
    rssBytes: 60e6 * Math.exp(0.04 * normal(random)),
    errors: { timeouts: 0, connect: 0, non2xx: 0 },
    cpu: { serverSeconds: (us * requests) / 1e6, clientSeconds: 0.4, foreignShare: others, stealShare: 0 },
  };
}

/**
 * G. E. P. Box, M. E. Muller, Ann. Math. Statist. 29 (1958).
 * @param {() => number} random
 * @returns {number} standard normal
 */
export function normal(random) {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
