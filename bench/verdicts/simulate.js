/**
 * Boots made up after the recordings: two states or one, wrecks, one-sided noise inside a boot, neighbours. The numbers
 * are varied on purpose, so that nothing can be fitted to one recording.
 * @import { Boot } from './recordings.js'
 */

/**
 * level: req/s; gap: of the states, in logarithms; fast: share of boots in the fast state; noise: of a boot; wrecked: share
 * of boots that lose up to half; disturbed: share of boots with a neighbour on one core; drift: of the machine, between
 * rounds.
 * @typedef {{ level: number, gap: number, fast: number, noise: number, wrecked: number, disturbed: number, drift?: number }} World
 */

/** @type {Record<string, World>} */
export const WORLDS = {
  'one state': { level: 30000, gap: 0, fast: 0, noise: 0.025, wrecked: 0.03, disturbed: 0 },
  'two states, 1 in 8 fast': {
    level: 57000,
    gap: 0.27,
    fast: 0.13,
    noise: 0.025,
    wrecked: 0.03,
    disturbed: 0.05,
  },
  'two states, half fast': {
    level: 57000,
    gap: 0.2,
    fast: 0.5,
    noise: 0.025,
    wrecked: 0.03,
    disturbed: 0.05,
  },
  'near states': { level: 57000, gap: 0.13, fast: 0.3, noise: 0.02, wrecked: 0.03, disturbed: 0 },
  'many wrecks': { level: 30000, gap: 0, fast: 0, noise: 0.03, wrecked: 0.15, disturbed: 0.1 },
  'one state, drift': {
    level: 16000,
    gap: 0,
    fast: 0,
    noise: 0.03,
    wrecked: 0.03,
    disturbed: 0,
    drift: 0.05,
  },
  'two states, drift': {
    level: 57000,
    gap: 0.25,
    fast: 0.3,
    noise: 0.03,
    wrecked: 0.03,
    disturbed: 0,
    drift: 0.04,
  },
};

/**
 * @param {World} world
 * @param {number} count
 * @param {() => number} random
 * @returns {Boot[]}
 */
export function simulate(world, count, random) {
  return side(world, driftsOf(world, count, random), random);
}

/**
 * @param {World} world
 * @param {number} count
 * @param {() => number} random
 * @returns {[Boot[], Boot[]]} both sides, measured in the same rounds
 */
export function simulatePair(world, count, random) {
  const drifts = driftsOf(world, count, random);
  return [side(world, drifts, random), side(world, drifts, random)];
}

/**
 * @param {World} world
 * @param {number[]} drifts of the machine, a round each
 * @param {() => number} random
 * @returns {Boot[]}
 */
function side(world, drifts, random) {
  return drifts.map((drift, round) => boot(world, { round, drift }, random));
}

/**
 * @param {World} world
 * @param {number} count
 * @param {() => number} random
 */
function driftsOf({ drift = 0 }, count, random) {
  return Array.from({ length: count }, () => drift * normal(random));
}

/**
 * @param {World} world
 * @param {{ round: number, drift: number }} when
 * @param {() => number} random
 * @returns {Boot}
 */
function boot({ level, gap, fast, noise, wrecked, disturbed }, { round, drift }, random) {
  const state = random() < fast ? gap : 0;
  const luck = noise * normal(random);
  const wreck = random() < wrecked ? -0.5 * random() : 0;
  const foreign = random() < disturbed ? 0.5 : 0;
  const speed = state + luck + wreck + drift;
  const windows = Array.from({ length: 3 }, (_, index) => {
    const stall = Math.abs(0.6 * noise * normal(random)) + (index === 0 ? 0.04 : 0);
    const of = (/** @type {number} */ own) => speed - stall + 0.3 * noise * own * normal(random);
    return {
      rps: level * Math.exp(of(1) - 0.6 * foreign),
      cpu_us: (1e6 / level) * Math.exp(-of(1) - 0.2 * foreign),
      p50: (64e3 / level) * Math.exp(-of(0.5) + 0.6 * foreign),
      p99: (160e3 / level) * Math.exp(-speed + 0.4 * Math.abs(normal(random))),
      client_cpu_us: 7,
      foreign: foreign * (0.95 + 0.1 * random()),
      steal: 0,
    };
  });
  return { label: 'simulated', round, variant: 'simulated', at: 0, windows };
}

/**
 * G. E. P. Box, M. E. Muller, Ann. Math. Statist. 29 (1958).
 * @param {() => number} random
 */
function normal(random) {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
