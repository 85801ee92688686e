/** Mistakes of a configuration are told all at once: what may throw one is attempted, and they are collected. */

import { UserError } from './errors.js';

/** @typedef {<T>(read: () => T) => T | undefined} Attempt runs what may throw a UserError, and collects it */

/**
 * @returns {{ attempt: Attempt, problems: string[] }} problems: one a line, those so far
 */
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
