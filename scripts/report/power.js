/**
 * What a run will be able to find, in words.
 * @import { Foretold } from '../judge/power.js'
 */

import { POWER } from '../judge/power.js';
import { MOST_ROUNDS } from '../judge/verdicts.js';
import { some } from './format.js';

/**
 * @param {Foretold[]} foretold
 * @param {{ rounds: number, margin: number, source: string }} plan margin: a share; source: what the spread was read from
 * @returns {string} empty where nothing is known
 */
export function renderPower(foretold, { rounds, margin, source }) {
  if (foretold.length === 0) return '';
  const runs = `${Math.round(100 * POWER)} of 100 runs`;
  const lines = foretold.map(
    ({ id, finds, roundsForMargin }) =>
      `  ${id}: finds ${percent(finds)} in ${runs}; ${percent(margin)} takes ${roundsForMargin < MOST_ROUNDS ? some(roundsForMargin, 'round') : 'more rounds than anybody waits for'}`,
  );
  return `\nwhat ${some(rounds, 'round')} can find, by the spread of the boots in ${source}:\n${lines.join('\n')}\n`;
}

/** @param {number} share */
function percent(share) {
  return `${Number((100 * share).toPrecision(2))} %`;
}
