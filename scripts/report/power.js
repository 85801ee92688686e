/**
 * Prints which slowdowns a run can find.
 * @import { Foretold } from '../judge/power.js'
 * @import { Words } from './text/words.js'
 */

import { POWER } from '../judge/power.js';
import { MOST_ROUNDS } from '../judge/verdicts.js';
import { en, some } from './text/en.js';

/**
 * @param {Foretold[]} foretold
 * @param {{ rounds: number, margin: number, source: string }} plan margin: a share; source: what the spread was read from
 * @returns {string} in English; empty where nothing is known
 */
export function renderPower(foretold, { rounds, margin, source }) {
  if (foretold.length === 0) return '';
  const slowdown = (/** @type {number} */ share) => `${en.about(100 * share)} %`;
  const lines = foretold.flatMap((each) => {
    const { id, finds, roundsForMargin } = each;
    const found = finds < 1 ? `a ${slowdown(Math.max(finds, margin))} slowdown` : 'nothing';
    const takes = en.power.rounds(roundsForMargin);
    return [
      `  ${id}: ${some(rounds, 'round')} detect ${found}; detecting ${slowdown(margin)} takes ${takes}`,
      `    ${slowdownsText(each, margin, en)}`,
    ];
  });
  const title = `slowdowns found in ${Math.round(100 * POWER)} of 100 runs, estimated from ${source}:`;
  return `\n${title}\n${lines.join('\n')}\n`;
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
