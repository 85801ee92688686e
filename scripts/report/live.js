/**
 * Each case's present estimate and interval, while a run goes on.
 * @import { Comparison, Run } from '../types.js'
 */

import stringWidth from 'string-width';
import { decisiveChange } from '../judge/case-verdict.js';
import { levelOf } from '../samples/case-figures.js';
import { LEADING } from '../samples/figures.js';
import { cut } from '../system/output.js';
import { estimateText, labelOf } from './text/change.js';
import { en } from './text/en.js';
import { ifKnown } from './text/format.js';
import { caseNames } from './text/names.js';

/** More lines would push each other off the screen. */
const LINES = 8;
/** The widths of a name and of the bar, in columns, and what the bar shows to either side, in percent. */
const [NAME, BAR, SPAN] = [28, 31, 30];

/** @typedef {{ id: string, figures: string, effectPct: number, ciPct?: [number, number] | undefined }} Estimate */

/**
 * @param {Run} run
 * @param {{ comparison?: Comparison | undefined, width: number }} options width: of the terminal, in columns
 * @returns {string[]} plain text, in English
 */
export function renderLive(run, { comparison, width }) {
  const nameOf = caseNames({ run }, en);
  const estimates = comparison ? changesOf(comparison) : ratesOf(run);
  const shown = estimates.slice(0, LINES).map(({ id, ...estimate }) => ({ name: nameOf(id), ...estimate }));
  const longest = Math.min(NAME, Math.max(0, ...shown.map(({ name }) => stringWidth(name))));
  const more = estimates.length - shown.length;
  return [
    ...shown.map(({ name, figures, effectPct, ciPct }) => {
      const short = cut(name, longest);
      const start = `  ${short}${' '.repeat(longest - stringWidth(short))}  `;
      const bar = ciPct ? `${intervalBar(effectPct, ciPct)}  ` : '';
      // The figures are worth more than their picture.
      return stringWidth(start + bar + figures) < width ? start + bar + figures : start + figures;
    }),
    ...(more > 0 ? [`  ${en.more(more)}`] : []),
  ];
}

/** @param {Comparison} comparison @returns {Estimate[]} */
function changesOf(comparison) {
  return comparison.cases.flatMap((compared) => {
    const change = decisiveChange(compared);
    if (compared.only || change?.effectPct === undefined) return [];
    const { effectPct, ciPct } = change;
    const figures = ciPct ? `${labelOf(change, en)} ${estimateText(change, en)}` : 'one round so far';
    return { id: compared.id, figures, effectPct, ciPct };
  });
}

/** @param {Run} run @returns {Estimate[]} one start has no interval */
function ratesOf(run) {
  return run.cases.flatMap((runCase) => {
    if (!runCase.summary) return [];
    const level = levelOf(runCase, LEADING.id);
    const halfPct = level?.high && 100 * (level.high / level.value - 1);
    const half = ifKnown(halfPct, (pct) => ` ± ${en.unsigned(pct)}`);
    return {
      id: runCase.id,
      figures: `${en.rate(runCase.summary.throughput)} req/s${half}`,
      effectPct: 0,
      ciPct: halfPct === undefined ? undefined : [-halfPct, halfPct],
    };
  });
}

/** @param {number} effectPct @param {[number, number]} ciPct @returns {string} "···━━━◆━━━┊······" */
function intervalBar(effectPct, [low, high]) {
  const cellOf = (/** @type {number} */ pct) => Math.round(((pct + SPAN) / (2 * SPAN)) * (BAR - 1));
  const [from, to, middle, zero] = [cellOf(low), cellOf(high), cellOf(effectPct), cellOf(0)];
  const cells = Array.from({ length: BAR }, (_, cell) => {
    if (cell === middle) return '◆';
    return cell >= from && cell <= to ? '━' : cell === zero ? '┊' : '·';
  });
  return `${from < 0 ? '◂' : cells[0]}${cells.slice(1, -1).join('')}${to >= BAR ? '▸' : cells.at(-1)}`;
}
