/**
 * Comparison files on disk.
 * @import { Comparison } from '../types.js'
 */

import { join } from 'node:path';
import { readJson, writeJson } from './json-file.js';
import { readSchema } from './schema.js';

/** @type {import('./json-file.js').Kind<Comparison>} */
const KIND = {
  version: 'perf-action/comparison@1',
  check: readSchema('comparison.schema.json'),
  make: '`perf-action compare --json` makes a comparison file',
};

/**
 * @param {string} file
 * @param {import('./json-file.js').Bounds} [bounds] of a file that a stranger may have written
 * @returns {Promise<Comparison>}
 * @throws {import('../model/errors.js').UserError} where it is missing, empty, no JSON, of another version or of a wrong shape
 */
export function readComparison(file, bounds) {
  return readJson(file, KIND, bounds);
}

/**
 * @param {string} dir made where it is missing
 * @param {Comparison} comparison
 * @returns {Promise<void>} when the file is there whole
 * @throws {import('../model/errors.js').UserError} where the folder cannot be written to
 */
export function writeComparison(dir, comparison) {
  return writeJson(join(dir, 'comparison.json'), comparison);
}
