/**
 * A table as wide as the terminal: columns go in their order, and names are cut where even that is not enough.
 * @import { Verdict } from '../../types.js'
 * @import { Laid } from '../document/tables.js'
 * @import { Styles } from './terminal.js'
 * @import { Words } from '../text/words.js'
 */

import stringWidth from 'string-width';
import { cut } from '../../system/text-width.js';
import { unescaped } from './escape.js';

const GAP = '  ';
/** What is left of a name at least, in columns. */
const LEAST = 8;

/**
 * @param {Laid} table
 * @param {{ width: number, styles: Styles, words: Words }} options width: in columns
 * @returns {string} with its title, and which columns went
 */
export function fitTable({ title, loop, head, rows, align, soon }, { width, styles, words }) {
  const cells = [head, ...rows].map((row) => row.map(unescaped));
  let kept = head.map((_, column) => column);
  const widthOf = (/** @type {number} */ column) =>
    Math.max(...cells.map((row) => stringWidth(row[column] ?? '')));
  const total = () => kept.reduce((sum, column) => sum + widthOf(column) + GAP.length, -GAP.length);
  while (total() > width) {
    const next = Math.max(...kept.map((column) => soon[column] ?? 0));
    if (next === 0) break;
    const last = kept.findLast((column) => soon[column] === next);
    kept = kept.filter((column) => column !== last);
  }
  const widths = narrowed(
    kept.map((column) => ({ width: widthOf(column), isName: align[column] === 'l' })),
    width,
  );
  /** @type {Map<string, Verdict>} */
  const verdicts = new Map(
    Object.entries(words.change.verdicts).map(([verdict, name]) => [name, /** @type {Verdict} */ (verdict)]),
  );
  const lines = cells.map((row, line) =>
    kept
      .map((column, place) => {
        const text = cut(row[column] ?? '', widths[place] ?? 0, '…');
        const space = ' '.repeat((widths[place] ?? 0) - stringWidth(text));
        const verdict = line > 0 && head[column] === words.columns.verdict ? verdicts.get(text) : undefined;
        const shown = line === 0 ? styles.dim(text) : styles.toned(text, verdict);
        return align[column] === 'r' ? space + shown : shown + space;
      })
      .join(GAP)
      .trimEnd(),
  );
  const gone = head.filter((_, column) => !kept.includes(column));
  return [
    `${styles.bold(unescaped(title))} (${unescaped(loop)})\n`,
    ...lines,
    ...(gone.length > 0 ? [`\n${styles.dim(words.terminal.narrow(gone.map(unescaped)))}`] : []),
  ].join('\n');
}

/**
 * Lines break between words, and go on as far in as they began. A longer word keeps a line of its own.
 * @param {string} text
 * @param {number} width in columns
 * @returns {string}
 */
export function wrapped(text, width) {
  return text
    .split('\n')
    .flatMap((line) => (stringWidth(line) <= width ? line : wrappedLines(line, width)))
    .join('\n');
}

/** @param {string} line @param {number} width @returns {string[]} */
function wrappedLines(line, width) {
  const indent = /^ */.exec(line)?.[0] ?? '';
  /** @type {string[]} */
  const lines = [];
  for (const word of line.trimStart().split(' ')) {
    const longer = `${lines.at(-1) ?? ''} ${word}`;
    if (lines.length > 0 && stringWidth(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(`${indent}${word}`);
  }
  return lines;
}

/**
 * @param {{ width: number, isName: boolean }[]} columns
 * @param {number} most of all together
 * @returns {number[]} the longest name loses first; a figure only where names have nothing left
 */
function narrowed(columns, most) {
  const room = most - GAP.length * (columns.length - 1);
  const left = columns.map(({ width }) => width);
  for (const ofNames of [true, false]) {
    const places = columns.flatMap(({ isName }, place) => (isName === ofNames ? place : []));
    const widthAt = (/** @type {number} */ place) => left[place] ?? 0;
    while (left.reduce((sum, width) => sum + width, 0) > room) {
      const widest = places.toSorted((a, b) => widthAt(b) - widthAt(a))[0];
      if (widest === undefined || widthAt(widest) <= LEAST) break;
      left[widest] = widthAt(widest) - 1;
    }
  }
  return left;
}
