/**
 * A search for a commit on disk: what a later session needs to continue it.
 * @import { Bisection } from '../types.js'
 */

import { join } from 'node:path';
import { kindOf, readJson, writeJson } from './json-file.js';
import { BISECTION } from './result-files.js';

/** @type {import('./json-file.js').Kind<Bisection>} */
const KIND = kindOf('bisection.schema.json', '`perf-action bisect GOOD BAD` makes one', [
  'run.schema.json',
  'comparison.schema.json',
]);

/** @param {string} dir @returns {Promise<Bisection>} see `readJson` */
export function readBisection(dir) {
  return readJson(join(dir, BISECTION), KIND);
}

/** @param {string} dir @param {Bisection} bisection @returns {Promise<void>} see `writeText` */
export function writeBisection(dir, bisection) {
  return writeJson(join(dir, BISECTION), bisection);
}
