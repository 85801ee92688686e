/**
 * Prints which slowdowns a run can find, and whether planted work was found.
 * @import { Foretold } from '../judge/power.js'
 * @import { Proof } from '../session/experiments/prove.js'
 * @import { Words } from './text/words.js'
 */

import { POWER } from '../judge/power.js';
import { MOST_ROUNDS } from '../judge/verdicts.js';
import { SPEEDS } from '../samples/figures.js';
import { estimateText } from './text/change.js';
import { en, some } from './text/en.js';
import { wordsIn } from './text/words.js';

/**
 * @param {Foretold[]} foretold
 * @param {{ rounds: number, margin: number, source?: string }} plan margin: a share; source: what the spread was read from;
 *   absent: all cases are assumed to be alike
 * @returns {string} in English; empty where nothing is known
 */
export function renderPower(foretold, { rounds, margin, source }) {
  const [first] = foretold;
  if (!first) return '';
  const slowdown = (/** @type {number} */ share) => `${en.about(100 * share)} %`;
  const detected = ({ finds, roundsForMargin } = first) => {
    const found = finds < 1 ? `a slowdown of ${slowdown(Math.max(finds, margin))}` : 'nothing';
    const takes = en.power.rounds(roundsForMargin);
    return `${some(rounds, 'round')} ${rounds === 1 ? 'detects' : 'detect'} ${found}; detecting ${slowdown(margin)} takes ${takes}`;
  };
  if (source === undefined)
    return `\nIf each case is as noisy as an unchanged Express, ${detected()}. After a first run, plan knows the noise here.\n`;
  const lines = foretold.flatMap((each) => [
    `  ${each.id}: ${detected(each)}`,
    `    ${slowdownsText(each, margin, en)}`,
  ]);
  const title = `slowdowns found in ${Math.round(100 * POWER)} of 100 runs, estimated from ${source}:`;
  return `\n${title}\n${lines.join('\n')}\n`;
}

/** @param {Pick<Proof, 'case' | 'by' | 'plantedUs' | 'margin' | 'compared' | 'seconds' | 'foretold' | 'head'>} proof @returns {string} */
export function renderProof({ case: planned, by, plantedUs, margin, compared, seconds, foretold, head }) {
  const words = wordsIn(head.language);
  const { proof } = words;
  const [cpu] = SPEEDS.flatMap(({ id }) => compared.metrics.filter(({ metric }) => metric === id));
  const seen = cpu?.ciPct ? estimateText(cpu, words) : words.change.inconclusive;
  const lines = [
    proof.planted({ id: planned.id, by: words.unsigned(100 * by), us: words.microseconds(plantedUs) }),
    proof.outcome({
      isFound: compared.verdict === 'regressed',
      verdict: words.change.verdicts[compared.verdict],
      seen,
      time: words.duration(seconds),
      margin: words.unsigned(100 * margin),
    }),
    ...(foretold ? [proof.here(slowdownsText(foretold, margin, words))] : []),
  ];
  return `${lines.join('\n')}\n`;
}

/** @param {Pick<Foretold, 'table'>} foretold @param {number} margin a share @param {Words} words @returns {string} how long each slowdown takes */
function slowdownsText({ table }, margin, words) {
  return words.list(
    table.map((row) => words.power.row(row.share, lengthText(row, words), row.share < margin)),
  );
}

/** @param {Foretold['table'][number]} row @param {Words} words */
function lengthText({ rounds, seconds }, { duration, power }) {
  return rounds >= MOST_ROUNDS || seconds === undefined ? power.rounds(rounds) : duration(seconds);
}
