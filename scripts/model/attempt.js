import { UserError } from './errors.js';

/** Runs what may throw a UserError and collects it. @typedef {<T>(read: () => T) => T | undefined} Attempt */

/**
 * Every mistake of a configuration at once.
 * @template R
 * @param {(attempt: Attempt) => R} read
 * @returns {R}
 * @throws {UserError} with the mistakes of every attempt, one a line
 */
export function everyMistake(read) {
  /** @type {Set<string>} */
  const problems = new Set();
  const result = read((part) =>
    unlessMistaken(part, ({ message }) => {
      for (const line of message.split('\n')) problems.add(line);
    }),
  );
  if (problems.size > 0) throw new UserError([...problems].join('\n'));
  return result;
}

/**
 * Undefined where it throws a UserError.
 * @type {<T>(read: () => T, onMistake?: (mistake: UserError) => void) => T | undefined}
 */
export function unlessMistaken(read, onMistake = () => {}) {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    onMistake(error);
    return undefined;
  }
}
