/**
 * What a step says, in its log and on the job's page. The toolkit escapes what would end a line or begin another command,
 * and nothing else.
 */

import * as core from '@actions/core';
import { harmless } from '../system/sanitize.js';
import { outputOn } from '../system/output.js';

/** file, startLine: where the page shows it beside the code @typedef {(message: string, place?: { title: string, file?: string, startLine?: number }) => void} Say */

export const error = saying(core.error);
export const warning = saying(core.warning);
export const notice = saying(core.notice);

/** A job's log keeps every line, even where its runner poses as a terminal. */
export const { write: print } = outputOn(process.stdout);
/** @type {import('../system/output.js').Output} */
export const progress = { write: outputOn(process.stderr).write };

/**
 * @param {Say} say
 * @returns {Say}
 */
function saying(say) {
  return (message, place) =>
    say(
      harmless(message),
      place && {
        ...place,
        title: harmless(place.title),
        ...(place.file !== undefined && { file: harmless(place.file) }),
      },
    );
}
