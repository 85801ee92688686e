/** JSON files with a schema: read with a mistake told in one line, written whole or not at all. */

import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { UserError } from '../errors.js';

/**
 * @param {string} file
 * @param {{ schema: object, version: string, make: string }} kind version: the value its `schema` must have; make: how one is made
 * @returns {Promise<any>}
 * @throws {UserError}
 */
export async function readJson(file, { schema, version, make }) {
  const text = await readFile(file, 'utf8').catch((error) => {
    throw new UserError(`${file}: cannot be read (${error.code}); ${make}`);
  });
  if (text.trim() === '') throw new UserError(`${file}: is empty; ${make}`);
  const value = parse(text, file, make);
  if (value?.schema !== version) {
    const found =
      value?.schema === undefined ? 'has no "schema"' : `has the schema ${JSON.stringify(value.schema)}`;
    throw new UserError(`${file}: ${found}, expected "${version}"; ${make}`);
  }
  const validate = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(schema);
  if (validate(value)) return value;
  const [mistake] = validate.errors ?? [];
  throw new UserError(`${file}: ${mistake?.instancePath || 'the whole'} ${mistake?.message}; ${make}`);
}

/**
 * @param {string} file
 * @param {object} value
 * @returns {Promise<void>}
 */
export async function writeJson(file, value) {
  await mkdir(dirname(file), { recursive: true });
  const unfinished = `${file}.${process.pid}.tmp`;
  await writeFile(unfinished, `${JSON.stringify(value, null, 2)}\n`);
  await rename(unfinished, file);
}

/**
 * @param {string} text
 * @param {string} file
 * @param {string} make
 */
function parse(text, file, make) {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UserError(`${file}: is no JSON (${/** @type {Error} */ (error).message}); ${make}`);
  }
}
