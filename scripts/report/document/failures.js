/**
 * What could not be measured, with what was printed and how to reproduce it.
 * @import { Comparison, Failure, Run, RunCase } from '../../types.js'
 * @import { Words } from '../text/words.js'
 * @import { Block } from './blocks.js'
 */

import { plain, strong } from '../text/inline.js';
import { nameOf } from '../text/names.js';
import { code, fold, text } from './blocks.js';

/**
 * A message that the comparison tells already is not repeated, nor a log that another case has.
 * @param {Run} run
 * @param {Comparison | undefined} comparison
 * @param {Words} words
 * @returns {Block[][]} one a failure
 */
export function failureBlocks(run, comparison, words) {
  const { notes } = words;
  /** @type {Set<string>} */
  const logs = new Set();
  return run.cases.flatMap((failed) =>
    failuresOf(failed).map(({ boots, kind, message, logHead = [], logTail = [], command }) => {
      const compared = comparison?.cases.find(({ id }) => id === failed.id)?.metrics ?? [];
      const isTold = compared.some(({ why }) => why.code === 'failed' && why.message === message);
      const often = failed.trials.length > 1 ? ` (${notes.often(boots, failed.trials.length)})` : '';
      const name = nameOf(run, failed.id, words);
      const told = `${strong(name)}: ${plain(kind)}${often}${isTold ? '' : `: ${plain(message)}`}`;
      const log = JSON.stringify([logHead, logTail]);
      const isNew = !logs.has(log);
      logs.add(log);
      const details = [
        ...(isNew && logHead.length > 0 ? [code(logHead), text(notes.atTheEnd)] : []),
        ...(isNew && logTail.length > 0 ? [code(logTail)] : []),
        ...(command === undefined ? [] : [text(notes.reproduce), code([command])]),
      ];
      return details.length > 0
        ? [text(told), fold(notes.printed(name, plain(kind)), details)]
        : [text(told)];
    }),
  );
}

/** @param {RunCase} failed @returns {(Failure & { boots: number })[]} its failures, one a kind */
export function failuresOf({ trials }) {
  const all = trials.flatMap(({ failure }) => failure ?? []);
  return [...new Set(all.map(({ kind }) => kind))].map((kind) => {
    const alike = all.filter((failure) => failure.kind === kind);
    return { .../** @type {Failure} */ (alike[0]), boots: alike.length };
  });
}

/** @param {Run} run @returns {boolean} whether a boot failed, or a case has none */
export function hasGaps({ cases }) {
  return cases.some(({ trials }) => trials.length === 0 || trials.some(({ failure }) => failure));
}
