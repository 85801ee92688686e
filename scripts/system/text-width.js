/** Shortens text to a terminal's width. */

import stringWidth from 'string-width';

/**
 * @param {string} text
 * @param {number} width in columns: some letters take two
 * @param {string} [end] marks that something is missing
 * @returns {string}
 */
export function cut(text, width, end = '') {
  if (stringWidth(text) <= width) return text;
  let kept = text.slice(0, width);
  while (stringWidth(kept + end) > width) kept = kept.slice(0, -1);
  return kept + end;
}
