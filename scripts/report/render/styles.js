/**
 * A terminal's colours, by what they mean; words and signs say it too.
 * @import { Verdict } from '../../types.js'
 */

/** A verdict's colour and sign. @type {Record<Verdict, ['red' | 'yellow' | 'green', string]>} */
const LOOKS = {
  regressed: ['red', '✗'],
  failed: ['red', '✗'],
  unsure: ['yellow', '?'],
  improved: ['green', '✓'],
  same: ['green', '='],
};

/** Select Graphic Rendition (ECMA-48, 8.3.117): on, off. Node 20.0 has no styleText yet. */
const CODES = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39] };

/** @param {boolean} colours whether there are any */
export function styler(colours) {
  const style = (/** @type {keyof typeof CODES} */ format, /** @type {string} */ text) => {
    const [on, off] = CODES[format];
    return colours ? `\u001b[${on}m${text}\u001b[${off}m` : text;
  };
  const toned = (/** @type {string} */ text, /** @type {Verdict | undefined} */ verdict) =>
    verdict === undefined ? text : style(LOOKS[verdict][0], text);
  return {
    bold: (/** @type {string} */ text) => style('bold', text),
    dim: (/** @type {string} */ text) => style('dim', text),
    toned,
    /** @param {Verdict} verdict @returns {string} its sign */
    mark: (verdict) => toned(LOOKS[verdict][1], verdict),
  };
}
