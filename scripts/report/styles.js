/**
 * A terminal's colours, by what they mean; words and signs say it too.
 * @import { Verdict } from '../types.js'
 */

import { styleText } from 'node:util';

/** @type {Record<Verdict, 'red' | 'yellow' | 'green'>} */
const TONES = { regressed: 'red', failed: 'red', unsure: 'yellow', improved: 'green', same: 'green' };
/** @type {Record<Verdict, string>} */
const MARKS = { regressed: '✗', failed: '✗', unsure: '?', improved: '✓', same: '=' };

/** @param {boolean} colours whether there are any */
export function styler(colours) {
  // Whether the terminal has colours was asked where it is known.
  const style = (/** @type {Parameters<typeof styleText>[0]} */ format, /** @type {string} */ text) =>
    colours ? styleText(format, text, { validateStream: false }) : text;
  const toned = (/** @type {string} */ text, /** @type {Verdict | undefined} */ verdict) =>
    verdict === undefined ? text : style(TONES[verdict], text);
  return {
    bold: (/** @type {string} */ text) => style('bold', text),
    dim: (/** @type {string} */ text) => style('dim', text),
    toned,
    /** @param {Verdict} verdict @returns {string} its sign */
    mark: (verdict) => toned(MARKS[verdict], verdict),
  };
}
