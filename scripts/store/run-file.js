/**
 * Run files on disk.
 * @import { Run } from '../types.js'
 */

import { createRequire } from 'node:module';
import { join } from 'node:path';
import { readJson, writeJson } from './json-file.js';

const KIND = {
  schema: createRequire(import.meta.url)('./run.schema.json'),
  version: 'perf-action/run@1',
  make: 'perf-action run makes a run file',
};

/**
 * @param {string} file
 * @returns {Promise<Run>}
 * @throws {import('../errors.js').UserError} for a file that is missing, empty, no JSON, of another version or shape
 */
export function readRun(file) {
  return readJson(file, KIND);
}

/**
 * @param {string} dir made where it is missing
 * @param {Run} run
 * @param {string} [name]
 * @returns {Promise<void>} when the file is there whole
 */
export function writeRun(dir, run, name = 'run.json') {
  return writeJson(join(dir, name), run);
}
