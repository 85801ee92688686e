/**
 * A load in words: in a heading what distinguishes it from others, in the line of conditions all of it.
 * @import { Condition } from '../../model/dimensions.js'
 * @import { Conditions, RunCase } from '../../types.js'
 * @import { Words } from './words.js'
 */

import { DIMENSIONS, distinguishing, TIMES } from '../../model/dimensions.js';

/**
 * @param {Partial<Conditions>} load @param {Words} words
 * @param {(keyof Conditions)[]} [without] fields that are left out
 * @returns {string} "autocannon, 100 connections, pipelining 4"
 */
export function loadText(load, words, without = []) {
  const rows = distinguishing(load).filter(({ row }) => !without.includes(row.field));
  return words.list(rows.map(({ row, value }) => words.condition(row, [value])));
}

/**
 * @param {Partial<Conditions>} load @param {(keyof Conditions)[]} fields @param {Words} words
 * @returns {string} their values, defaults too: "ab, keep-alive on"
 */
export function fieldsText(load, fields, words) {
  /** @type {readonly Condition[]} */
  const rows = DIMENSIONS.filter(({ field }) => fields.includes(field) && load[field] !== undefined);
  return words.list(rows.map((row) => words.condition(row, [load[row.field] ?? ''])));
}

/** @param {Pick<RunCase, 'load'>[]} cases @param {Words} words @returns {string} "closed loop" */
export function loopText(cases, { loops }) {
  // At a rate, requests do not wait for answers.
  const open = cases.filter(({ load }) => load?.rate !== undefined).length;
  if (open === 0) return loops.closed;
  return open === cases.length ? loops.open : loops.both;
}

/**
 * @param {Partial<Conditions>[]} loads
 * @param {{ windows: string | undefined, words: Words }} context windows: how the measured time was split, where that is known
 * @returns {string[]} all values of each field
 */
export function loadWords(loads, { windows, words }) {
  /** @type {readonly Condition[]} */
  const rows = [...DIMENSIONS, ...TIMES.filter(({ field }) => field !== 'windows')];
  return rows.flatMap((row) => {
    if (row.field === 'durationSeconds' && windows !== undefined) return windows;
    const values = [...new Set(loads.flatMap((load) => load[row.field] ?? []))];
    const isDefault = row.quiet && values.every((value) => String(value) === row.default);
    return values.length === 0 || isDefault ? [] : words.condition(row, values);
  });
}
