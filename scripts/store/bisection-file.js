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

/** See `readJson`. @type {(dir: string) => Promise<Bisection>} */
export function readBisection(dir) {
  return readJson(join(dir, BISECTION), KIND);
}

/** See `writeText`. @type {(dir: string, bisection: Bisection) => Promise<void>} */
export function writeBisection(dir, bisection) {
  return writeJson(join(dir, BISECTION), bisection);
}
