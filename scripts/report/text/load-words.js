/**
 * A load in words: in a heading what distinguishes it from others, in the line of conditions all of it.
 * @import { Condition } from '../../model/dimensions.js'
 * @import { Conditions, RunCase } from '../../types.js'
 * @import { Words } from './words.js'
 */

import { DIMENSIONS, distinguishing, TIMES } from '../../model/dimensions.js';

/**
 * Returns "autocannon, 100 connections, pipelining 4", without some fields.
 * @type {(load: Partial<Conditions>, words: Words, without?: (keyof Conditions)[]) => string}
 */
export function loadText(load, words, without = []) {
  const rows = distinguishing(load).filter(({ row }) => !without.includes(row.field));
  return words.list(rows.map(({ row, value }) => words.condition(row, [value])));
}

/**
 * Returns the values of the fields, defaults too: "ab, keep-alive on".
 * @type {(load: Partial<Conditions>, fields: (keyof Conditions)[], words: Words) => string}
 */
export function fieldsText(load, fields, words) {
  /** @type {readonly Condition[]} */
  const rows = DIMENSIONS.filter(({ field }) => fields.includes(field) && load[field] !== undefined);
  return words.list(rows.map((row) => words.condition(row, [load[row.field] ?? ''])));
}

/** Returns "closed loop". @type {(cases: Pick<RunCase, 'load'>[], words: Words) => string} */
export function loopText(cases, { loops }) {
  // At a rate, requests do not wait for answers.
  const open = cases.filter(({ load }) => load?.rate !== undefined).length;
  if (open === 0) return loops.closed;
  return open === cases.length ? loops.open : loops.both;
}

/**
 * Returns all values of each field; windows: how the measured time was split, where that is known.
 * @type {(loads: Partial<Conditions>[], context: { windows: string | undefined, words: Words }) => string[]}
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
