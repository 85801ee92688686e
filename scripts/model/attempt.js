/** Collects the mistakes of a configuration, so that all are reported at once. */

import { UserError } from './errors.js';

/** Runs what may throw a UserError, and collects it. @typedef {<T>(read: () => T) => T | undefined} Attempt */

/** @returns {{ attempt: Attempt, problems: string[] }} problems: those so far, one a line */
export function collectMistakes() {
  /** @type {string[]} */
  const problems = [];
  return {
    problems,
    attempt(read) {
      try {
        return read();
      } catch (error) {
        if (!(error instanceof UserError)) throw error;
        problems.push(...error.message.split('\n'));
        return undefined;
      }
    },
  };
}
