/**
 * Profilers by runtime, for starts that are not judged.
 * @import { Inside } from '../observe/observers.js'
 */

import { enterJava } from './java.js';
import { enterNode } from './node.js';

/** load: as much as one start needs. @typedef {{ enter: () => Promise<Inside>, load: { durationSeconds: number, warmupSeconds?: number } }} Profiler */

/** @type {Map<string, Profiler>} */
export const PROFILERS = new Map([
  ['node', { enter: enterNode, load: { durationSeconds: 2 } }],
  // The warm-up lasts until the JVM has compiled what a request needs.
  ['java', { enter: enterJava, load: { durationSeconds: 4, warmupSeconds: 6 } }],
]);

/** @param {string} runtime the server's @returns {Promise<Inside[]>} none without a profiler; windows have `profiles`, one a process */
export async function enterProfiled(runtime) {
  const profiler = PROFILERS.get(runtime);
  return profiler ? [await profiler.enter()] : [];
}
