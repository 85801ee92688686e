/**
 * A differential flame graph: the head's calls from the top down, as wide as they cost, coloured by what
 * changed for sure (B. Gregg, "The Flame Graph", CACM 59(6), 2016). Lengths in percent let letters keep size.
 * @import { CallFrame, Comparison, FunctionChange } from '../../types.js'
 * @import { Words } from '../text/words.js'
 */

import { NOTHING, placeText } from '../document/functions.js';
import { entities } from '../render/escape.js';
import { caption } from './markup.js';

/** Calls that are gone are named up to this many. */
const MOST_NAMES = 8;
const ROW = 18;
/** Shares of the width: narrower frames have no room for a name, or cannot be seen. */
const [NAMED, SEEN] = [0.03, 0.002];
/** A call passes its cost on to another if that one has at least this share of it. */
const PASSED_ON = 0.97;
/** Shorter chains have a row for each call. */
const CHAIN = 4;
/** Percent of a request from which a change has a stronger colour. */
const STRONGER = [2, 5];

/**
 * @param {Comparison | undefined} comparison
 * @param {{ words: Words, nameOf: (id: string) => string, most: number }} context most: frames of a case
 * @returns {string} empty where no function changed
 */
export function renderCalls(comparison, { words, nameOf, most }) {
  const { flame } = words.functions;
  const figures = (comparison?.cases ?? []).flatMap(({ id, functions = [], calls = [] }) => {
    const name = nameOf(id);
    const drawn = functions.length > 0 && drawFlame({ name, calls, functions, most }, words);
    if (!drawn) return [];
    const gone = vanished(calls)
      .slice(0, MOST_NAMES)
      .map((frame) => {
        const place = frame.file && `${frame.file}, `;
        return `${frameName(frame, words)} (${place}${words.portion(frame.basePct / 100)})`;
      });
    const note = gone.length > 0 ? `<p>${entities(flame.vanished(gone))}</p>` : '';
    return `<h3>${entities(name, 120)}</h3><figure>${drawn}${caption(flame.caption, words.page.hover)}</figure>${note}`;
  });
  return figures.join('\n');
}

/**
 * Empty where the head called nothing. name: of the case; functions: that changed; most: frames.
 * @param {{ name: string, calls: CallFrame[], functions: FunctionChange[], most: number }} graph
 * @param {Words} words
 */
function drawFlame({ name: caseName, calls, functions, most }, words) {
  const { flame } = words.functions;
  const placed = placesOf(calls, chainsOf(calls, functions));
  const least = placed.map(({ width }) => width).sort((a, b) => b - a)[most] ?? 0;
  const seen = placed.filter(({ width }) => width > Math.max(least, SEEN));
  if (seen.length === 0) return '';
  const changeOf = (/** @type {CallFrame} */ frame) => functions.find((change) => isOf(change, frame));
  // Rows without a name say nothing but how deep a stack is.
  const lowest = Math.max(0, ...seen.map((box) => (box.width >= NAMED || changeOf(box.frame) ? box.row : 0)));
  const shown = seen.filter(({ row }) => row <= lowest);
  const height = ROW * (1 + lowest);
  const frames = shown.map(({ frame, chain, ...box }) => {
    const name = chain ? flame.chain(chain.length) : frameName(frame, words);
    const change = chain ? undefined : changeOf(frame);
    const [sign, way] = (change?.effectPct ?? 0) > 0 ? ['+', 'more'] : ['−', 'less'];
    const strength = STRONGER.filter((least) => Math.abs(change?.effectPct ?? 0) >= least).length + 1;
    // The sign is for those who do not see the colour.
    const label = change ? `${sign} ${name}` : name;
    const title = chain
      ? `${name}: ${chain.map((call) => frameName(call, words)).join(' → ')}`
      : flame.frame({ ...frame, name, place: placeText(frame) });
    const text = box.width < NAMED ? '' : `<text x="3" y="13">${entities(label, 60)}</text>`;
    return `<svg x="${share(box.left)}" y="${box.row * ROW}" width="${share(box.width)}" height="${ROW - 1}"><title>${entities(title, 300)}</title><rect class="f${change ? ` ${way} c${strength}` : ''}"/>${text}</svg>`;
  });
  return `<svg class="flame" width="100%" height="${height}" role="img" aria-label="${entities(flame.label(caseName), 300)}">${frames.join('')}</svg>`;
}

