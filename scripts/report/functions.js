/**
 * Which functions of a server that got slower changed, as Markdown.
 * @import { Comparison, FunctionChange, Run } from '../types.js'
 * @import { Words } from './words.js'
 */

import { markdownTable } from 'markdown-table';
import { escaped } from './escape.js';
import { nameOf } from './facts.js';

/** More are no answer to the question why. */
const MOST = 8;
/** In percent of a request: less is as good as nothing. */
export const NOTHING = 0.05;

/**
 * @param {Run} run
 * @param {Comparison | undefined} comparison
 * @param {Words} words
 * @returns {string} empty where nothing was found
 */
export function renderFunctions(run, comparison, words) {
  const { functions: said } = words;
  const parts = (comparison?.cases ?? []).flatMap(({ id, functions = [] }) => {
    if (functions.length === 0) return [];
    const rows = functions.slice(0, MOST).map((change) => rowOf(change, words));
    const left = functions.length - rows.length;
    return [
      said.about(escaped(nameOf(run, id))),
      markdownTable([[...said.heads], ...rows], { align: ['l', 'l', 'r', 'r', 'r'] }),
      ...(left > 0 ? [said.more(left)] : []),
    ];
  });
  return parts.join('\n\n');
}

/**
 * @param {FunctionChange} change
 * @param {Words} words
 */
function rowOf({ name, file, line, basePct, headPct, effectPct, ciPct }, words) {
  const { functions: said, percent, interval, portion } = words;
  const part = (/** @type {number} */ pct) => portion(pct / 100);
  return [
    escaped(name || said.unnamed, 80),
    escaped(line > 0 && file ? `${file}:${line}` : file, 120),
    basePct < NOTHING ? said.added : part(basePct),
    headPct < NOTHING ? said.gone : part(headPct),
    `${percent(effectPct)} (${interval(ciPct)})`,
  ];
}
