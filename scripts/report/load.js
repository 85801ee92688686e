/**
 * A load in words: in a heading what tells it from others, in the line of conditions all of it.
 * @import { Condition } from '../dimensions.js'
 * @import { Load } from '../types.js'
 */

import { DIMENSIONS, telling, TIMES } from '../dimensions.js';

const PLURALS = new Intl.PluralRules('en');

/**
 * Run files of other programs may tell less of the load.
 * @param {Partial<Load>} load
 * @returns {string} "autocannon, 100 connections, pipelining 4"
 */
export function loadText(load) {
  return telling(load)
    .map(({ row, value }) => say(row, [value]))
    .join(', ');
}

/**
 * @param {Partial<Load>[]} loads where they differ, all their values are told
 * @param {string | undefined} windows how the measured time was split, where that is known
 * @returns {string[]}
 */
export function loadWords(loads, windows) {
  /** @type {readonly Condition[]} */
  const rows = [...DIMENSIONS, ...TIMES.filter(({ field }) => field !== 'windows')];
  return rows.flatMap((row) => {
    if (row.field === 'durationSeconds' && windows !== undefined) return windows;
    const values = [...new Set(loads.flatMap((load) => load[row.field] ?? []))];
    return values.length === 0 ? [] : say(row, values);
  });
}

/**
 * @param {Condition} row
 * @param {(string | number | boolean)[]} values
 */
function say({ words }, values) {
  const [singular, plural] = typeof words === 'string' ? [words, words] : words;
  const isOne = values.length === 1 && PLURALS.select(Number(values[0])) === 'one';
  const told = values.map((value) => (typeof value === 'boolean' ? (value ? 'on' : 'off') : value));
  return (isOne ? singular : plural).replace('{}', told.join(' / '));
}
