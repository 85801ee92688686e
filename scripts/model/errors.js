/**
 * The two errors a user may see. Anything else that is thrown is a bug and keeps its stack.
 * @import { Failure, FailureKind } from '../types.js'
 */

/** Codes of warnings that something was planned and has no results. @type {string[]} */
export const LOST = ['shards-missing', 'machines-missing', 'never-started'];

/**
 * Properties of kinds of failures. byServer: the server causes it, and neither the load tool nor the user;
 * isFinal: a second try would only cost time; ofCheck: its message names the request of a check; ofAnswer: it
 * is what was answered; causedBeside: those who start beside it can cause it.
 * @type {Record<string, { [is in 'byServer' | 'isFinal' | 'ofCheck' | 'ofAnswer' | 'causedBeside']?: true }>}
 */
export const FAILURES = {
  'exited-at-start': { byServer: true },
  'died-under-load': { byServer: true },
  'never-ready': { byServer: true, isFinal: true },
  'no-token': { byServer: true, isFinal: true, ofCheck: true },
  'wrong-answer': { byServer: true, isFinal: true, ofCheck: true, ofAnswer: true },
  'too-slow': { byServer: true, isFinal: true, ofCheck: true, ofAnswer: true, causedBeside: true },
  'port-taken': { causedBeside: true },
};

/** Wrong usage or configuration: one line that says what is wrong, where, and how to fix it. Exit code 2. */
export class UserError extends Error {
  name = 'UserError';
}

/** Something was not measured: it becomes the failure of a start, and the rest continues. Exit code 3. */
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

  /** The first lines of the trouble, where the last ones do not show it. @type {string[] | undefined} */
  logHead;

  /** The command that repeats it by hand. @type {string | undefined} */
  command;
}

/**
 * @param {MeasureError} error
 * @param {(text: string) => string} conceal takes secrets out of a text
 * @returns {Failure} what is not known is absent
 */
export function failureOf({ kind, message, logHead, logTail, command }, conceal) {
  return {
    kind,
    message: conceal(message),
    ...(logHead?.length && { logHead: logHead.map((line) => conceal(line)) }),
    ...(logTail?.length && { logTail: logTail.map((line) => conceal(line)) }),
    ...(command !== undefined && { command: conceal(command) }),
  };
}
