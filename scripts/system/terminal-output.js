/** Writes to terminals and logs of jobs; nothing else does. */

import { clearScreenDown, cursorTo } from 'node:readline';
import stringWidth from 'string-width';
import { harmless } from './sanitize.js';

/**
 * @typedef {object} Screen
 * @property {number} width in columns
 * @property {boolean} colours the terminal has them and the user wants them (NO_COLOR, https://no-color.org)
 *
 * @typedef {object} Output Only a terminal has the optional parts.
 * @property {(text: string) => unknown} write
 * @property {(text: string) => unknown} [paint] writes text that contains our own colours
 * @property {(line: string) => void} [rewrite] replaces the line that it wrote last
 * @property {() => Screen} [screen]
 */

/** The styles of the terminal's report; a measured text may contain other sequences. */
const STYLES = /(\u001b\[(?:1|2|22|3[1-3]|39)m)/;

/**
 * @param {NodeJS.WritableStream & { isTTY?: boolean, columns?: number, hasColors?: () => boolean }} stream
 * @returns {Output}
 */
export function outputOn(stream) {
  const write = (/** @type {string} */ text) => stream.write(harmless(text));
  if (!stream.isTTY) return { write };
  const width = () => stream.columns || 80;
  return {
    write,
    paint(text) {
      const parts = text.split(STYLES);
      stream.write(parts.map((part, place) => (place % 2 === 1 ? part : harmless(part))).join(''));
    },
    screen: () => ({ width: width(), colours: stream.hasColors?.() ?? false }),
    rewrite(line) {
      cursorTo(stream, 0);
      clearScreenDown(stream);
      stream.write(cut(harmless(line).replaceAll(/\n/g, ' '), width() - 1));
    },
  };
}

/** Text as it looks on that screen. @type {(output: Output, text: (screen?: Screen) => string) => void} */
export function paint({ write, paint: painted = write, screen }, text) {
  painted(text(screen?.()));
}

/** Cuts to columns, of which some letters take two. @type {(text: string, width: number) => string} */
export function cut(text, width) {
  if (stringWidth(text) <= width) return text;
  let kept = text.slice(0, width);
  while (stringWidth(kept) >= width) kept = kept.slice(0, -1);
  return `${kept}…`;
}
