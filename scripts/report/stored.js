/**
 * What a base out of a folder of stored runs is made of, in words.
 * @import { LeftOut, StoredRuns } from '../types.js'
 */

import { escaped } from './escape.js';

/** @type {Record<LeftOut, string>} */
const WHY = {
  'gate-failed': 'failed the check and nobody accepted it',
  'before-a-change': 'from before the last change',
  older: 'older than those',
  'other-machine': 'of another kind of machine',
  'no-reference': 'without the reference server',
  'other-cases': 'of other cases',
};

/** Commits are named up to this many; more are counted. */
const NAMED = 3;

/**
 * @param {StoredRuns | undefined} stored
 * @returns {string[]} a sentence, where a run was left out
 */
export function storedText(stored) {
  const { used = [], left = [] } = stored ?? {};
  if (left.length === 0) return [];
  const reasons = Object.entries(WHY).flatMap(([code, words]) => {
    const of = left.filter(({ why }) => why === code);
    const commits = of.flatMap(({ sha }) => (sha === undefined ? [] : [escaped(sha.slice(0, 10))]));
    // Only of these can a reader do something about it.
    const named = code === 'gate-failed' && commits.length > 0 && commits.length <= NAMED;
    return of.length === 0 ? [] : [`${of.length} ${words}${named ? ` (${commits.join(', ')})` : ''}`];
  });
  const all = used.length + left.length;
  return [
    `Of ${all} stored runs ${used.length} ${used.length === 1 ? 'is' : 'are'} the base; left out: ${reasons.join(', ')}.`,
  ];
}
