/** @import { Comparison } from '../types.js' */

import { kindOf, readJson } from './json-file.js';

/** @type {import('./json-file.js').Kind<Comparison>} */
const KIND = kindOf('comparison.schema.json', '`perf-action compare --json` makes a comparison file', [
  'run.schema.json',
]);

/** See `readJson`. @type {(file: string, bounds?: import('./json-file.js').Bounds) => Promise<Comparison>} */
export function readComparison(file, bounds) {
  return readJson(file, KIND, bounds);
}
