/**
 * A report as Markdown.
 * @import { Run } from '../../types.js'
 * @import { Answer, Block, Column, Part, TableBlock } from '../document/blocks.js'
 * @import { Options } from '../document/document.js'
 */

import { markdownTable } from 'markdown-table';
import { documentOf } from '../document/document.js';
import { fenced, inMarkdown, quietEntities } from './escape.js';

/** @type {(run: Run, options?: Options) => string} */
export function renderReport(run, options = {}) {
  const { headline, parts } = documentOf(run, options);
  return `${[`## ${inMarkdown(headline)}`, ...parts.map(partMarkdown)].filter(Boolean).join('\n\n')}\n`;
}

/** @type {(answer: Answer) => string} */
export function answerMarkdown({ title, blocks }) {
  return `## ${inMarkdown(title)}\n\n${blocksMarkdown(blocks)}\n`;
}

/** Returns nothing where nothing of it is shown here. @type {(part: Part) => string} */
export function partMarkdown({ name, isTitled, fold, blocks }) {
  const markdown = blocksMarkdown(blocks);
  if (markdown === '') return '';
  if (fold === 'always') return folded(name, markdown);
  return isTitled ? `**${inMarkdown(name)}**\n\n${markdown}` : markdown;
}

/** @type {(blocks: Block[]) => string} */
export function blocksMarkdown(blocks) {
  return blocks.map(blockMarkdown).filter(Boolean).join('\n\n');
}

/** @type {(block: Block) => string} */
function blockMarkdown(block) {
  switch (block.kind) {
    case 'text':
      return inMarkdown(block.text);
    case 'list': {
      const items = block.items.filter(({ only }) => only !== 'terminal');
      return items.map(({ text }) => `- ${inMarkdown(text)}`).join('\n');
    }
    case 'table':
      return tableMarkdown(block);
    case 'code':
      return fenced(block.lines, block.width);
    case 'fold':
      return folded(block.title, blocksMarkdown(block.blocks));
  }
}

/** @param {TableBlock} table */
function tableMarkdown({ title, columns }) {
  const rows = (columns[0]?.cells ?? []).map((_, row) => columns.map((column) => cellMarkdown(column, row)));
  const align = columns.map(({ align: side }) => (side === 'left' ? 'l' : 'r'));
  const markdown = markdownTable([columns.map(({ head }) => inMarkdown(head)), ...rows], { align });
  return title === undefined ? markdown : `**${inMarkdown(title)}**\n\n${markdown}`;
}

/** A figure and its unit stay on one line. @type {(column: Column, row: number) => string} */
function cellMarkdown({ cells, links }, row) {
  const text = inMarkdown(cells[row] ?? '').replace(/(?<=\d) (?=%|[mµ]?s\b|MB\b|req\/s)/g, '\u00a0');
  const link = links?.[row];
  return link === undefined ? text : `[${text}](${link})`;
}

/** The title is plain text. @type {(title: string, markdown: string) => string} */
function folded(title, markdown) {
  return `<details><summary>${quietEntities(title, 200)}</summary>\n\n${markdown}\n\n</details>`;
}
