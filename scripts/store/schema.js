/** Turns this folder's published schemas into checks. */

import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';

/**
 * @template T
 * @param {string} name the schema's file in this folder
 * @returns {import('ajv/dist/2020.js').ValidateFunction<T>} fills in the schema's defaults; its errors carry the value
 */
export function readSchema(name) {
  const schema = JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'));
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, useDefaults: true, verbose: true });
  return /** @type {any} */ (ajv.compile(schema));
}
