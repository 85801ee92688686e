/**
 * Checks a verdict against chance itself: the same boots, dealt to the sides at random, many times over.
 * @import { SpeedShift, Table } from './shapes.js'
 */

import { at } from './linear.js';
import { speedShift } from './speed.js';
import { LEAST_BOOTS } from './states.js';

/** The part of the deals that shapes the tail: enough to measure its slope, far enough out to be the tail. */
const TAIL_SHARE = 0.2;
/** A change whose p is above this may be no change at all. */
const IN_DOUBT = 1e-3;

/**
 * How often deals of boots that did not change look as changed as these or more. Where nothing changed, every deal is
 * as likely as the real one, whatever the noise looks like, so this holds even where the model does not.
 * The tail of -log p is continued as the exponential it is where the model holds, its slope measured on the tail's deals
 * and not better known than by so many (the predictive distribution of an exponential with an estimated mean).
 * Sources: E. J. G. Pitman, Suppl. J. R. Statist. Soc. 4 (1937); T. A. Knijnenburg, L. F. A. Wessels, M. J. T. Reinders,
 * I. Shmulevich, "Fewer permutations, more accurate P-values", Bioinformatics 25 (2009).
 * @param {number} p as the model has it
 * @param {number[]} deals the model's p of each deal
 * @returns {number} never below the model's own
 */
export function calibrate(p, deals) {
  const surprise = deals.map((deal) => -Math.log(Math.max(deal, Number.MIN_VALUE))).sort((a, b) => b - a);
  const tail = Math.max(2, Math.round(surprise.length * TAIL_SHARE));
  const start = at(surprise, tail);
  const slope = surprise.slice(0, tail).reduce((sum, value) => sum + value - start, 0) / tail;
  const seen = -Math.log(Math.max(p, Number.MIN_VALUE));
  if (seen <= start) {
    return Math.max(p, (1 + surprise.filter((value) => value >= seen).length) / (1 + surprise.length));
  }
  const beyond = (1 + (seen - start) / (tail * slope)) ** -tail;
  return Math.max(p, (tail / surprise.length) * beyond);
}

/**
 * Where the change is beyond doubt it is taken off before dealing, or it would pass for noise; where it is not, nothing
 * is taken off and the deals are exact. So few boots that their states cannot be told are never beyond doubt.
 * @param {Table} table
 * @param {SpeedShift} seen as judged
 * @param {{ count: number, takeOff: boolean }} how
 * @returns {number[]} the model's p of each deal; the same for the same table
 */
export function deal(table, { effects, p, fit }, { count, takeOff }) {
  const random = seededRandom(seedOf(table.values));
  const doubt = Math.min(1, Math.log(IN_DOUBT) / Math.log(Math.max(p, Number.MIN_VALUE)));
  const sure = takeOff && table.boots >= LEAST_BOOTS ? 1 - doubt ** 2 : 0;
  const k = effects.length;
  const values = table.values.map(
    (value, i) => value - sure * at(table.side, Math.floor(i / k)) * at(effects, i % k),
  );
  const side = Uint8Array.from(table.side);
  return Array.from({ length: count }, () => {
    for (let i = side.length - 1; i > 0; i--) {
      const j = Math.floor(random() * (i + 1));
      [side[i], side[j]] = [at(side, j), at(side, i)];
    }
    return speedShift({ ...table, values, side }, fit).p;
  });
}

/**
 * FNV-1a over the figures: the judge owns no clock and no dice, equal files get equal answers.
 * @param {Float64Array} values
 */
function seedOf(values) {
  let hash = 0x811c9dc5;
  for (const byte of new Uint8Array(values.buffer)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash;
}

/**
 * Mulberry32 (T. Ettinger, public domain): small, and good enough to shuffle.
 * @param {number} seed
 */
function seededRandom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
