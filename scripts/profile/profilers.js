/** Profilers by runtime, for starts that are not judged. @import { Inside } from '../observe/observers.js' */

import { enterJava } from './java-profiler.js';
import { enterNode } from './node-profiler.js';

/** Their starts are as PROFILED says (model/times.js). @type {Map<string, () => Promise<Inside>>} */
const PROFILERS = new Map([
  ['node', enterNode],
  ['java', enterJava],
]);

/** Adds a profile of each process to windows, if it can. @type {(runtime: string) => Promise<Inside[]>} */
export async function enterProfiled(runtime) {
  const enter = PROFILERS.get(runtime);
  return enter ? [await enter()] : [];
}
