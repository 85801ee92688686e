/**
 * The pieces a report is made of. They hold plain text with marks (text/inline.js); renderers escape it.
 * @import { Verdict } from '../../types.js'
 */

/** @typedef {{ kind: 'text', text: string }} TextBlock */

/**
 * @typedef {object} Item
 * @property {string} text
 * @property {Verdict} [verdict] its sign in a terminal
 * @property {'terminal' | 'files'} [only] absent: both; a terminal's tables say less
 */

/** @typedef {{ kind: 'list', items: Item[] }} ListBlock */

/**
 * @typedef {object} Column
 * @property {string} head
 * @property {string[]} cells
 * @property {'left' | 'right'} align
 * @property {number} priority 0 stays where there is no room; the highest goes first
 * @property {boolean} [isListed] the lines of a terminal say it already
 * @property {(Verdict | undefined)[]} [verdicts] of its cells, for their colour
 * @property {(string | undefined)[]} [links] where its cells lead
 * @property {string[]} [cases] the ids of the cases that its cells name
 */

/**
 * @typedef {object} TableBlock
 * @property {'table'} kind
 * @property {string} [title]
 * @property {Column[]} columns
 * @property {number} [pinned] how many rows at the end stay whatever is left out
 * @property {string[]} [lines] the same for a terminal, where a line a row reads better
 */

/** Keeps so many letters a line. @typedef {{ kind: 'code', lines: string[], width?: number }} CodeBlock */
/** @typedef {{ kind: 'fold', title: string, blocks: Block[] }} FoldBlock */
/** @typedef {TextBlock | ListBlock | TableBlock | CodeBlock | FoldBlock} Block */

/** What other verbs answer. @typedef {Pick<Document, 'language' | 'title'> & { blocks: Block[] }} Answer */

/**
 * @typedef {object} Part
 * @property {string} id
 * @property {string} name
 * @property {boolean} [isTitled] its name is printed above it
 * @property {'never' | 'brief' | 'always'} fold brief: where one screen is all there is
 * @property {number} [most] rows, items or blocks that are seen on one screen; a fold holds the others
 * @property {Block[]} blocks
 */

/**
 * @typedef {object} Document
 * @property {string} language
 * @property {string} title of the run; of an answer, its first sentence
 * @property {string} headline
 * @property {Verdict} [verdict]
 * @property {boolean} isUnchanged a head is the same as its base, as far as is claimed
 * @property {boolean} isUntouched and no route executes changed code: nobody needs more than the headline
 * @property {Part[]} parts the first are the last to go where there is no room
 */

/** @type {(text: string) => TextBlock} */
export const text = (text) => ({ kind: 'text', text });

/** Without items there is no list. @type {(items: (Item | string)[]) => ListBlock[]} */
export function list(items) {
  const all = items.map((item) => (typeof item === 'string' ? { text: item } : item));
  return all.length > 0 ? [{ kind: 'list', items: all }] : [];
}

/** Characters of a command: one that is cut repeats nothing. */
export const COMMAND_WIDTH = 4000;

/** @type {(lines: string[], width?: number) => CodeBlock} */
export const code = (lines, width) => ({ kind: 'code', lines, width });

/** @type {(title: string, blocks: Block[]) => FoldBlock} */
export const fold = (title, blocks) => ({ kind: 'fold', title, blocks });

/**
 * Leaves out columns without text.
 * @type {(columns: Column[], more?: Omit<TableBlock, 'kind' | 'columns'>) => TableBlock}
 */
export function table(columns, more) {
  return { kind: 'table', columns: columns.filter(({ cells }) => cells.some(Boolean)), ...more };
}

/**
 * A column of figures, unless it says otherwise.
 * @type {<T>(rows: T[], head: string, cell: (row: T) => string, more?: Partial<Column>) => Column}
 */
export function column(rows, head, cell, more) {
  return { head, cells: rows.map(cell), align: 'right', priority: 1, ...more };
}

/**
 * A column of names.
 * @type {<T>(rows: T[], head: string, cell: (row: T) => string, more?: Partial<Column>) => Column}
 */
export function names(rows, head, cell, more) {
  return column(rows, head, cell, { align: 'left', priority: 0, ...more });
}
