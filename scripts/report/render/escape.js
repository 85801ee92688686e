/**
 * Escapes text, which may come from a stranger's fork, for Markdown and HTML: nothing in it may act as
 * markup, a link, a mention or a reference.
 */

import { clipped, inlines, plain, visible } from '../text/inline.js';

/** The most lines of a log, and the most characters of a line. */
const [LOG_LINES, LOG_WIDTH] = [20, 300];
const SHA_OR_NUMBER = /^[0-9a-f]+$/;

/** Returns Markdown on one line, of text with marks, see text/inline.js. @type {(text: string) => string} */
export function inMarkdown(text) {
  const parts = inlines(text).map(({ kind, text: content }) => {
    if (kind === 'strong') return `**${escapedMarkdown(content)}**`;
    if (kind === 'code' && !/[`|]/.test(content)) return `\`${content}\``;
    return (kind === 'exact' || kind === 'link') && SHA_OR_NUMBER.test(content)
      ? content
      : escapedMarkdown(content);
  });
  // Marks that begin a list or underline a heading at the start of a line.
  return parts.join('').replace(/^(\d*)([-+=.)])(?=[-=\s]|$)/, '$1\\$2');
}

/** Returns HTML, of text with marks. @type {(text: string) => string} */
export function inHtml(text) {
  return inlines(text)
    .map(({ kind, text: content, href }) => {
      if (kind === 'strong') return `<strong>${entities(content)}</strong>`;
      if (href !== undefined) return `<a href="${entities(href)}">${entities(content)}</a>`;
      return kind === 'code' ? `<code>${entities(content)}</code>` : entities(content);
    })
    .join('');
}

/** HTML, also for an attribute, of so many characters. @type {(text: unknown, limit?: number) => string} */
export function entities(text, limit) {
  const shown = limit === undefined ? visible(String(text)) : plain(text, limit);
  return shown.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
}

/**
 * Returns HTML within Markdown, of so many characters, where GitHub still looks for links and mentions.
 * @type {(text: string, limit: number) => string}
 */
export function quietEntities(text, limit) {
  return quiet(entities(text, limit));
}

/**
 * A fenced block, with a fence that no line can close; width: what is kept of a line, in characters.
 * @type {(lines: unknown[], width?: number) => string}
 */
export function fenced(lines, width) {
  const kept = logLines(lines, width);
  const runs = kept.flatMap((line) => line.match(/`+/g) ?? []);
  const fence = '`'.repeat(Math.max(2, ...runs.map(({ length }) => length)) + 1);
  return [`${fence}text`, ...kept, fence].join('\n');
}

/** The last ones, harmless, of so many characters. @type {(lines: unknown[], width?: number) => string[]} */
export function logLines(lines, width = LOG_WIDTH) {
  return lines
    .flatMap((line) => String(line).split(/\r\n|[\r\n\u2028\u2029]/))
    .slice(-LOG_LINES)
    .map((line) => clipped(visible(line), width));
}

/** @param {string} text */
function escapedMarkdown(text) {
  return quiet(
    text
      .replace(/&/g, '&amp;')
      .replace(/</g, '&lt;')
      .replace(/>/g, '&gt;')
      .replace(/[\\`*_[\]|~#]/g, '\\$&'),
  );
}

/**
 * GitHub makes links, mentions, references and formulas of plain text, escaped or not, some of them after it
 * has resolved the entities. A space of no width stops it:
 * https://github.github.com/gfm/#autolinks-extension- and "Autolinked references and URLs" of
 * https://docs.github.com/en/get-started/writing-on-github.
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
