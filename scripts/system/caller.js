/** @import { Caller } from '../types.js' */

import { availableParallelism } from 'node:os';

/** @returns {Caller} this process; only entry points ask for it, and pass it on */
export function thisProcess() {
  return { environment: process.env, folder: process.cwd(), cores: availableParallelism() };
}
