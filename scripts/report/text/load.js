/**
 * A load in words: in a heading what tells it from others, in the line of conditions all of it.
 * @import { Condition } from '../../model/dimensions.js'
 * @import { Conditions, RunCase } from '../../types.js'
 * @import { Words } from './words.js'
 */

import { conditionsOf, DIMENSIONS, telling, TIMES } from '../../model/dimensions.js';
import { isOpen } from '../../model/load-model-check.js';

/**
 * Run files of other programs may tell less of the load.
 * @param {Partial<Conditions>} load
 * @param {Words} words
 * @param {{ without?: (keyof Conditions)[] }} [options] without: fields that are told elsewhere
 * @returns {string} "autocannon, 100 connections, pipelining 4"
 */
export function loadText(load, words, { without = [] } = {}) {
  const told = telling(load).filter(({ row }) => !without.includes(row.field));
  return words.list(told.map(({ row, value }) => words.condition(row, [value])));
}

/**
 * @param {Partial<Conditions>[]} loads
 * @returns {(keyof Conditions)[]} of the dimensions, those in which they differ
 */
export function differing(loads) {
  const fields = DIMENSIONS.map(({ field }) => field);
  return fields.filter((field) => new Set(loads.map((load) => load[field])).size > 1);
}

/**
 * @param {Partial<Conditions>} load
 * @param {(keyof Conditions)[]} fields
 * @param {Words} words
 * @returns {string} their values, usual ones too: "ab, keep-alive on"
 */
export function fieldsText(load, fields, words) {
  /** @type {readonly Condition[]} */
  const rows = DIMENSIONS.filter(({ field }) => fields.includes(field));
  return words.list(
    rows.flatMap((row) =>
      load[row.field] === undefined ? [] : words.condition(row, [load[row.field] ?? '']),
    ),
  );
}

/**
 * @param {Pick<RunCase, 'load'>[]} cases
 * @param {Words} words
 * @returns {string} whether connections wait for their answers, or requests are sent at a rate
 */
export function loopText(cases, { loops }) {
  const open = cases.filter(({ load }) => isOpen(load ?? {})).length;
  if (open === 0) return loops.closed;
  return open === cases.length ? loops.open : loops.both;
}

/**
 * @param {RunCase[]} cases
 * @param {keyof Conditions} field
 * @returns {RunCase[][]} those of one server and route whose loads differ in that dimension alone, where there are several
 */
export function alikeBut(cases, field) {
  /** @type {Map<string, RunCase[]>} */
  const groups = new Map();
  for (const of of cases) {
    const conditions = conditionsOf(of);
    const rest = DIMENSIONS.map((row) => (row.field === field ? undefined : conditions[row.field]));
    const key = JSON.stringify([of.server, of.route, rest]);
    groups.set(key, [...(groups.get(key) ?? []), of]);
  }
  return [...groups.values()].filter(({ length }) => length > 1);
}

/**
 * @param {Partial<Conditions>[]} loads where they differ, all their values are told
 * @param {{ windows: string | undefined, words: Words }} context windows: how the measured time was split, where that is known
 * @returns {string[]}
 */
export function loadWords(loads, { windows, words }) {
  /** @type {readonly Condition[]} */
  const rows = [...DIMENSIONS, ...TIMES.filter(({ field }) => field !== 'windows')];
  return rows.flatMap((row) => {
    if (row.field === 'durationSeconds' && windows !== undefined) return windows;
    const values = [...new Set(loads.flatMap((load) => load[row.field] ?? []))];
    const isUsual = row.quiet && values.every((value) => String(value) === row.default);
    return values.length === 0 || isUsual ? [] : words.condition(row, values);
  });
}
