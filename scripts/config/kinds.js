/**
 * Readers for each kind of option, from a flag's text or a value of perf.yml. Each throws a UserError that names the
 * place.
 */

import { availableParallelism } from 'node:os';
import { FRONTS } from '../deploy/topology/fronts.js';
import { MANAGERS } from '../deploy/topology/managers.js';
import { UserError } from '../model/errors.js';
import { nearestAndAll } from '../model/nearest.js';
import {
  oneOf,
  parseBoolean,
  parseCount,
  parseDuration,
  parsePause,
  parsePercent,
  splitList,
  texts,
} from '../model/units.js';

/** More than any machine has cores. */
const MOST_INSTANCES = 1000;

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** @typedef {keyof typeof KINDS} Kind */
/** @template T @typedef {(value: unknown, where: string) => T} Reader what a value of the file's schema, or a flag's text, means */

const readNames = listOf((name) => name);

export const KINDS = {
  text: one((text) => text),
  names: readNames,
  files: readNames,
  entries: readEntries,
  versions: listOf(readVersion),
  count: one(parseCount),
  counts: listOf(parseCount),
  instances: listOf(readInstances),
  managers: listOf((text, where) => oneOf(text, Object.keys(MANAGERS), where)),
  fronts: listOf((text, where) => oneOf(text, Object.keys(FRONTS), where)),
  seed: one(readSeed),
  shard: one(readShard),
  duration: one(parseDuration),
  pause: one(parsePause),
  percent: one(parsePercent),
  factor: one(readFactor),
  switch: one(parseBoolean),
  switches: listOf(parseBoolean),
  method: one(readMethod),
  failOn: one((text, where) => oneOf(text, /** @type {const} */ (['regressed', 'unsure', 'never']), where)),
  list: readHeaders,
  boolean: one((text) => text === 'true'),
};

/**
 * @template T
 * @param {(text: string, where: string) => T} read
 * @returns {Reader<T>}
 */
function one(read) {
  return (value, where) => read(String(value), where);
}

/**
 * @template T
 * @param {(text: string, where: string) => T} read
 * @returns {Reader<T[]>} of one item, several with commas, or a list of items: each once, in the order given
 */
function listOf(read) {
  return (value, where) => {
    const items = [value].flat().flatMap((item) => splitList(String(item)));
    if (items.length === 0) throw new UserError(`${where}: the list is empty; give at least one value`);
    return [...new Set(items.map((item) => read(item, where)))];
  };
}

/**
 * @param {unknown} value
 * @param {string} where
 * @returns {(string | Record<string, unknown>)[]} names, and what a file writes out in their place
 */
function readEntries(value, where) {
  /** @type {unknown[]} */
  const items = [value].flat();
  const entries = items.map((item) => (isWrittenOut(item) ? item : readNames(item, where)));
  return [...new Set(entries.flat())];
}

/** @param {unknown} item @returns {item is Record<string, unknown>} */
function isWrittenOut(item) {
  return item instanceof Object;
}

/** @param {string} value @param {string} where @returns {number} */
function readInstances(value, where) {
  const [, times] = /^(\d+)x$/.exec(value) ?? [];
  const count = times === undefined ? parseCount(value, where) : Number(times) * availableParallelism();
  if (count >= 1 && count <= MOST_INSTANCES) return count;
  throw new UserError(
    `${where}: "${value}" is not a valid number of instances; use 1 to ${MOST_INSTANCES}, or 2x for twice the cores`,
  );
}

/** @param {string} value @param {string} where @returns {number} what the shuffle takes: 32 bits */
function readSeed(value, where) {
  const seed = /^\d+$/.test(value) ? Number(value) : Number.NaN;
  if (seed < 2 ** 32) return seed;
  throw new UserError(
    `${where}: "${value}" is not a valid seed; use a whole number from 0 to ${2 ** 32 - 1}`,
  );
}

/** @param {string} value @param {string} where @returns {{ index: number, of: number }} */
function readShard(value, where) {
  const [, index = 0, of = 0] = /^(\d{1,3})\/(\d{1,3})$/.exec(value)?.map(Number) ?? [];
  if (index >= 1 && index <= of) return { index, of };
  throw new UserError(`${where}: "${value}" is not a valid shard; use PART/PARTS, like 2/3`);
}

/** @param {string} value @param {string} where */
function readVersion(value, where) {
  if (/^\d+(\.\d+){0,2}$/.test(value)) return value;
  throw new UserError(`${where}: "${value}" is not a valid Node version; use one like 24 or 24.9.0`);
}

/** @param {string} value @param {string} where */
function readFactor(value, where) {
  const factor = /^\d*\.?\d+$/.test(value) ? Number(value) : 0;
  if (factor > 0) return factor;
  throw new UserError(`${where}: "${value}" is not a valid factor; use a number above 0, like 0.1`);
}

/** @param {string} value @param {string} where */
function readMethod(value, where) {
  if (METHODS.includes(value)) return value;
  throw new UserError(`${where}: unknown method "${value}"${nearestAndAll(value.toUpperCase(), METHODS)}`);
}

/**
 * @param {unknown} value lines "name: value", or a mapping
 * @param {string} where
 * @returns {Record<string, string>}
 */
function readHeaders(value, where) {
  if (isWrittenOut(value) && !Array.isArray(value)) return texts(value);
  const lines = [value]
    .flat()
    .flatMap((text) => String(text).split('\n'))
    .filter((line) => line.trim());
  return Object.fromEntries(
    lines.map((line) => {
      const [, name, content] = /^\s*([^\s:]+):\s*(.*?)\s*$/.exec(line) ?? [];
      if (name !== undefined && content !== undefined) return [name, content];
      throw new UserError(
        `${where}: "${line}" is not a valid header; use "name: value", like "accept: text/html"`,
      );
    }),
  );
}
