/**
 * What a run will be able to find, in words.
 * @import { Foretold } from '../judge/power.js'
 */

import { POWER } from '../judge/power.js';
import { MOST_ROUNDS } from '../judge/verdicts.js';
import { duration, some } from './format.js';

/**
 * @param {Foretold[]} foretold
 * @param {{ rounds: number, margin: number, source: string }} plan margin: a share; source: what the spread was read from
 * @returns {string} empty where nothing is known
 */
export function renderPower(foretold, { rounds, margin, source }) {
  if (foretold.length === 0) return '';
  const runs = `${Math.round(100 * POWER)} of 100 runs`;
  const lines = foretold.flatMap(({ id, finds, roundsForMargin, table }) => [
    `  ${id}: ${some(rounds, 'round')} find ${percent(finds)}; ${percent(margin)} takes ${roundsText(roundsForMargin)}`,
    `    ${table.map((row) => `${percent(row.share)}: ${lengthText(row)}`).join(', ')}`,
  ]);
  return `\nslowdowns found in ${runs}, by how neighbours differed in ${source}:\n${lines.join('\n')}\n`;
}

/** @param {Foretold['table'][number]} row */
function lengthText({ rounds, seconds }) {
  if (rounds >= MOST_ROUNDS) return roundsText(rounds);
  return seconds === undefined ? roundsText(rounds) : duration(seconds);
}

/** @param {number} rounds */
function roundsText(rounds) {
  return rounds < MOST_ROUNDS ? some(rounds, 'round') : `more than ${MOST_ROUNDS} rounds`;
}

/** @param {number} share */
function percent(share) {
  return `${Number((100 * share).toPrecision(2))} %`;
}
