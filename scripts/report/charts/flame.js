/**
 * A differential flame graph: the head's calls from the top down, as wide as they cost, coloured by what changed for sure (B. Gregg,
 * "The Flame Graph", CACM 59(6), 2016). Lengths are percentages, so that letters keep their size on every screen.
 * @import { CallFrame, FunctionChange } from '../../types.js'
 * @import { Words } from '../words.js'
 */

import { entities } from '../escape.js';

const ROW = 18;
/** Of the width: narrower frames have no room for a name, or cannot be seen. */
const [NAMED, SEEN] = [0.03, 0.002];
/** Percent of a request from which a change has a stronger colour. */
const STRONGER = [2, 5];

/**
 * @param {{ name: string, calls: CallFrame[], functions: FunctionChange[], most: number }} of name: of the case; functions: that changed;
 *   most: frames
 * @param {Words} words
 * @returns {string} empty where the head called nothing
 */
export function drawFlame({ name, calls, functions, most }, words) {
  const { flame } = words.functions;
  const whole = calls.reduce((sum, { parent, headPct }) => sum + (parent < 0 ? headPct : 0), 0);
  const placed = placesOf(calls, whole);
  const least = placed.map(({ width }) => width).sort((a, b) => b - a)[most] ?? 0;
  const shown = placed.filter(({ width }) => width > Math.max(least, SEEN));
  if (shown.length === 0) return '';
  const height = ROW * (1 + Math.max(...shown.map(({ row }) => row)));
  const frames = shown.map(({ frame, left, width, row }) => {
    const change = functions.find((each) => isOf(each, frame));
    const label = frame.name || words.functions.unnamed;
    const place = frame.line > 0 && frame.file ? `${frame.file}:${frame.line}` : frame.file;
    const told = flame.frame({ ...frame, name: label, place });
    // The sign says it too, to those who do not see the colour.
    const sign = change ? (change.effectPct > 0 ? '+ ' : '− ') : '';
    const text = width < NAMED ? '' : `<text x="3" y="13">${entities(`${sign}${label}`, 60)}</text>`;
    return `<svg x="${share(left)}" y="${row * ROW}" width="${share(width)}" height="${ROW - 1}"><title>${entities(told, 300)}</title><rect class="f${kindOf(change)}"/>${text}</svg>`;
  });
  return `<svg class="flame" width="100%" height="${height}" role="img" aria-label="${entities(flame.label(name), 300)}">${frames.join('')}</svg>`;
}

/**
 * @param {CallFrame[]} calls a parent before its children
 * @param {number} whole what the width is
 * @returns {{ frame: CallFrame, left: number, width: number, row: number }[]} shares of the width; rows from 0
 */
function placesOf(calls, whole) {
  /** @type {{ frame: CallFrame, left: number, width: number, row: number, next: number }[]} */
  const placed = [];
  let top = 0;
  for (const frame of calls) {
    const caller = placed[frame.parent];
    const [left, width] = [caller?.next ?? top, frame.headPct / whole];
    if (caller) caller.next += width;
    else top += width;
    placed.push({ frame, left, width, row: caller ? caller.row + 1 : 0, next: left });
  }
  return placed;
}

/**
 * What costs the head nothing has no width.
 * @param {CallFrame[]} calls
 * @param {number} nothing percent of a request that is as good as none
 * @returns {CallFrame[]} the uppermost of them, the largest first
 */
export function vanished(calls, nothing) {
  return calls
    .filter(
      ({ headPct, parent }) => headPct < nothing && (parent < 0 || (calls[parent]?.headPct ?? 0) >= nothing),
    )
    .toSorted((a, b) => b.basePct - a.basePct);
}

/**
 * @param {FunctionChange} change
 * @param {CallFrame} frame
 */
function isOf({ name, file, line }, frame) {
  return name === frame.name && file === frame.file && (name !== '' || line === frame.line);
}

/**
 * @param {FunctionChange | undefined} change
 * @returns {string} a class
 */
function kindOf(change) {
  if (!change) return '';
  const strength = STRONGER.filter((least) => Math.abs(change.effectPct) >= least).length + 1;
  return ` ${change.effectPct > 0 ? 'more' : 'less'} c${strength}`;
}

/** @param {number} value */
function share(value) {
  return `${Math.round(1e4 * value) / 100}%`;
}
