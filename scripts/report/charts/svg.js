/**
 * The parts of every chart. A drawing fits a phone; many dots are one path of round line ends, a tenth the
 * size of as many circles.
 * @import { ScaleContinuousNumeric } from 'd3-scale'
 */

import { entities } from '../render/escape.js';
import { clipped } from '../text/inline.js';

/** @typedef {ScaleContinuousNumeric<number, number>} Scale */
/** @typedef {[x: number, y: number]} Point */
/** @typedef {(value: number) => string} Format */

/** The width of a drawing; a unit is a pixel on a phone. */
export const WIDTH = 360;
/** Widths of a letter; of one of a title, and of a digit, where letters are largest. */
const [LETTER, BOLD, DIGIT] = [6, 7.2, 7.5];

/** Those who cannot see it get a label. @type {(height: number, label: string, parts: string[]) => string} */
export function drawing(height, label, parts) {
  const name = entities(label, 300);
  const drawn = parts.join('');
  // An image's links cannot be reached.
  const role = drawn.includes('<a ') ? 'group' : 'img';
  return `<svg viewBox="0 0 ${WIDTH} ${place(height)}" role="${role}" aria-label="${name}">${drawn}</svg>`;
}

/**
 * @param {Point} start
 * @param {string} content plain text
 * @param {{ kind?: string, width?: number, keepsEnd?: boolean }} [options] kind: classes, "end" for text that
 *   ends there; width: the most it may take; keepsEnd: what does not fit is left out in the middle, since
 *   paths differ at their ends
 */
export function text([x, y], content, { kind, width = WIDTH, keepsEnd = false } = {}) {
  const most = Math.max(1, Math.floor(width / (kind === 'title' ? BOLD : LETTER)));
  const end = keepsEnd && content.length > most ? content.slice(-Math.ceil(most / 2)) : '';
  const shown = clipped(content, most - end.length) + end;
  const attribute = kind === undefined ? '' : ` class="${kind}"`;
  const title = shown === content ? '' : titleOf(content);
  return `<text x="${place(x)}" y="${place(y)}"${attribute}>${title}${entities(shown)}</text>`;
}

/** A kind is classes. @type {(points: Point[], kind: string) => string} */
export function dots(points, kind) {
  const path = points.map(([x, y]) => `M${place(x)} ${place(y)}h0`).join('');
  return path && `<path class="dots ${kind}" d="${path}"/>`;
}

/** The title shows on hover. @type {(points: { at: Point, title: string }[], kind: string) => string} */
export function titledDots(points, kind) {
  return points
    .map(
      ({ at: [x, y], title }) =>
        `<path class="dots ${kind}" d="M${place(x)} ${place(y)}h0">${titleOf(title)}</path>`,
    )
    .join('');
}

/** Each of a series is a line. @type {(series: Point[][], kind: string) => string} */
export function lines(series, kind) {
  // Thin lines have many points, and half a pixel does not show.
  const round = (/** @type {number} */ value) => Number(value.toFixed(kind.startsWith('thick') ? 1 : 0));
  const path = series
    .filter((points) => points.length > 1)
    .map((points) => `M${points.map((point) => point.map(round).join()).join('L')}`)
    .join('');
  return path && `<path class="line ${kind}" d="${path}"/>`;
}

/**
 * @param {{ x: [number, number], y: [number, number] }} corners
 * @param {string} kind classes; "hover" for a part of a chart that is seen only under the pointer
 * @param {string} [title] plain text, shown on hover
 * @returns {string}
 */
export function box({ x: [left, right], y: [top, bottom] }, kind, title = '') {
  const [width, height] = [right - left, bottom - top].map((size) => place(Math.max(0, size)));
  const start = `<rect class="${kind}" x="${place(left)}" y="${place(top)}" width="${width}" height="${height}"`;
  return title ? `${start}>${titleOf(title)}</rect>` : `${start}/>`;
}

/** @param {string} text plain */
const titleOf = (text) => `<title>${entities(text)}</title>`;

/** @type {(x: number, ends: [top: number, bottom: number], kind: string) => string} */
export function upright(x, [top, bottom], kind) {
  return `<path class="${kind}" d="M${place(x)} ${place(top)}V${place(bottom)}"/>`;
}

/**
 * Its lines, figures and name; values: of the ticks; absent: about four.
 * @param {Scale} scale
 * @param {{ top: number, bottom: number, label?: string, format: Format, values?: number[] }} axis
 */
export function bottomAxis(scale, { top, bottom, label = '', format, values = scale.ticks(4) }) {
  const [left = 0, right = WIDTH] = scale.range();
  const grid = values.map((value) => `M${place(scale(value))} ${place(top)}V${place(bottom)}`).join('');
  const figures = values.map((value) => {
    // A figure at the edge stays inside.
    const half = (format(value).length * DIGIT) / 2;
    return text([Math.max(half, Math.min(scale(value), WIDTH - half)), bottom + 14], format(value));
  });
  const name = label && text([(left + right) / 2, bottom + 29], label);
  return `<path class="grid" d="${grid}"/><g class="x">${figures.join('')}${name}</g>`;
}

/** @type {(scale: Scale, at: { left: number, right: number, format: Format, values: number[] }) => string} */
export function leftAxis(scale, { left, right, format, values }) {
  const grid = values.map((value) => `M${place(left)} ${place(scale(value))}H${place(right)}`).join('');
  const figures = values.map((value) => text([left - 5, scale(value) + 4], format(value)));
  return `<path class="grid" d="${grid}"/><g class="y">${figures.join('')}</g>`;
}

/** Returns a whole number; 0 for what is not a number. @type {(value: number) => number} */
export function place(value) {
  return Number.isFinite(value) ? Math.round(value) : 0;
}

/** Takes at most so many, evenly. @type {<T>(list: T[], most: number) => T[]} */
export function every(list, most) {
  const step = Math.ceil(list.length / most);
  return step > 1 ? list.filter((_, order) => order % step === 0) : list;
}
