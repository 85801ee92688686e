/** A step's log and annotations. The toolkit escapes only what would end a line or begin another command. */

import * as core from '@actions/core';
import { harmless } from '../system/sanitize.js';
import { outputOn } from '../system/terminal-output.js';

/**
 * The place is the code that the annotation belongs to.
 * @typedef {(message: string, place?: { title: string, file?: string, startLine?: number }) => void} Annotate
 */

export const error = sanitized(core.error);
export const warning = sanitized(core.warning);
export const notice = sanitized(core.notice);

/** Write whole lines even where the runner looks like a terminal. */
export const { write: print } = outputOn(process.stdout);
/** @type {import('../system/terminal-output.js').Output} */
export const progress = { write: outputOn(process.stderr).write };

/** @param {string[]} lines of an error; one may begin with a place in a YAML file */
export function report(lines) {
  for (const line of lines) {
    const [, file, number] = /^([^\s:]+\.ya?ml):(\d+): /.exec(line) ?? [];
    error(line, { title: 'perf-action', ...(file !== undefined && { file, startLine: Number(number) }) });
  }
}

/** @type {(annotate: Annotate) => Annotate} */
function sanitized(annotate) {
  return (message, { title, file, ...place } = { title: 'perf-action' }) =>
    annotate(harmless(message), {
      ...place,
      title: harmless(title),
      ...(file !== undefined && { file: harmless(file) }),
    });
}
