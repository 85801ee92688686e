/**
 * A flame graph of each case whose functions changed, and the calls that are gone.
 * @import { Comparison } from '../../types.js'
 * @import { Words } from '../text/words.js'
 */

import { drawFlame, vanished } from '../charts/flame.js';
import { entities } from '../render/escape.js';
import { frameName, NOTHING } from '../document/functions.js';
import { caption } from './markup.js';

const MOST_NAMES = 8;

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
    const gone = vanished(calls, NOTHING)
      .slice(0, MOST_NAMES)
      .map((frame) => {
        const place = frame.file && `${frame.file}, `;
        return `${frameName(frame, words)} (${place}${words.portion(frame.basePct / 100)})`;
      });
    const note = gone.length > 0 ? `<p>${entities(flame.vanished(gone))}</p>` : '';
    return `<h3>${entities(name, 120)}</h3><figure>${drawn}${caption(flame.caption)}</figure>${note}`;
  });
  return figures.join('\n');
}
