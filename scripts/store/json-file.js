/** JSON files with a schema: read with a mistake told in one line, written whole or not at all. */

import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, relative } from 'node:path';
import { UserError } from '../errors.js';
import { tell } from '../schema.js';

/**
 * @template T
 * @typedef {{
 *   version: string,
 *   check: import('ajv/dist/2020.js').ValidateFunction<T>,
 *   make: string,
 * }} Kind version: what the file's `schema` must say; make: how one is made
 */

/**
 * @template T
 * @param {string} file
 * @param {Kind<T>} kind
 * @returns {Promise<T>} with the schema's defaults filled in
 * @throws {UserError} where it is missing, empty, no JSON, of another version or of a wrong shape
 */
export async function readJson(file, { version, check, make }) {
  const named = nameOf(file);
  const text = await readText(file, make);
  if (text.trim() === '') throw new UserError(`${named}: the file is empty; ${make}`);
  const value = parse(text, { named, make });
  const found = value?.schema;
  if (found !== version) {
    const told = found === undefined ? 'has no "schema"' : `has the schema ${JSON.stringify(found)}`;
    throw new UserError(`${named}: ${told}, but this version reads "${version}"; ${make}`);
  }
  if (check(value)) return value;
  const [mistake] = check.errors ?? [];
  throw new UserError(`${named}: ${mistake ? tell(mistake) : 'not valid'}; fix it, or ${make}`);
}

/**
 * @param {string} file its folder is made where it is missing
 * @param {object} value
 * @returns {Promise<void>} when the file is there whole; until then an earlier one stands
 * @throws {UserError} where the place cannot be written to
 */
export async function writeJson(file, value) {
  const unfinished = `${file}.${process.pid}.tmp`;
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(unfinished, serialize(value));
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => {});
    throw new UserError(
      `${nameOf(file)}: cannot be written (${codeOf(error)}); choose another folder, or fix this one`,
    );
  }
}

/**
 * Indented, since baselines are kept in git; a list of numbers stays on its line, since series have thousands.
 * @param {object} value
 */
function serialize(value) {
  const numbers = /\[\n\s+(-?\d[\d.e+-]*(?:,\n\s+-?\d[\d.e+-]*)*)\n\s+\]/g;
  return `${JSON.stringify(value, null, 2).replace(numbers, (_, list) => `[${list.replaceAll(/\s+/g, ' ')}]`)}\n`;
}

/**
 * @param {string} file
 * @param {string} make
 */
async function readText(file, make) {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const code = codeOf(error);
    const why = code === 'ENOENT' ? 'there is no such file' : `cannot be read (${code})`;
    throw new UserError(`${nameOf(file)}: ${why}; check the path, or ${make}`);
  }
}

/**
 * @param {string} text
 * @param {{ named: string, make: string }} told
 */
function parse(text, { named, make }) {
  try {
    return JSON.parse(text);
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
