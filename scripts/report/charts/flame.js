/**
 * A differential flame graph: the head's calls from the top down, as wide as they cost, coloured by what changed for sure (B. Gregg,
 * "The Flame Graph", CACM 59(6), 2016). Lengths are percentages, so that letters keep their size on every screen.
 * @import { CallFrame, FunctionChange } from '../../types.js'
 * @import { Words } from '../text/words.js'
 */

import { frameName, placeText } from '../document/functions.js';
import { entities } from '../render/escape.js';

const ROW = 18;
/** Of the width: narrower frames have no room for a name, or cannot be seen. */
const [NAMED, SEEN] = [0.03, 0.002];
/** A call hands on what it costs, but for so much. */
const HANDED_ON = 0.97;
/** Fewer in a chain have a row each. */
const CHAIN = 4;
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
  const placed = placesOf(calls, { whole, chains: chainsOf(calls, functions) });
  const least = placed.map(({ width }) => width).sort((a, b) => b - a)[most] ?? 0;
  const shown = placed.filter(({ width }) => width > Math.max(least, SEEN));
  if (shown.length === 0) return '';
  const height = ROW * (1 + Math.max(...shown.map(({ row }) => row)));
  const frames = shown.map(({ frame, left, width, row, chain }) => {
    const name = (/** @type {CallFrame} */ called) => frameName(called, words);
    if (chain) {
      const told = flame.chain(chain.length);
      return frameText({ left, width, row, label: told, told: `${told}: ${chain.map(name).join(' → ')}` });
    }
    const change = functions.find((each) => isOf(each, frame));
    const label = name(frame);
    const told = flame.frame({ ...frame, name: label, place: placeText(frame) });
    // The sign says it too, to those who do not see the colour.
    const sign = change ? (change.effectPct > 0 ? '+ ' : '− ') : '';
    return frameText({ left, width, row, label: `${sign}${label}`, told, kind: kindOf(change) });
  });
  return `<svg class="flame" width="100%" height="${height}" role="img" aria-label="${entities(flame.label(name), 300)}">${frames.join('')}</svg>`;
}

/** @param {{ left: number, width: number, row: number, label: string, told: string, kind?: string }} of told: when it is pointed at */
function frameText({ left, width, row, label, told, kind = '' }) {
  const text = width < NAMED ? '' : `<text x="3" y="13">${entities(label, 60)}</text>`;
  return `<svg x="${share(left)}" y="${row * ROW}" width="${share(width)}" height="${ROW - 1}"><title>${entities(told, 300)}</title><rect class="f${kind}"/>${text}</svg>`;
}

/**
 * Frameworks stack dozens of calls that only hand on: all but the first and the last of such a chain share a row.
 * @param {CallFrame[]} calls a parent before its children
 * @param {FunctionChange[]} functions that changed: none of them is hidden
 * @returns {number[][]} places in `calls`, from the top down
 */
function chainsOf(calls, functions) {
  const handsOn = calls.map((frame, place) => {
    const [only, ...others] = calls.filter(({ parent }) => parent === place);
    const isChanged = functions.some((each) => isOf(each, frame));
    return !isChanged && others.length === 0 && only && only.headPct >= HANDED_ON * frame.headPct;
  });
  /** @type {number[][]} */
  const chains = [];
  for (const [place, { parent }] of calls.entries()) {
    if (!handsOn[place] || !handsOn[parent]) continue;
    const chain = chains.find((of) => of.at(-1) === parent);
    if (chain) chain.push(place);
    else chains.push([place]);
  }
  return chains.filter(({ length }) => length >= CHAIN);
}

/**
 * @param {CallFrame[]} calls a parent before its children
 * @param {{ whole: number, chains: number[][] }} of whole: what the width is; chains: that share a row
 * @returns {{ frame: CallFrame, left: number, width: number, row: number, chain?: CallFrame[] }[]} shares of the width; rows from
 *   0; chain: all of a row, told by the first of them alone
 */
function placesOf(calls, { whole, chains }) {
  /** @type {{ frame: CallFrame, left: number, width: number, row: number, next: number }[]} */
  const placed = [];
  let top = 0;
  const hidden = new Set(chains.flatMap(([, ...others]) => others));
  for (const [at, frame] of calls.entries()) {
    const caller = placed[frame.parent];
    const [left, width] = [caller?.next ?? top, frame.headPct / whole];
    if (caller) caller.next += width;
    else top += width;
    const row = caller ? caller.row + (hidden.has(at) ? 0 : 1) : 0;
    placed.push({ frame, left, width, row, next: left });
  }
  return placed.flatMap((of, at) => {
    const chain = chains.find(([first]) => first === at);
    if (hidden.has(at)) return [];
    return [{ ...of, ...(chain && { chain: chain.flatMap((place) => calls[place] ?? []) }) }];
  });
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

/** @param {FunctionChange} change @param {CallFrame} frame */
function isOf({ name, file, line }, frame) {
  return name === frame.name && file === frame.file && (name !== '' || line === frame.line);
}

/** @param {FunctionChange | undefined} change @returns {string} a class */
function kindOf(change) {
  if (!change) return '';
  const strength = STRONGER.filter((least) => Math.abs(change.effectPct) >= least).length + 1;
  return ` ${change.effectPct > 0 ? 'more' : 'less'} c${strength}`;
}

/** @param {number} value */
function share(value) {
  return `${Math.round(1e4 * value) / 100}%`;
}
