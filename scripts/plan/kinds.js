/**
 * How each kind of option is read, from a flag's text as from a value of perf.yml.
 * @import { Kind } from './options.js'
 */

import { UserError } from '../errors.js';
import { nearestAndAll } from './nearest.js';
import {
  oneOf,
  parseBoolean,
  parseCount,
  parseDuration,
  parsePause,
  parsePercent,
  splitList,
  texts,
} from './units.js';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** @type {Record<Kind, (value: any, where: string) => unknown>} */
export const KINDS = {
  text: (value) => String(value),
  names: (value, where) => listOf(value, where, (item) => item),
  versions: (value, where) => listOf(value, where, readVersion),
  count: (value, where) => parseCount(String(value), where),
  counts: (value, where) => listOf(value, where, parseCount),
  seed: readSeed,
  shard: readShard,
  duration: parseDuration,
  pause: parsePause,
  percent: parsePercent,
  factor: readFactor,
  switches: (value, where) => listOf(value, where, parseBoolean),
  method: readMethod,
  failOn: (value, where) => oneOf(value, ['regressed', 'unsure', 'never'], where),
  list: readHeaders,
  boolean: (value) => value === true || value === 'true',
};

/**
 * @template T
 * @param {unknown} value one item, several with commas, or a list of items
 * @param {string} where
 * @param {(item: any, where: string) => T} read
 * @returns {T[]} each once, in the order given; items that are no text (a server written out) pass as they are
 */
function listOf(value, where, read) {
  const items = [value].flat().flatMap((item) => (item instanceof Object ? [item] : splitList(String(item))));
  if (items.length === 0) throw new UserError(`${where}: the list is empty; name at least one`);
  return [...new Set(items.map((item) => read(item, where)))];
}

/**
 * @param {unknown} value
 * @param {string} where
 * @returns {number} what the shuffle takes: 32 bits
 */
function readSeed(value, where) {
  const seed = /^\d+$/.test(String(value)) ? Number(value) : Number.NaN;
  if (seed < 2 ** 32) return seed;
  throw new UserError(`${where}: "${value}" is no seed; write a whole number from 0 to ${2 ** 32 - 1}`);
}

/**
 * @param {string} value
 * @param {string} where
 * @returns {{ index: number, of: number }}
 */
function readShard(value, where) {
  const [, index = 0, of = 0] = /^(\d{1,3})\/(\d{1,3})$/.exec(value)?.map(Number) ?? [];
  if (index >= 1 && index <= of) return { index, of };
  throw new UserError(`${where}: "${value}" is no shard; write which of how many, like 2/3`);
}

/**
 * @param {string} value
 * @param {string} where
 */
function readVersion(value, where) {
  if (/^\d+(\.\d+){0,2}$/.test(value)) return value;
  throw new UserError(`${where}: "${value}" is no version of Node; write one like 24 or 24.9.0`);
}

/**
 * @param {string} value
 * @param {string} where
 */
function readFactor(value, where) {
  const factor = /^\d*\.?\d+$/.test(value) ? Number(value) : 0;
  if (factor > 0) return factor;
  throw new UserError(`${where}: "${value}" is no factor; write a number above 0, like 0.1`);
}

/**
 * @param {string} value
 * @param {string} where
 */
function readMethod(value, where) {
  if (METHODS.includes(value)) return value;
  throw new UserError(`${where}: unknown method "${value}"${nearestAndAll(value.toUpperCase(), METHODS)}`);
}

/**
 * @param {string | string[] | Record<string, unknown>} value lines "name: value", or a mapping
 * @param {string} where
 * @returns {Record<string, string>}
 */
function readHeaders(value, where) {
  if (typeof value === 'object' && !Array.isArray(value)) return texts(value);
  const lines = [value]
    .flat()
    .flatMap((text) => text.split('\n'))
    .filter((line) => line.trim());
  return Object.fromEntries(
    lines.map((line) => {
      const [, name, content] = /^\s*([^\s:]+):\s*(.*?)\s*$/.exec(line) ?? [];
      if (name !== undefined && content !== undefined) return [name, content];
      throw new UserError(`${where}: "${line}" is no header; write it like "accept: text/html"`);
    }),
  );
}
