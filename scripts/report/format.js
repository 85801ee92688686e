/** Numbers and texts as readers see them. */

/** @param {number} value requests a second @returns {string} */
export function rate(value) {
  return value.toLocaleString('en-US', { maximumFractionDigits: value < 100 ? 1 : 0 });
}

/** @param {number} value @returns {string} */
export function count(value) {
  return value.toLocaleString('en-US', { maximumFractionDigits: 0 });
}

/** @param {number} ms milliseconds @returns {string} three digits that mean something */
export function milliseconds(ms) {
  return ms.toLocaleString('en-US', { maximumFractionDigits: ms < 10 ? 2 : ms < 100 ? 1 : 0 });
}

/** @param {number} bytes @returns {string} in MB of 10^6 bytes */
export function megabytes(bytes) {
  const mb = bytes / 1e6;
  return mb.toLocaleString('en-US', { maximumFractionDigits: mb < 10 ? 1 : 0 });
}

/** @param {number} value @returns {string} */
export function times(value) {
  return `${value.toFixed(value < 0.1 ? 3 : 2)}x`;
}

/** @param {number} pct @returns {string} signed, one decimal */
export function percent(pct) {
  // A value that rounds to nothing has no sign.
  const text = Math.abs(pct).toFixed(1);
  if (text === '0.0') return '0.0 %';
  return `${pct < 0 ? '−' : '+'}${text} %`;
}

/** @param {[number, number]} interval @returns {string} */
export function interval([low, high]) {
  return `${percent(low).replace(' %', '')} to ${percent(high)}`;
}

/**
 * Text of a run may come from a stranger's fork: nothing in it may act as Markdown, HTML or a mention.
 * @param {string} text
 * @returns {string} on one line
 */
export function escaped(text) {
  return text
    .replace(/\s+/g, ' ')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/[\\`*_[\]|~#]/g, '\\$&')
    .replace(/@/g, '@\u200b')
    .replace(/(https?):\/\//g, '$1:&#47;&#47;')
    .trim();
}

/**
 * Lines for a fenced block, with a fence no line can close.
 * @param {string[]} lines
 * @returns {string}
 */
export function fenced(lines) {
  const longest = Math.max(2, ...lines.map((line) => /`+/.exec(line)?.[0].length ?? 0));
  const fence = '`'.repeat(longest + 1);
  return [`${fence}text`, ...lines, fence].join('\n');
}
