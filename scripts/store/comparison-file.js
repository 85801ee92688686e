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
 * @throws {import('../model/errors.js').UserError} see `readJson`
 */
export function readComparison(file, bounds) {
  return readJson(file, KIND, bounds);
}

/** @param {string} dir @param {Comparison} comparison @returns {Promise<void>} see `writeJson` */
export function writeComparison(dir, comparison) {
  return writeJson(join(dir, 'comparison.json'), comparison);
}
