/**
 * Which functions of a server that got slower changed, as Markdown.
 * @import { Comparison, FunctionChange, Run } from '../../types.js'
 * @import { Words } from '../text/words.js'
 */

import { markdownTable } from 'markdown-table';
import { escaped, unescaped } from '../render/escape.js';
import { nameOf } from './table-rows.js';

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
      said.about(escaped(nameOf(run, id, words))),
      markdownTable([[...said.heads], ...rows], { align: ['l', 'l', 'r', 'r', 'r'] }),
      ...(left > 0 ? [said.more(left)] : []),
    ];
  });
  return parts.join('\n\n');
}

/**
 * @param {Run} run
 * @param {Comparison | undefined} comparison
 * @param {Words} words
 * @returns {string} the same as lines: "+35.8 %  src/orders.js:6 price"
 */
export function listFunctions(run, comparison, words) {
  const parts = (comparison?.cases ?? []).flatMap(({ id, functions = [] }) => {
    if (functions.length === 0) return [];
    const shown = functions.slice(0, MOST);
    const left = functions.length - shown.length;
    const changes = shown.map(({ effectPct }) => words.percent(effectPct));
    const longest = Math.max(...changes.map(({ length }) => length));
    const lines = shown.map(({ name, file, line }, place) => {
      const where = [placeText(file, line), name].filter(Boolean).join(' ') || words.functions.unnamed;
      return `  ${changes[place]?.padStart(longest)}  ${unescaped(escaped(where, 200))}`;
    });
    const about = unescaped(words.functions.about(escaped(nameOf(run, id, words))));
    return [[about, '', ...lines, ...(left > 0 ? [`  ${words.functions.more(left)}`] : [])].join('\n')];
  });
  return parts.join('\n\n');
}

/** @param {string} file @param {number} line */
function placeText(file, line) {
  return line > 0 && file ? `${file}:${line}` : file;
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
    escaped(placeText(file, line), 120),
    basePct < NOTHING ? said.added : part(basePct),
    headPct < NOTHING ? said.gone : part(headPct),
    `${percent(effectPct)} (${interval(ciPct)})`,
  ];
}
