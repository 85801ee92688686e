/**
 * A load in words: in a heading what tells it from others, in the line of conditions all of it.
 * @import { Condition } from '../dimensions.js'
 * @import { Load } from '../types.js'
 * @import { Words } from './words.js'
 */

import { DIMENSIONS, telling, TIMES } from '../dimensions.js';

/**
 * Run files of other programs may tell less of the load.
 * @param {Partial<Load>} load
 * @param {Words} words
 * @returns {string} "autocannon, 100 connections, pipelining 4"
 */
export function loadText(load, words) {
  return words.list(telling(load).map(({ row, value }) => words.condition(row, [value])));
}

/**
 * @param {Partial<Load>[]} loads where they differ, all their values are told
 * @param {{ windows: string | undefined, words: Words }} context windows: how the measured time was split, where that is known
 * @returns {string[]}
 */
export function loadWords(loads, { windows, words }) {
  /** @type {readonly Condition[]} */
  const rows = [...DIMENSIONS, ...TIMES.filter(({ field }) => field !== 'windows')];
  return rows.flatMap((row) => {
    if (row.field === 'durationSeconds' && windows !== undefined) return windows;
    const values = [...new Set(loads.flatMap((load) => load[row.field] ?? []))];
    return values.length === 0 ? [] : words.condition(row, values);
  });
}