/**
 * A frame without a name has its place.
 * @type {(frame: { name: string, file: string, line: number }, words: Words) => string}
 */
function frameName(frame, words) {
  return frame.name || placeText(frame).replace(/^.*\//, '') || words.functions.unnamed;
}

/**
 * Frameworks stack dozens of calls that only pass on: all but the ends of such a chain share a row.
 * @param {CallFrame[]} calls a parent before its children
 * @param {FunctionChange[]} functions that changed: none of them is hidden
 * @returns {number[][]} places in `calls`, from the top down
 */
function chainsOf(calls, functions) {
  const passesOn = calls.map((frame, place) => {
    const [only, ...others] = calls.filter(({ parent }) => parent === place);
    const isChanged = functions.some((change) => isOf(change, frame));
    return !isChanged && others.length === 0 && only && only.headPct >= PASSED_ON * frame.headPct;
  });
  /** @type {number[][]} */
  const chains = [];
  for (const [place, { parent }] of calls.entries()) {
    if (!passesOn[place] || !passesOn[parent]) continue;
    const chain = chains.find((places) => places.at(-1) === parent);
    if (chain) chain.push(place);
    else chains.push([place]);
  }
  return chains.filter(({ length }) => length >= CHAIN);
}

/**
 * @param {CallFrame[]} calls a parent before its children
 * @param {number[][]} chains that share a row, which their first call represents
 * @returns {{ frame: CallFrame, left: number, width: number, row: number, chain: CallFrame[] | undefined }[]}
 *   left and width are shares of the whole
 */
function placesOf(calls, chains) {
  const whole = calls.reduce((total, { parent, headPct }) => total + (parent < 0 ? headPct : 0), 0);
  const hidden = new Set(chains.flatMap(([, ...others]) => others));
  const root = { row: -1, next: 0 };
  /**
   * next: where its next call begins.
   * @type {{ frame: CallFrame, left: number, width: number, row: number, next: number }[]}
   */
  const placed = [];
  for (const [place, frame] of calls.entries()) {
    const caller = placed[frame.parent] ?? root;
    const [left, width] = [caller.next, frame.headPct / whole];
    caller.next += width;
    placed.push({ frame, left, width, row: caller.row + (hidden.has(place) ? 0 : 1), next: left });
  }
  return placed.flatMap(({ next, ...box }, place) => {
    const chain = chains.find(([first]) => first === place)?.flatMap((call) => calls[call] ?? []);
    return hidden.has(place) ? [] : { ...box, chain };
  });
}

/**
 * The topmost calls of functions that cost the head nothing anywhere, the largest first.
 * @type {(calls: CallFrame[]) => CallFrame[]}
 */
function vanished(calls) {
  const isGone = (/** @type {CallFrame | undefined} */ frame) => (frame?.headPct ?? 0) < NOTHING;
  const left = calls.filter((frame) => !isGone(frame));
  return calls
    .filter((frame) => isGone(frame) && (frame.parent < 0 || !isGone(calls[frame.parent])))
    .filter((frame) => !left.some((other) => isOf(other, frame)))
    .toSorted((a, b) => b.basePct - a.basePct);
}

/** @type {(change: Pick<CallFrame, 'name' | 'file' | 'line'>, frame: CallFrame) => boolean} */
function isOf({ name, file, line }, frame) {
  return name === frame.name && file === frame.file && (name !== '' || line === frame.line);
}

/** @param {number} value */
function share(value) {
  return `${Math.round(1e4 * value) / 100}%`;
}
