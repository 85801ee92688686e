/** @import { Comparison } from '../types.js' */

import { kindOf, readJson, writeJson } from './json-file.js';

/** @type {import('./json-file.js').Kind<Comparison>} */
const KIND = kindOf('comparison.schema.json', '`perf-action compare --json` makes a comparison file', [
  'run.schema.json',
]);

/** @param {string} file @param {import('./json-file.js').Bounds} [bounds] @returns {Promise<Comparison>} see `readJson` */
export function readComparison(file, bounds) {
  return readJson(file, KIND, bounds);
}

/** @param {string} file @param {Comparison} comparison @returns {Promise<void>} see `writeText` */
export function writeComparison(file, comparison) {
  return writeJson(file, comparison);
}
