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
  const lines = foretold.flatMap((each) => {
    const { id, finds, roundsForMargin } = each;
    return [
      `  ${power.line({ id, rounds, finds: finds < 1 ? Math.max(finds, margin) : undefined, margin, takes: power.rounds(roundsForMargin) })}`,
      `    ${slowdownsText(each, margin, words)}`,
    ];
  });
  return `\n${power.title(POWER, source)}\n${lines.join('\n')}\n`;
}

/** @param {Pick<Foretold, 'table'>} foretold @param {number} margin a share @param {Words} words @returns {string} how long each slowdown takes */
export function slowdownsText({ table }, margin, words) {
  return words.list(
    table.map((row) => words.power.row(row.share, lengthText(row, words), row.share < margin)),
  );
}

/** @param {Foretold['table'][number]} row @param {Words} words */
function lengthText({ rounds, seconds }, { duration, power }) {
  return rounds >= MOST_ROUNDS || seconds === undefined ? power.rounds(rounds) : duration(seconds);
}
