/**
 * The blocks of a report as HTML.
 * @import { Block, Column, Part, TableBlock } from '../document/blocks.js'
 */

import { entities, inHtml, logLines } from './escape.js';

/** @param {Block[]} blocks @param {string} name of their tables and logs, for those who cannot see them @returns {string} */
export function blocksHtml(blocks, name) {
  return blocks.map((block) => blockHtml(block, name)).join('\n');
}

/** @param {Part | undefined} part @returns {string} folded where it always is */
export function partHtml(part) {
  if (!part) return '';
  const html = blocksHtml(part.blocks, part.name);
  return part.fold === 'always' ? folded(part.name, html) : html;
}

/** @param {string} title @param {string} html */
export function folded(title, html) {
  return `<details class="more"><summary>${entities(title, 200)}</summary>${html}</details>`;
}

/** @param {Block} block @param {string} name @returns {string} */
function blockHtml(block, name) {
  switch (block.kind) {
    case 'text':
      return `<p>${inHtml(block.text)}</p>`;
    case 'list': {
      const items = block.items.filter(({ isTabled }) => !isTabled);
      return items.length > 0
        ? `<ul>${items.map(({ text }) => `<li>${inHtml(text)}</li>`).join('')}</ul>`
        : '';
    }
    case 'table':
      return tableHtml(block, name);
    case 'code': {
      const lines = logLines(block.lines, block.width).map((line) => entities(line));
      return `<pre ${group(name)}><code>${lines.join('\n')}</code></pre>`;
    }
    case 'fold':
      return folded(block.title, blocksHtml(block.blocks, block.title));
  }
}

/** @param {TableBlock} table @param {string} name */
function tableHtml({ title, columns }, name) {
  const head = columns.map((column) => `<th${sideOf(column)}>${inHtml(column.head)}</th>`);
  const rows = (columns[0]?.cells ?? []).map(
    (_, row) => `<tr>${columns.map((column) => cellHtml(column, row)).join('')}</tr>`,
  );
  const table = `<table><thead><tr>${head.join('')}</tr></thead><tbody>${rows.join('')}</tbody></table>`;
  const heading = title === undefined ? '' : `<p><strong>${inHtml(title)}</strong></p>\n`;
  // A table wider than a phone is moved sideways, by finger or by the arrow keys.
  return `${heading}<div class="scroll" ${group(title ?? name)}>${table}</div>`;
}

/** @param {Column} column @param {number} row */
function cellHtml(column, row) {
  const text = inHtml(column.cells[row] ?? '');
  const [verdict, link] = [column.verdicts?.[row], column.links?.[row]];
  const linked = link === undefined ? text : `<a href="${entities(link)}">${text}</a>`;
  const shown = verdict && text ? `<span class="pill ${verdict}">${text}</span>` : linked;
  return `<td${sideOf(column)}>${shown}</td>`;
}

/** @param {Column} column */
function sideOf({ align }) {
  return align === 'right' ? ' class=r' : '';
}

/** @param {string} name */
function group(name) {
  return `role="group" tabindex="0" aria-label="${entities(name, 200)}"`;
}
