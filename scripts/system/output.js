/** Where text leaves this program. Nothing else writes to a terminal or to a job's log. */

import { clearScreenDown, cursorTo, moveCursor } from 'node:readline';
import stringWidth from 'string-width';
import { harmless } from './sanitize.js';

/**
 * A terminal's. width: in columns; colours: whether it has them and the user wants them (NO_COLOR, https://no-color.org).
 * @typedef {{ width: number, colours: boolean }} Screen
 */

/**
 * paint: writes a text whose colours are ours. Absent where there is no terminal: rewrite, which puts lines in the place of the
 * last ones that it put, and screen.
 * @typedef {{ write: (text: string) => unknown, paint?: (text: string) => unknown, rewrite?: (...lines: string[]) => void, screen?: () => Screen }} Output
 */

/** The styles that the terminal's report uses; any other sequence came from a text. */
const STYLES = /(\u001b\[(?:1|2|22|3[1-3]|39)m)/;

/**
 * @param {NodeJS.WritableStream & { isTTY?: boolean, columns?: number, hasColors?: () => boolean }} stream
 * @returns {Output}
 */
export function outputOn(stream) {
  const write = (/** @type {string} */ text) => stream.write(harmless(text));
  if (!stream.isTTY) return { write };
  const width = () => stream.columns || 80;
  let above = 0;
  return {
    write,
    paint: (text) =>
      stream.write(
        text
          .split(STYLES)
          .map((part, place) => (place % 2 === 1 ? part : harmless(part)))
          .join(''),
      ),
    screen: () => ({ width: width(), colours: stream.hasColors?.() ?? false }),
    rewrite(...lines) {
      if (above > 0) moveCursor(stream, 0, -above);
      cursorTo(stream, 0);
      clearScreenDown(stream);
      const shown = lines.map((line) => cut(harmless(line).replaceAll(/\n/g, ' '), width() - 1));
      stream.write(shown.join('\n'));
      above = Math.max(0, shown.length - 1);
    },
  };
}

/**
 * @param {Output} output
 * @param {(screen?: Screen) => string} text as it looks there
 */
export function paint({ write, paint: painted = write, screen }, text) {
  painted(text(screen?.()));
}

/**
 * @param {string} line
 * @param {number} width in columns: some letters take two
 */
function cut(line, width) {
  if (stringWidth(line) <= width) return line;
  let kept = line.slice(0, width);
  while (stringWidth(kept) > width) kept = kept.slice(0, -1);
  return kept;
}
