/**
 * The two errors a user may see. Anything else that is thrown is a bug and keeps its stack.
 * @import { FailureKind } from './types.js'
 */

/** Wrong usage or configuration: one line that says what, where and how to mend it. Exit code 2. */
export class UserError extends Error {
  name = 'UserError';
}

/** Something could not be measured; it becomes a trial's failure, and the rest goes on. Exit code 3. */
export class MeasureError extends Error {
  name = 'MeasureError';

  /**
   * @param {FailureKind} kind
   * @param {string} message
   * @param {string[]} [logTail] the last lines the process printed
   */
  constructor(kind, message, logTail) {
    super(message);
    this.kind = kind;
    this.logTail = logTail;
  }
}
