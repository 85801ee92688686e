/**
 * Comparison files on disk.
 * @import { Comparison } from '../types.js'
 */

import { createRequire } from 'node:module';
import { join } from 'node:path';
import { readJson, writeJson } from './json-file.js';

const KIND = {
  schema: createRequire(import.meta.url)('./comparison.schema.json'),
  version: 'perf-action/comparison@1',
  make: 'perf-action compare --json makes a comparison file',
};

/**
 * @param {string} file
 * @returns {Promise<Comparison>}
 * @throws {import('../errors.js').UserError}
 */
export function readComparison(file) {
  return readJson(file, KIND);
}

/**
 * @param {string} dir
 * @param {Comparison} comparison
 * @returns {Promise<void>}
 */
export function writeComparison(dir, comparison) {
  return writeJson(join(dir, 'comparison.json'), comparison);
}
