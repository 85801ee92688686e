/** A bar chart in Mermaid, which GitHub draws. @import { ChartBlock } from '../document/blocks.js' */

/** @param {ChartBlock} chart @returns {string} Markdown */
export function mermaid({ title, bars }) {
  const values = bars.map(({ value }) => Number(value.toPrecision(4)));
  return [
    '```mermaid',
    'xychart-beta horizontal',
    `  title ${quoted(title)}`,
    `  x-axis [${bars.map(({ label }, index) => quoted(label || `${index + 1}`)).join(', ')}]`,
    `  y-axis 0 --> ${Math.ceil(Math.max(1, ...values) * 1.05)}`,
    `  bar [${values.join(', ')}]`,
    '```',
  ].join('\n');
}

/**
 * Letters and digits of any language, and the marks that no grammar of Mermaid's takes for its own.
 * @param {string} text
 */
function quoted(text) {
  const kept = text.replace(/[^\p{L}\p{N} .,:()/_-]/gu, '');
  return `"${kept.replace(/ +/g, ' ').trim() || '-'}"`;
}
