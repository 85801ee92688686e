/**
 * Text of a run may come from a stranger's fork: nothing in it may act as Markdown, HTML, a mention or a terminal's
 * control sequence, and none of it may grow without bound.
 */

import { stripVTControlCharacters } from 'node:util';

/** Characters of one text: enough for a failure's message with what was expected and got. */
const LONGEST = 1000;
/** Of a log: lines, and characters of a line. */
const LOG_LINES = 20;
const LOG_WIDTH = 300;

/**
 * @param {unknown} text
 * @param {number} [limit] in characters
 * @returns {string} Markdown that shows the text, on one line
 */
export function escaped(text, limit) {
  return quiet(
    oneLine(text, limit)
      .replace(/&/g, '&amp;')
      .replace(/</g, '&lt;')
      .replace(/>/g, '&gt;')
      .replace(/[\\`*_[\]|~#]/g, '\\$&')
      // What begins a list or underlines a heading where a line begins with it.
      .replace(/^(\d*)([-+=.)])(?=[-=\s]|$)/, '$1\\$2'),
  );
}

/**
 * @param {string} sha
 * @returns {string} Markdown: what a commit is called by, which the site may link; anything else only as text
 */
export function shortSha(sha) {
  const short = sha.slice(0, 10);
  return /^[0-9a-f]+$/.test(short) ? short : escaped(short);
}

/**
 * @param {unknown} text
 * @param {number} [limit] in characters
 * @returns {string} HTML that shows the text, on one line; for places where Markdown is not read
 */
export function entities(text, limit) {
  return quiet(
    oneLine(text, limit)
      .replace(/&/g, '&amp;')
      .replace(/</g, '&lt;')
      .replace(/>/g, '&gt;')
      .replace(/"/g, '&quot;'),
  );
}

/**
 * @param {string} markdown
 * @returns {string} as a terminal shows it, which knows neither marks nor escapes
 */
export function unescaped(markdown) {
  return markdown
    .replaceAll('**', '')
    .replaceAll('\u200b', '')
    .replace(/\\([\\`*_[\]|~#=+.)-])/g, '$1')
    .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

/**
 * @param {unknown[]} lines
 * @param {number} [width] what is kept of a line, in characters
 * @returns {string} a fenced block, with a fence that no line can close
 */
export function fenced(lines, width) {
  const kept = logLines(lines, width);
  const runs = kept.flatMap((line) => line.match(/`+/g) ?? []);
  const fence = '`'.repeat(Math.max(2, ...runs.map(({ length }) => length)) + 1);
  return [`${fence}text`, ...kept, fence].join('\n');
}

/**
 * @param {unknown[]} lines
 * @param {number} [width] in characters
 * @returns {string[]} the last ones, harmless and of bounded width
 */
export function logLines(lines, width = LOG_WIDTH) {
  return lines
    .flatMap((line) => String(line).split(/\r\n|[\r\n\u2028\u2029]/))
    .slice(-LOG_LINES)
    .map((line) => clipped(visible(line), width));
}

/**
 * @param {unknown} text
 * @param {number} limit in characters
 * @returns {string} as it is, or its beginning
 */
export function clipped(text, limit) {
  const whole = String(text);
  // No half of a surrogate pair stays behind.
  return whole.length > limit ? `${whole.slice(0, limit).replace(/[\ud800-\udbff]$/, '')}…` : whole;
}

/**
 * @param {unknown} text
 * @param {number} [limit]
 */
function oneLine(text, limit = LONGEST) {
  return clipped(visible(String(text)).replace(/\s+/g, ' ').trim(), limit);
}

/**
 * Without escape sequences and without characters that nobody sees: control and format characters, marks that turn the
 * direction of reading, fillers, tags, halves of a pair.
 * @param {string} text
 */
function visible(text) {
  const hidden = /(?![\t\n\r])[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;
  return stripVTControlCharacters(text).replace(hidden, '');
}

/**
 * The site makes links, mentions, references and formulas of plain text, escaped or not, some of them after it has
 * resolved the entities. A space of no width stops it: https://github.github.com/gfm/#autolinks-extension- and
 * https://docs.github.com/en/get-started/writing-on-github/working-with-advanced-formatting/autolinked-references-and-urls
 * @param {string} text
 */
function quiet(text) {
  return text
    .replace(/@/g, '@\u200b')
    .replace(/(?<!&)#(?=\d)/g, '#\u200b')
    .replace(/GH-(?=\d)/gi, '$&\u200b')
    .replace(/:(?=\/\/)/g, ':\u200b')
    .replace(/www(?=\.)/gi, '$&\u200b')
    .replace(/(?<![0-9a-z])[0-9a-f]{7,64}(?![0-9a-z])/gi, (sha) => sha.replace(/.{6}(?=.)/g, '$&\u200b'))
    .replace(/\$/g, '&#36;');
}
