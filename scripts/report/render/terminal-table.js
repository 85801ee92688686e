/**
 * Text and tables as wide as the terminal: lines break between words; columns that do not fit are left out,
 * the highest `priority` first, and names are cut where even that is not enough.
 * @import { Column, TableBlock } from '../document/blocks.js'
 * @import { Screen } from './terminal.js'
 */

import { max, sum } from 'd3-array';
import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';
import { cut } from '../../system/terminal-output.js';
import { unmarked } from '../text/inline.js';

const GAP = '  ';
/** The least width of a cut name, in columns. */
const LEAST = 8;

/** Adds its title, and names columns left out. @type {(table: TableBlock, screen: Screen) => string} */
export function fitTable({ title, columns }, { width, styles, words }) {
  const candidates = columns
    .filter(({ isListed }) => !isListed)
    .map((column) => {
      const widest = max([column.head, ...column.cells], (text) => stringWidth(unmarked(text))) ?? 0;
      return { ...column, width: widest };
    });
  let kept = candidates;
  while (sum(kept, (column) => column.width + GAP.length) - GAP.length > width) {
    const next = Math.max(...kept.map(({ priority }) => priority));
    if (next === 0) break;
    const last = kept.findLast(({ priority }) => priority === next);
    kept = kept.filter((column) => column !== last);
  }
  const widths = narrowed(kept, width);
  const line = (
    /** @type {(column: Column) => string} */ textOf,
    /** @type {(text: string, column: Column) => string} */ style,
  ) =>
    kept
      .map((column, place) => {
        const text = cut(unmarked(textOf(column)), widths[place] ?? 0);
        const space = ' '.repeat((widths[place] ?? 0) - stringWidth(text));
        return column.align === 'right' ? space + style(text, column) : style(text, column) + space;
      })
      .join(GAP)
      .trimEnd();
  const rows = (columns[0]?.cells ?? []).map((_, row) =>
    line(
      ({ cells }) => cells[row] ?? '',
      (text, { verdicts }) => styles.toned(text, verdicts?.[row]),
    ),
  );
  const leftOut = candidates.filter((column) => !kept.includes(column)).map(({ head }) => head);
  return [
    ...(title === undefined ? [] : [`${wrapped(styles.bold(title), width)}\n`]),
    line(({ head }) => head, styles.dim),
    ...rows,
    ...(leftOut.length > 0 ? [`\n${wrapped(styles.dim(words.terminal.narrow(leftOut)), width)}`] : []),
  ].join('\n');
}

/**
 * A word longer than the width, in columns, stays whole; lines after the first have an indent within it.
 * @type {(text: string, width: number, indent?: string) => string}
 */
export function wrapped(text, width, indent = '') {
  return wrapAnsi(text, width - indent.length).replaceAll('\n', `\n${indent}`);
}

/**
 * The longest name loses first; a figure only where names have nothing left. most: of all together.
 * @type {(columns: (Column & { width: number })[], most: number) => number[]}
 */
function narrowed(columns, most) {
  const room = most - GAP.length * (columns.length - 1);
  const left = columns.map(({ width }) => width);
  for (const align of ['left', 'right']) {
    const places = columns.flatMap((column, place) => (column.align === align ? place : []));
    const widthAt = (/** @type {number} */ place) => left[place] ?? 0;
    while (sum(left) > room) {
      const widest = places.toSorted((a, b) => widthAt(b) - widthAt(a))[0];
      if (widest === undefined || widthAt(widest) <= LEAST) break;
      left[widest] = widthAt(widest) - 1;
    }
  }
  return left;
}
