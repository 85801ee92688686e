/**
 * A search for a commit on disk: what a later session needs to go on with it.
 * @import { Bisection } from '../types.js'
 */

import { join } from 'node:path';
import { readJson, writeJson } from './json-file.js';
import { readSchema } from './schema.js';

const NAME = 'bisection.json';

/** @type {import('./json-file.js').Kind<Bisection>} */
const KIND = {
  version: 'perf-action/bisection@1',
  check: readSchema('bisection.schema.json'),
  make: '`perf-action bisect GOOD BAD` makes one',
};

/**
 * @param {string} dir
 * @returns {Promise<Bisection>}
 * @throws {import('../errors.js').UserError} where it is missing, empty, no JSON, of another version or of a wrong shape
 */
export function readBisection(dir) {
  return readJson(join(dir, NAME), KIND);
}

/**
 * @param {string} dir made where it is missing
 * @param {Bisection} bisection
 * @returns {Promise<void>} when the file is there whole
 * @throws {import('../errors.js').UserError} where the folder cannot be written to
 */
export function writeBisection(dir, bisection) {
  return writeJson(join(dir, NAME), bisection);
}
