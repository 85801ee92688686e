/** @import { Soak } from '../types.js' */

import { join } from 'node:path';
import { writeJson } from './json-file.js';

/** Its format: soak.schema.json. @param {string} dir @param {Soak} soak @returns {Promise<void>} see `writeText` */
export function writeSoak(dir, soak) {
  return writeJson(join(dir, 'soak.json'), soak);
}
