/**
 * Profilers by runtime, for starts that are not judged.
 * @import { Inside } from '../observe/observers.js'
 */

import { enterJava } from './java-profiler.js';
import { enterNode } from './node-profiler.js';

/**
 * @typedef {object} Profiler
 * @property {() => Promise<Inside>} enter
 * @property {{ durationSeconds: number, warmupSeconds?: number }} load as much as one start needs
 */

/** @type {Map<string, Profiler>} */
export const PROFILERS = new Map([
  ['node', { enter: enterNode, load: { durationSeconds: 2 } }],
  // The warm-up lasts until the JVM has compiled what a request needs.
  ['java', { enter: enterJava, load: { durationSeconds: 4, warmupSeconds: 6 } }],
]);

/** Adds a profile of each process to windows, if it can. @type {(runtime: string) => Promise<Inside[]>} */
export async function enterProfiled(runtime) {
  const profiler = PROFILERS.get(runtime);
  return profiler ? [await profiler.enter()] : [];
}
