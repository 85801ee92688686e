/**
 * Excerpts of reports, as Markdown: a golden of them is a document to read, whose titles say what each shows.
 * @import { Run } from '../../scripts/types.js'
 * @import { Block } from '../../scripts/report/document/blocks.js'
 * @import { Options } from '../../scripts/report/document/document.js'
 */

import { documentOf } from '../../scripts/report/document/document.js';
import { inMarkdown } from '../../scripts/report/render/escape.js';
import { blocksMarkdown } from '../../scripts/report/render/markdown.js';
import { assertGolden } from './golden.js';

/**
 * @param {Block[]} blocks
 * @returns {string} with breakable spaces
 */
export function markdownOf(blocks) {
  return blocksMarkdown(blocks).replaceAll('\u00a0', ' ');
}

/**
 * @param {Run} run
 * @param {string} ids of parts, in the order of the report; empty for the headline alone
 * @param {Options} [options]
 * @returns {string} the document's verdict and headline, and those parts
 */
export function excerpt(run, ids, options = {}) {
  const { verdict, headline, parts } = documentOf(run, options);
  const shown = parts.filter(({ id }) => ids.split(' ').includes(id));
  return [
    `(${verdict ?? 'no verdict'}) ${inMarkdown(headline)}`,
    ...shown.map(({ blocks }) => markdownOf(blocks)),
  ].join('\n\n');
}

/**
 * @param {string} name of the golden
 * @param {Record<string, string | string[]>} excerpts by what they show
 */
export function assertExcerpts(name, excerpts) {
  const texts = Object.entries(excerpts).map(
    ([title, text]) => `# ${title}\n\n${[text].flat().join('\n\n') || '(nothing)'}\n`,
  );
  assertGolden(name, texts.join('\n'));
}
