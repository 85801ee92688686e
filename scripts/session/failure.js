/** @import { Run } from '../types.js' */

import { MeasureError } from '../model/errors.js';

/** @param {(Run | undefined)[]} runs @returns {MeasureError | undefined} what the first start that failed in them failed with */
export function failureIn(...runs) {
  const trials = runs.flatMap((run) => run?.cases ?? []).flatMap((measured) => measured.trials);
  const [failure] = trials.flatMap((trial) => trial.failure ?? []);
  return failure && new MeasureError(failure.kind, failure.message, failure.logTail);
}
