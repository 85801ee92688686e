/** JSON files with a schema: read with a mistake told in one line, written whole or not at all. */

import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, relative } from 'node:path';
import { readBounded } from '../system/bounded-file.js';
import { UserError } from '../model/errors.js';
import { tell } from '../model/schema.js';

/**
 * @template T
 * @typedef {{
 *   version: string,
 *   check: import('../model/schema.js').Check<T>,
 *   make: string,
 * }} Kind version: what the file's `schema` must say; make: how one is made
 */

/**
 * What a file may hold. bytes; values: list items, keys, lists and objects; depth: lists and objects inside of each other.
 * @typedef {{ bytes: number, values: number, depth: number }} Bounds
 */

/** Nothing that is measured is so little and not nothing, and what is divided by it is beyond all measure. */
const LEAST = 1e-12;
const TINY = /\de-\d\d|0\.0{11}/i;

/** Hundreds of cases over many rounds have some tens of megabytes. @type {Bounds} */
const BOUNDS = { bytes: 128 * 2 ** 20, values: 20_000_000, depth: 50 };

/**
 * @template T
 * @param {string} file
 * @param {Kind<T>} kind
 * @param {Bounds} [bounds]
 * @returns {Promise<T>} with the schema's defaults filled in
 * @throws {UserError} where it is missing, empty, no JSON, of another version or of a wrong shape
 */
export async function readJson(file, { version, check, make }, bounds = BOUNDS) {
  const named = nameOf(file);
  const mend = `check the path, or ${make}`;
  const text = readBounded(file, { bytes: bounds.bytes, named, mend }).toString();
  const { values, depth } = shapeOf(text);
  if (values > bounds.values) throw new UserError(`${named}: has more than ${bounds.values} values; ${make}`);
  if (depth > bounds.depth)
    throw new UserError(`${named}: is nested more than ${bounds.depth} levels deep; ${make}`);
  if (text.trim() === '') throw new UserError(`${named}: the file is empty; ${make}`);
  const value = parse(text, { named, make });
  const found = value?.schema;
  if (found !== version) {
    const told = found === undefined ? 'has no "schema"' : `has the schema ${JSON.stringify(found)}`;
    throw new UserError(`${named}: ${told}, but this version reads "${version}"; ${make}`);
  }
  if (check(value)) return value;
  const [mistake] = check.errors;
  throw new UserError(`${named}: ${mistake ? tell(mistake) : 'not valid'}; fix it, or ${make}`);
}

/**
 * @param {string} file its folder is made where it is missing
 * @param {object} value
 * @returns {Promise<void>} when the file is there whole; until then an earlier one stands
 * @throws {UserError} where the place cannot be written to
 */
export function writeJson(file, value) {
  return writeText(file, serialize(value));
}

/**
 * @param {string} file its folder is made where it is missing
 * @param {string | Iterable<string>} text
 * @returns {Promise<void>} when the file is there whole; until then an earlier one stands
 * @throws {UserError} where the place cannot be written to
 */
export async function writeText(file, text) {
  const unfinished = `${file}.${process.pid}.tmp`;
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(unfinished, text);
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => {});
    throw new UserError(
      `${nameOf(file)}: cannot be written (${codeOf(error)}); choose another folder, or fix this one`,
    );
  }
}

/**
 * Item by item, so that a file of hundreds of cases, written after each of them, never stands in memory as a whole.
 * @param {object} value
 * @returns {Iterable<string>}
 */
function* serialize(value) {
  let before = '{';
  for (const [key, each] of Object.entries(value)) {
    if (each === undefined) continue;
    yield `${before}\n  ${JSON.stringify(key)}: `;
    before = ',';
    if (Array.isArray(each) && typeof each[0] === 'object') {
      for (const [place, item] of each.entries()) yield `${place > 0 ? ',' : '['}\n    ${indented(item, 4)}`;
      yield '\n  ]';
    } else yield indented(each, 2);
  }
  yield '\n}\n';
}

/**
 * Baselines are kept in git; a list of numbers stays on its line, since series have thousands.
 * @param {unknown} value
 * @param {number} by
 */
function indented(value, by) {
  const numbers = /\[\n\s+(-?\d[\d.e+-]*(?:,\n\s+-?\d[\d.e+-]*)*)\n\s*\]/g;
  return JSON.stringify(value, null, 2)
    .replace(numbers, (_, list) => `[${list.replaceAll(/\s+/g, ' ')}]`)
    .replaceAll('\n', `\n${' '.repeat(by)}`);
}

/** @param {string} _key @param {unknown} value */
function withoutTiny(_key, value) {
  return typeof value === 'number' && Math.abs(value) < LEAST ? 0 : value;
}

const QUOTE = 34;
const COMMA = 44;
const BACKSLASH = 92;
/** In ASCII `[` and `{`, and likewise `]` and `}`, are the same but for this bit. */
const CURLY = 32;
const OPEN = 91;
const CLOSE = 93;

/**
 * Read off the text, since what is parsed takes many times its memory.
 * @param {string} text of JSON
 * @returns {{ values: number, depth: number }} an upper bound of how many there are; how deep it goes
 */
function shapeOf(text) {
  let [values, depth, deepest] = [0, 0, 0];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === COMMA) values++;
    else if ((code & ~CURLY) === OPEN) {
      values++;
      deepest = Math.max(deepest, ++depth);
    } else if ((code & ~CURLY) === CLOSE) depth--;
  }
  return { values, depth: deepest };
}

/**
 * @param {string} text
 * @param {number} start of the string, where its first quote stands
 */
function endOfString(text, start) {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at;
}

/**
 * @param {string} text
 * @param {{ named: string, make: string }} told
 */
function parse(text, { named, make }) {
  try {
    return JSON.parse(text, TINY.test(text) ? withoutTiny : undefined);
  } catch (error) {
    // What JSON.parse says may quote the text, line ends included.
    const why = /** @type {Error} */ (error).message.replaceAll(/\s+/g, ' ');
    throw new UserError(`${named}: is not valid JSON (${why}); ${make}`);
  }
}

/** @param {string} file */
function nameOf(file) {
  const inside = relative(process.cwd(), file);
  return inside.startsWith('..') ? file : inside;
}

/** @param {unknown} error */
function codeOf(error) {
  const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
  return code ?? message;
}
