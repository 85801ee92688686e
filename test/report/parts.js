/**
 * Parts of a report alone, as Markdown.
 * @import { Run } from '../../scripts/types.js'
 * @import { Block } from '../../scripts/report/document/blocks.js'
 * @import { Options } from '../../scripts/report/document/document.js'
 */

import { documentOf } from '../../scripts/report/document/document.js';
import { blocksMarkdown } from '../../scripts/report/render/markdown.js';

/** @param {Block[]} blocks @returns {string} with breakable spaces */
export function markdownOf(blocks) {
  return blocksMarkdown(blocks).replaceAll('\u00a0', ' ');
}

/**
 * @param {Run} run @param {string} id of a part @param {Options} [options]
 * @returns {string} empty where the report has no such part
 */
export function partOf(run, id, options = {}) {
  return markdownOf(documentOf(run, options).parts.find((part) => part.id === id)?.blocks ?? []);
}

/**
 * @param {Run} run @param {Options} [options] @returns {string[]} every table of all figures, with its title
 */
export function tablesIn(run, options = {}) {
  const blocks = documentOf(run, options).parts.find(({ id }) => id === 'allFigures')?.blocks ?? [];
  return blocks.filter((block) => block.kind === 'table' && block.title).map((block) => markdownOf([block]));
}
