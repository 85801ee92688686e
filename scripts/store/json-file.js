/** JSON files with a schema: mistakes are reported in one line, and files are written whole or not at all. */

import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { UserError } from '../model/errors.js';
import { checkOf, mistakeText } from '../model/schema.js';
import { readBounded } from '../system/bounded-file.js';
import { placeFrom } from '../system/folder.js';

/**
 * A kind of files; version: what the file's `schema` must be; make: how a user makes such a file.
 * @template T
 * @typedef {{ version: string, check: import('../model/schema.js').Check<T>, make: string }} Kind
 */
/**
 * What a stranger's file may hold; values: items, keys, lists, objects; depth: lists, objects in each other.
 * @typedef {{ bytes: number, values: number, depth: number }} Bounds
 */

/** Smaller numbers count as 0: quotients by them would have no meaning. */
const LEAST = 1e-12;
const TINY = /\de-\d\d|0\.0{11}/i;

/** Hundreds of cases over many rounds have some tens of megabytes. @type {Bounds} */
const BOUNDS = { bytes: 128 * 2 ** 20, values: 20_000_000, depth: 50 };

/**
 * @template T
 * @param {string} name of the schema in this folder
 * @param {string} make how a user makes such a file
 * @param {string[]} [others] schemas that it refers to
 * @returns {Kind<T>} its check fills in the schema's defaults
 */
export function kindOf(name, make, others = []) {
  const [schema, ...schemas] = [name, ...others].map((file) =>
    JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8')),
  );
  return { version: schema.$id, check: checkOf(schema, { useDefaults: true, schemas }), make };
}

/**
 * Fills in the schema's defaults.
 * @type {<T>(file: string, kind: Kind<T>, bounds?: Bounds) => Promise<T>}
 * @throws {UserError} where it is missing, empty, too large, no JSON, of another version or of a wrong shape
 */
export async function readJson(file, { version, check, make }, bounds = BOUNDS) {
  const named = placeFrom(process.cwd(), file);
  const refuse = (/** @type {string} */ why, mend = make) => new UserError(`${named}: ${why}; ${mend}`);
  const mend = `check the path, or ${make}`;
  const text = readBounded(file, { bytes: bounds.bytes, named, mend }).toString();
  const { values, depth } = shapeOf(text);
  if (values > bounds.values) throw refuse(`has more than ${bounds.values} values`);
  if (depth > bounds.depth) throw refuse(`is nested more than ${bounds.depth} levels deep`);
  if (text.trim() === '') throw refuse('the file is empty');
  const value = parse(text, refuse);
  const stated =
    value?.schema === undefined ? 'has no "schema"' : `has the schema ${JSON.stringify(value.schema)}`;
  if (value?.schema !== version) throw refuse(`${stated}, but this version reads "${version}"`);
  if (check(value)) return value;
  const [mistake] = check.errors;
  throw refuse(mistake ? mistakeText(mistake) : 'not valid', `fix it, or ${make}`);
}

/** See `writeText`. @type {(file: string, value: object) => Promise<void>} */
export function writeJson(file, value) {
  return writeText(file, serialize(value));
}

/**
 * @param {string} file its folder is made where it is missing
 * @param {string | Iterable<string>} text
 * @returns {Promise<void>} when the whole file is there; until then an earlier one stays
 * @throws {UserError} where the place cannot be written to
 */
export async function writeText(file, text) {
  // Measured code may have left a link under any name that it can foretell.
  const unfinished = `${file}.${randomUUID()}.tmp`;
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(unfinished, text, { flag: 'wx' });
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => {});
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
    throw new UserError(
      `${placeFrom(process.cwd(), file)}: cannot be written (${code ?? message}); choose another folder, or fix this one`,
    );
  }
}

/** Item by item, so that hundreds of cases never fill memory. @type {(value: object) => Generator<string>} */
function* serialize(value) {
  let before = '{';
  for (const [key, part] of Object.entries(value)) {
    if (part === undefined) continue;
    yield `${before}\n  ${JSON.stringify(key)}: `;
    before = ',';
    if (Array.isArray(part) && typeof part[0] === 'object') {
      for (const [place, item] of part.entries()) yield `${place > 0 ? ',' : '['}\n    ${indented(item, 4)}`;
      yield '\n  ]';
    } else yield indented(part, 2);
  }
  yield '\n}\n';
}

/** A line a list of numbers: git keeps series of thousands. @type {(value: unknown, by: number) => string} */
function indented(value, by) {
  const numbers = /\[\n\s+(-?\d[\d.e+-]*(?:,\n\s+-?\d[\d.e+-]*)*)\n\s*\]/g;
  return JSON.stringify(value, null, 2)
    .replace(numbers, (_, list) => `[${list.replaceAll(/\s+/g, ' ')}]`)
    .replaceAll('\n', `\n${' '.repeat(by)}`);
}

/** Counted in the text of JSON, since a parsed value takes many times its memory. @param {string} text */
function shapeOf(text) {
  let [values, depth, deepest] = [0, 0, 0];
  for (let place = 0; place < text.length; place++) {
    const char = text[place];
    if (char === '"') place = endOfString(text, place);
    else if (char === ',') values++;
    else if (char === '{' || char === '[') {
      values++;
      deepest = Math.max(deepest, ++depth);
    } else if (char === '}' || char === ']') depth--;
  }
  return { values, depth: deepest };
}

/** `start` is the place of the string's first quote. @type {(text: string, start: number) => number} */
function endOfString(text, start) {
  let place = start + 1;
  while (place < text.length && text[place] !== '"') place += text[place] === '\\' ? 2 : 1;
  return place;
}

/** @type {(text: string, refuse: (why: string) => UserError) => any} */
function parse(text, refuse) {
  const withoutTiny = (/** @type {string} */ _key, /** @type {unknown} */ value) =>
    typeof value === 'number' && Math.abs(value) < LEAST ? 0 : value;
  try {
    return JSON.parse(text, TINY.test(text) ? withoutTiny : undefined);
  } catch (error) {
    // The message quotes the file, which may be one of secrets.
    const [place] = /at position \d+/.exec(/** @type {Error} */ (error).message) ?? [];
    throw refuse(`is not valid JSON${place === undefined ? '' : ` ${place}`}`);
  }
}
