/**
 * Where the time of a server goes, function by function, in boots that are not judged: a profiler for each runtime that has one.
 * @import { Inside } from '../observe/observers.js'
 */

import { enterJava } from './java.js';
import { enterNode } from './node.js';

/**
 * enter: before a boot; load: as much as it needs in a boot.
 * @typedef {{ enter: () => Promise<Inside>, load: { durationSeconds: number, warmupSeconds?: number } }} Profiler
 */

/** By runtime. @type {Map<string, Profiler>} */
export const PROFILERS = new Map([
  ['node', { enter: enterNode, load: { durationSeconds: 2 } }],
  // Until what a request takes is compiled.
  ['java', { enter: enterJava, load: { durationSeconds: 4, warmupSeconds: 6 } }],
]);

/**
 * @param {string} runtime the server's
 * @returns {Promise<Inside[]>} none where it has no profiler; windows then have `profiles`, one a process
 */
export async function enterProfiled(runtime) {
  const profiler = PROFILERS.get(runtime);
  return profiler ? [await profiler.enter()] : [];
}
