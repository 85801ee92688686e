/**
 * Each case's present estimate and interval, while a run goes on.
 * @import { Comparison, Run, RunCase } from '../types.js'
 * @import { Words } from './text/words.js'
 */

import stringWidth from 'string-width';
import { levelOf } from '../judge/ratio.js';
import { LEADING } from '../samples/figures.js';
import { decisiveOf, estimateText, labelOf } from './text/change.js';
import { clipped } from './text/inline.js';
import { nameOf } from './text/names.js';
import { wordsIn } from './text/words.js';

/** More lines would push each other off the screen. */
const LINES = 8;
/** Of a name, in columns; of the bar, and what it shows to either side, in percent. */
const [NAME, BAR, SPAN] = [28, 31, 30];

/** @typedef {{ name: string, told: string, effectPct?: number | undefined, ciPct?: [number, number] | undefined }} Estimate */

/**
 * @param {Run} run
 * @param {{ comparison?: Comparison | undefined, width: number, language?: string }} options width: of the terminal, in columns
 * @returns {string[]} plain text
 */
export function renderLive(run, { comparison, width, language }) {
  const words = wordsIn(language);
  const estimates = comparison ? changesOf(run, comparison, words) : ratesOf(run, words);
  const shown = estimates.slice(0, LINES);
  const longest = Math.min(NAME, Math.max(0, ...shown.map(({ name }) => stringWidth(name))));
  const more = estimates.length - shown.length;
  return [
    ...shown.map(({ name, told, effectPct, ciPct }) => {
      const short = stringWidth(name) > longest ? clipped(name, longest - 1) : name;
      const start = `  ${short}${' '.repeat(Math.max(0, longest - stringWidth(short)))}  `;
      const bar = ciPct && effectPct !== undefined ? `${intervalBar(effectPct, ciPct)}  ` : '';
      // The figures are worth more than their picture.
      return stringWidth(start + bar + told) < width ? start + bar + told : start + told;
    }),
    ...(more > 0 ? [`  ${words.more(more)}`] : []),
  ];
}

/** @param {Run} run @param {Comparison} comparison @param {Words} words @returns {Estimate[]} */
function changesOf(run, comparison, words) {
  return comparison.cases.flatMap((of) => {
    const change = decisiveOf(of, comparison);
    if (of.only || change?.effectPct === undefined) return [];
    const { effectPct, ciPct } = change;
    const told = ciPct ? `${labelOf(change, words)} ${estimateText(change, words)}` : words.live.first;
    return [{ name: shownName(run, of, words), told, effectPct, ciPct }];
  });
}

/** @param {Run} run @param {Words} words @returns {Estimate[]} */
function ratesOf(run, words) {
  return run.cases.flatMap((of) => {
    if (!of.summary) return [];
    const halfPct = halfOf(of);
    return [
      {
        name: shownName(run, of, words),
        told: words.live.rate(
          words.rate(of.summary.throughput),
          halfPct === undefined ? '' : words.unsigned(halfPct),
        ),
        ...(halfPct !== undefined && {
          effectPct: 0,
          ciPct: /** @type {[number, number]} */ ([-halfPct, halfPct]),
        }),
      },
    ];
  });
}

/** @param {Run} run @param {{ id: string }} of @param {Words} words */
function shownName(run, { id }, words) {
  return nameOf(run, id, words);
}

/**
 * @param {RunCase} runCase
 * @returns {number | undefined} half of the interval of its throughput, in percent; undefined of one start
 */
function halfOf(runCase) {
  const level = levelOf(runCase, LEADING.id);
  return level && 100 * (level.high / level.value - 1);
}

/** @param {number} effectPct @param {[number, number]} ciPct @returns {string} "···━━━◆━━━┊······" */
function intervalBar(effectPct, [low, high]) {
  const cellOf = (/** @type {number} */ pct) => Math.round(((pct + SPAN) / (2 * SPAN)) * (BAR - 1));
  const [from, to, at] = [low, high, effectPct].map(cellOf);
  /** @type {string[]} */
  const cells = Array.from({ length: BAR }, (_, cell) => {
    if (cell === at) return '◆';
    const within = cell >= (from ?? 0) && cell <= (to ?? 0);
    return String(within ? '━' : cell === cellOf(0) ? '┊' : '·');
  });
  if ((from ?? 0) < 0) cells[0] = '◂';
  if ((to ?? 0) >= BAR) cells[BAR - 1] = '▸';
  return cells.join('');
}
