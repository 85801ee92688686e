/**
 * Prints which slowdowns a run can find.
 * @import { Foretold } from '../judge/power.js'
 * @import { Words } from './text/words.js'
 */

import { POWER } from '../judge/power.js';
import { MOST_ROUNDS } from '../judge/verdicts.js';
import { wordsIn } from './text/words.js';

/**
 * @param {Foretold[]} foretold
 * @param {{ rounds: number, margin: number, source: string, language?: string }} plan margin: a share; source: what the spread was read from
 * @returns {string} empty where nothing is known
 */
export function renderPower(foretold, { rounds, margin, source, language }) {
  if (foretold.length === 0) return '';
  const words = wordsIn(language);
  const { power } = words;
  const lines = foretold.flatMap(({ id, finds, roundsForMargin, table }) => [
    `  ${power.line({ id, rounds, finds: finds < 1 ? Math.max(finds, margin) : undefined, margin, takes: power.rounds(roundsForMargin) })}`,
    `    ${words.list(table.map((row) => power.row(row.share, lengthText(row, words), row.share < margin)))}`,
  ]);
  return `\n${power.title(POWER, source)}\n${lines.join('\n')}\n`;
}

/** @param {Foretold['table'][number]} row @param {Words} words */
function lengthText({ rounds, seconds }, { duration, power }) {
  return rounds >= MOST_ROUNDS || seconds === undefined ? power.rounds(rounds) : duration(seconds);
}
