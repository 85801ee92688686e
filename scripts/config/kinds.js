/**
 * Readers for each kind of option, from a flag or a value of perf.yml. A UserError of each names the place.
 * @import { Caller } from '../types.js'
 */

import { PROXIES } from '../deploy/topology/proxies.js';
import { MANAGERS } from '../deploy/topology/managers.js';
import { UserError } from '../model/errors.js';
import {
  oneOf,
  parseBoolean,
  parseCount,
  parseDuration,
  parsePause,
  parsePercent,
  splitList,
} from '../model/units.js';

/** More than any machine has cores. */
const MOST_INSTANCES = 1000;

/** @typedef {keyof typeof KINDS} Kind */
/**
 * The value is valid by the schema, or text.
 * @template T
 * @typedef {(value: unknown, where: string, caller: Pick<Caller, 'cores'>) => T} Reader
 */
/**
 * @template T
 * @typedef {(text: string, where: string, caller: Pick<Caller, 'cores'>) => T} TextReader
 */

const readNames = listOf((name) => name);

export const KINDS = {
  text: one((text) => text),
  names: readNames,
  files: readNames,
  entries: readEntries,
  count: one(parseCount),
  counts: listOf(parseCount),
  instances: listOf(readInstances),
  managers: listOf((text, where) => oneOf(text, Object.keys(MANAGERS), where)),
  proxies: listOf((text, where) => oneOf(text, Object.keys(PROXIES), where)),
  // The shuffle takes 32 bits.
  seed: one((text, where) => {
    const seed = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (seed < 2 ** 32) return seed;
    throw new UserError(
      `${where}: "${text}" is not a valid seed; use a whole number from 0 to ${2 ** 32 - 1}`,
    );
  }),
  shard: one(readShard),
  duration: one(parseDuration),
  pause: one(parsePause),
  percent: one(parsePercent),
  factor: one((text, where) => {
    const factor = /^\d*\.?\d+$/.test(text) ? Number(text) : 0;
    if (factor > 0) return factor;
    throw new UserError(`${where}: "${text}" is not a valid factor; use a number above 0, like 0.1`);
  }),
  switch: one(parseBoolean),
  switches: listOf(parseBoolean),
  failOn: one((text, where) => oneOf(text, /** @type {const} */ (['regressed', 'unsure', 'never']), where)),
  boolean: one((text) => text === 'true'),
};

/** @type {<T>(read: TextReader<T>) => Reader<T>} */
function one(read) {
  return (value, where, caller) => read(String(value), where, caller);
}

/**
 * Reads one item, several with commas, or a list of items: each once, in the order given.
 * @type {<T>(read: TextReader<T>) => Reader<T[]>}
 */
function listOf(read) {
  return (value, where, caller) => {
    const items = [value].flat().flatMap((item) => splitList(String(item)));
    if (items.length === 0) throw new UserError(`${where}: the list is empty; give at least one value`);
    return [...new Set(items.map((item) => read(item, where, caller)))];
  };
}

/** @type {Reader<(string | Record<string, unknown>)[]>} names, and what a file writes out in their place */
function readEntries(value, where, caller) {
  const items = /** @type {(string | Record<string, unknown>)[]} */ ([value].flat());
  const entries = items.map((item) => (item instanceof Object ? item : readNames(item, where, caller)));
  return [...new Set(entries.flat())];
}

/** @type {TextReader<number>} */
function readInstances(text, where, { cores }) {
  const [, times] = /^(\d+)x$/.exec(text) ?? [];
  const count = times === undefined ? parseCount(text, where) : Number(times) * cores;
  if (count >= 1 && count <= MOST_INSTANCES) return count;
  throw new UserError(
    `${where}: "${text}" is not a valid number of instances; use 1 to ${MOST_INSTANCES}, or 2x for twice the cores`,
  );
}

/** @type {TextReader<{ index: number, of: number }>} */
function readShard(text, where) {
  const [, index = 0, count = 0] = /^(\d{1,3})\/(\d{1,3})$/.exec(text)?.map(Number) ?? [];
  if (index >= 1 && index <= count) return { index, of: count };
  throw new UserError(`${where}: "${text}" is not a valid shard; use PART/PARTS, like 2/3`);
}
