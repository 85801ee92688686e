/**
 * Where the time of a Node server goes, function by function: V8's sampling profiler, in boots that are not judged.
 * @import { Profile } from '../types.js'
 * @import { Inside } from '../observe/observers.js'
 */

import { fileURLToPath } from 'node:url';
import { preload } from '../observe/preload-channel.js';

const MODULE = fileURLToPath(new URL('./node-preload.cjs', import.meta.url));

/** Of a profile as JSON: of thousands of functions it has some hundred thousand characters. */
const LONGEST = 32 * 2 ** 20;

/** @returns {Promise<Inside>} windows then have `profiles`, one a process */
export async function enterNode() {
  const { begin, end, ...rest } = await preload(MODULE, {
    variable: 'PERF_ACTION_PROFILE',
    longest: LONGEST,
  });
  const start = () => {
    begin();
    return { stop: async () => ({ profiles: (await end()).flatMap(parsed) }) };
  };
  return { ...rest, start };
}

/** @param {string} text @returns {Profile[]} none where it is not what our module says */
function parsed(text) {
  try {
    const told = JSON.parse(text);
    const isTree = told.every(
      (/** @type {Profile[number]} */ { parent, name, file, line, us }, /** @type {number} */ place) =>
        [parent, line, us].every(Number.isFinite) &&
        us >= 0 &&
        parent < told.length &&
        parent !== place &&
        typeof name === 'string' &&
        typeof file === 'string',
    );
    return isTree ? [told] : [];
  } catch {
    return [];
  }
}
