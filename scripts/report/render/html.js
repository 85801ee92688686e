/**
 * The blocks of a report as HTML.
 * @import { Block, Column, Part, TableBlock } from '../document/blocks.js'
 */

import { entities, inHtml, logLines } from './escape.js';

/** A figure with more characters may take several lines on a phone. */
const LONG = 16;

/** Where a case is on the page, if it is. @typedef {(caseId: string) => string | undefined} Places */

/**
 * The name of tables and logs is for those who cannot see them.
 * @type {(blocks: Block[], name: string, placeOf?: Places) => string}
 */
export function blocksHtml(blocks, name, placeOf = () => undefined) {
  return blocks.map((block) => blockHtml(block, name, placeOf)).join('\n');
}

/** Folds it where it always is. @type {(part: Part | undefined, placeOf?: Places) => string} */
export function partHtml(part, placeOf) {
  if (!part) return '';
  const html = blocksHtml(part.blocks, part.name, placeOf);
  return part.fold === 'always' ? folded(part.name, html) : html;
}

/** @type {(title: string, html: string) => string} */
export function folded(title, html) {
  return `<details class="more"><summary>${entities(title, 200)}</summary>${html}</details>`;
}

/** @type {(block: Block, name: string, placeOf: Places) => string} */
function blockHtml(block, name, placeOf) {
  switch (block.kind) {
    case 'text':
      return `<p>${inHtml(block.text)}</p>`;
    case 'list': {
      const items = block.items.filter(({ only }) => only !== 'terminal');
      return items.length > 0
        ? `<ul>${items.map(({ text }) => `<li>${inHtml(text)}</li>`).join('')}</ul>`
        : '';
    }
    case 'table':
      return tableHtml(block, name, placeOf);
    case 'code': {
      const lines = logLines(block.lines, block.width).map((line) => entities(line));
      return `<pre ${group(name)}><code>${lines.join('\n')}</code></pre>`;
    }
    case 'fold':
      return folded(block.title, blocksHtml(block.blocks, block.title, placeOf));
  }
}

/** @type {(table: TableBlock, name: string, placeOf: Places) => string} */
function tableHtml({ title, columns }, name, placeOf) {
  const head = columns.map((column) => `<th${sideOf(column)}>${inHtml(column.head)}</th>`);
  const rows = (columns[0]?.cells ?? []).map(
    (_, row) => `<tr>${columns.map((column) => cellHtml(column, row, placeOf)).join('')}</tr>`,
  );
  const table = `<table><thead><tr>${head.join('')}</tr></thead><tbody>${rows.join('')}</tbody></table>`;
  const heading = title === undefined ? '' : `<p><strong>${inHtml(title)}</strong></p>\n`;
  // A table wider than a phone is moved sideways, by finger or by the arrow keys.
  return `${heading}<div class="scroll" ${group(title ?? name)}>${table}</div>`;
}

/** @type {(column: Column, row: number, placeOf: Places) => string} */
function cellHtml(column, row, placeOf) {
  // On a phone an interval is below its estimate.
  const text = inHtml(column.cells[row] ?? '').replace(
    /(?<=\S) (\([^()]*\))$/,
    ' <span class="ends">$1</span>',
  );
  const [verdict, link] = [column.verdicts?.[row], column.links?.[row] ?? placeOf(column.cases?.[row] ?? '')];
  const linked = link === undefined ? text : `<a href="${entities(link)}">${text}</a>`;
  const shown = verdict && text ? `<span class="pill ${verdict}">${text}</span>` : linked;
  const isLong = column.align === 'right' && (column.cells[row] ?? '').length > LONG;
  return `<td${isLong ? ' class="r long"' : sideOf(column)}>${shown}</td>`;
}

/** @param {Column} column */
function sideOf({ align }) {
  return align === 'right' ? ' class=r' : '';
}

/** @param {string} name */
function group(name) {
  return `role="group" tabindex="0" aria-label="${entities(name, 200)}"`;
}
