/** Turns this folder's published schemas into checks. */

import { readFileSync } from 'node:fs';
import { checkOf } from '../model/schema.js';

/**
 * @template T
 * @param {string} name the schema's file in this folder
 * @returns {import('../model/schema.js').Check<T>} fills in the schema's defaults; its errors carry the value
 */
export function readSchema(name) {
  const schema = JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'));
  return checkOf(schema, { useDefaults: true });
}
