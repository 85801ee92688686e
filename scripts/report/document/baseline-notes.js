/**
 * What a base out of a folder of stored runs is made of, in words.
 * @import { LeftOut, StoredRuns } from '../../types.js'
 * @import { Words } from '../text/words.js'
 */

import { shortSha } from '../render/escape.js';

/** In the order they are told. @type {LeftOut[]} */
const CODES = ['gate-failed', 'before-a-change', 'older', 'other-machine', 'no-reference', 'other-cases'];

/** Commits are named up to this many; more are counted. */
const NAMED = 3;

/**
 * @param {StoredRuns | undefined} stored
 * @param {Words} words
 * @returns {string[]} a sentence, where a run was left out
 */
export function storedText(stored, words) {
  const { used = [], left = [] } = stored ?? {};
  if (left.length === 0) return [];
  const reasons = CODES.flatMap((code) => {
    const of = left.filter(({ why }) => why === code);
    const commits = of.flatMap(({ sha }) => (sha === undefined ? [] : [shortSha(sha)]));
    // Only of these can a reader do something about it.
    const named = code === 'gate-failed' && commits.length <= NAMED;
    return of.length === 0 ? [] : [{ code, number: of.length, commits: named ? commits : [] }];
  });
  return [words.trust.leftOut({ used: used.length, all: used.length + left.length, left: reasons })];
}
