/**
 * A search for a commit on disk: what a later session needs to continue it.
 * @import { Bisection } from '../types.js'
 */

import { join } from 'node:path';
import { readJson, writeJson } from './json-file.js';
import { readSchema } from './schema.js';

/** In the folder of results. */
export const BISECTION = 'bisection.json';

/** @type {import('./json-file.js').Kind<Bisection>} */
const KIND = {
  version: 'perf-action/bisection@1',
  check: readSchema('bisection.schema.json'),
  make: '`perf-action bisect GOOD BAD` makes one',
};

/**
 * @param {string} dir
 * @param {import('./json-file.js').Bounds} [bounds] of a file that a stranger may have written
 * @returns {Promise<Bisection>}
 * @throws {import('../model/errors.js').UserError} see `readJson`
 */
export function readBisection(dir, bounds) {
  return readJson(join(dir, BISECTION), KIND, bounds);
}

/** @param {string} dir @param {Bisection} bisection @returns {Promise<void>} see `writeJson` */
export function writeBisection(dir, bisection) {
  return writeJson(join(dir, BISECTION), bisection);
}
