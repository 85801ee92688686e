/**
 * A report for a terminal: as wide as it is, in its colours, without what only a file has room for.
 * @import { Run, Verdict } from '../../types.js'
 * @import { Answer, Block, Part } from '../document/blocks.js'
 * @import { Options } from '../document/document.js'
 * @import { Words } from '../text/words.js'
 */

import { documentOf } from '../document/document.js';
import { inlines } from '../text/inline.js';
import { wordsIn } from '../text/words.js';
import { logLines } from './escape.js';
import { fitTable, wrapped } from './terminal-table.js';

/** A verdict's colour and sign. @type {Record<Verdict, ['red' | 'yellow' | 'green', string]>} */
const LOOKS = {
  regressed: ['red', '✗'],
  failed: ['red', '✗'],
  unsure: ['yellow', '?'],
  improved: ['green', '✓'],
  same: ['green', '='],
};

/** Select Graphic Rendition (ECMA-48, 8.3.117): on, off. Node 20.3 has no styleText yet. */
const CODES = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39] };

/** Parts that files fold and a terminal shows, in few lines. */
const SHOWN = ['touched', 'conditions'];

/** @typedef {{ width: number, styles: ReturnType<typeof styler>, words: Words }} Screen */

/**
 * @typedef {object} TerminalOptions
 * @property {number} [width] in columns; absent: no limit
 * @property {boolean} [colours]
 * @property {string} [report] the path of the whole report
 */

/** @type {(run: Run, options: Options & TerminalOptions) => string} */
export function renderTerminal(run, { width = Infinity, colours = false, report, ...options }) {
  const document = documentOf(run, options);
  const words = wordsIn(document.language);
  const styles = styler(colours);
  const screen = { width, styles, words };
  const headline = styles.bold(styles.toned(inline(document.headline, screen), document.verdict));
  const parts = document.parts
    .filter(({ id, fold }) => fold !== 'always' || SHOWN.includes(id))
    .map((part) => partText(part, screen));
  const last = report === undefined ? [] : [words.terminal.report(report)];
  return `${[wrapped(headline, width), ...parts, ...last].join('\n\n')}\n`;
}

/** @type {(answer: Answer, screen?: TerminalOptions) => string} */
export function answerTerminal({ language, title, blocks }, screen) {
  return blocksTerminal([{ kind: 'text', text: title }, ...blocks], wordsIn(language), screen);
}

/** @type {(blocks: Block[], words: Words, screen?: TerminalOptions) => string} */
export function blocksTerminal(blocks, words, { width = Infinity, colours = false } = {}) {
  return `${blocksText(blocks, { width, styles: styler(colours), words })}\n`;
}

/** @type {(part: Part, screen: Screen) => string} */
function partText({ id, name, isTitled, blocks }, screen) {
  // The user just typed the command and knows it.
  if (id === 'conditions') {
    const lists = blocks.filter(({ kind }) => kind === 'list');
    return blocksText(lists, screen).split('\n').map(screen.styles.dim).join('\n');
  }
  const text = blocksText(blocks, screen);
  return isTitled ? `${screen.styles.bold(name)}\n\n${text}` : text;
}

/** @type {(blocks: Block[], screen: Screen) => string} */
function blocksText(blocks, screen) {
  return blocks.flatMap((block) => blockText(block, screen) || []).join('\n\n');
}

/** @type {(block: Block, screen: Screen) => string} */
function blockText(block, screen) {
  const { width, styles } = screen;
  switch (block.kind) {
    case 'text':
      return wrapped(inline(block.text, screen), width);
    case 'list':
      return block.items
        .filter(({ only }) => only !== 'files')
        .map(({ text, verdict }) => {
          const sign = verdict === undefined ? '·' : styles.mark(verdict);
          return `${sign} ${wrapped(inline(text, screen), width, '  ')}`;
        })
        .join('\n');
    case 'table':
      if (block.lines) return block.lines.map((line) => `  ${line}`).join('\n');
      return fitTable(block, screen);
    case 'code':
      return logLines(block.lines, block.width)
        .map((line) => `    ${line}`)
        .join('\n');
    case 'fold':
      return blocksText(block.blocks, screen);
  }
}

/** @type {(text: string, screen: Screen) => string} */
function inline(text, { styles }) {
  return inlines(text)
    .map(({ kind, text: content }) =>
      kind === 'strong' ? styles.bold(content) : kind === 'code' ? `\`${content}\`` : content,
    )
    .join('');
}

/** A terminal's colours, if any, by what they mean; words and signs say it too. @param {boolean} colours */
function styler(colours) {
  const style = (/** @type {keyof typeof CODES} */ format, /** @type {string} */ text) => {
    const [on, off] = CODES[format];
    return colours ? `\u001b[${on}m${text}\u001b[${off}m` : text;
  };
  const toned = (/** @type {string} */ text, /** @type {Verdict | undefined} */ verdict) =>
    verdict === undefined ? text : style(LOOKS[verdict][0], text);
  return {
    bold: (/** @type {string} */ text) => style('bold', text),
    dim: (/** @type {string} */ text) => style('dim', text),
    toned,
    /** Returns its sign. @type {(verdict: Verdict) => string} */
    mark: (verdict) => toned(LOOKS[verdict][1], verdict),
  };
}
