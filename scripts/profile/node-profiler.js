/**
 * Profiles a Node server function by function with V8's sampling profiler.
 * @import { Profile } from '../types.js'
 * @import { Inside } from '../observe/observers.js'
 */

import { fileURLToPath } from 'node:url';
import { preload } from '../observe/preload-channel.js';

const MODULE = fileURLToPath(new URL('./profiler-preload.cjs', import.meta.url));
/** Characters of a profile as JSON; one of thousands of functions has some hundred thousand. */
const LONGEST = 32 * 2 ** 20;

/** @returns {Promise<Inside>} */
export function enterNode() {
  return preload(MODULE, {
    variable: 'PERF_ACTION_PROFILE',
    longest: LONGEST,
    isAnswer: /** @type {(parts: any) => parts is Profile[]} */ ((parts) => parts.every(isProfile)),
    figuresOf: (answers) => ({ profiles: answers.flatMap((parts) => parts ?? []) }),
  });
}

/** Each caller comes first, so the way up from a call ends. @type {(profile: any[]) => profile is Profile} */
export function isProfile(profile) {
  return profile.every(
    ({ parent, name, file, line, us }, index) =>
      [parent, line, us].every(Number.isFinite) &&
      us >= 0 &&
      parent < index &&
      typeof name === 'string' &&
      typeof file === 'string',
  );
}
