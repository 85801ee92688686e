/**
 * Sentences are plain text, in which private-use characters mark what is bold or code. Texts of a run lose
 * such characters, so words need no escaping; each renderer does its own.
 */

import { stripVTControlCharacters } from 'node:util';

/** @typedef {'text' | 'strong' | 'code' | 'exact' | 'link'} InlineKind */
/**
 * Only pages show href, of a link: a comment must not link to where a stranger's run says.
 * @typedef {{ kind: InlineKind, text: string, href?: string }} Inline
 */

/** @type {Record<string, InlineKind>} */
const KINDS = { '\ue000': 'strong', '\ue001': 'code', '\ue002': 'exact', '\ue003': 'link' };
const HREF = '\ue004';
const END = '\ue00f';
const STRAY = /[\ue000-\ue00f]/g;
const MARKED = /([\ue000-\ue003])([^\ue000-\ue003\ue005-\ue00f]*)\ue00f/u;
/** Control and format characters, marks of reading direction, fillers, halves of a pair, and our marks. */
const HIDDEN = /(?![\t\n\r])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}]/gu;
/** The same without our marks, for sentences that have them. */
const UNMARKED =
  /(?![\t\n\r\ue000-\ue004\ue00f])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}]/gu;
export const COMMIT = /^[0-9a-f]{7,64}$/;
/** Characters of one text: enough for a failure's message with what was expected and got. */
const LONGEST = 1000;

/** @type {(text: string) => string} */
export const strong = (text) => `\ue000${text}${END}`;

/** Marks something to type. @type {(text: string) => string} */
export const code = (text) => text && `\ue001${text}${END}`;

/** Marks a commit or a number that people copy. @type {(text: string | number) => string} */
export const exact = (text) => `\ue002${text}${END}`;

/** Without an address there is no link. @type {(text: string, href: string | undefined) => string} */
export const link = (text, href) => (href === undefined ? text : `\ue003${text}${HREF}${href}${END}`);

/**
 * Returns the first ten characters of a commit, which GitHub may link; site: the page of its repository.
 * @type {(sha: string, site?: string) => string}
 */
export function shortSha(sha, site) {
  const short = plain(sha.slice(0, 10));
  return site !== undefined && COMMIT.test(sha) ? link(short, `${site}/commit/${sha}`) : exact(short);
}

/** Reads the marks. @type {(text: string) => Inline[]} */
export function inlines(text) {
  // Text, mark, content, text, mark, content, ...
  const parts = text.split(MARKED);
  return parts.flatMap((part, place) => {
    const [content = '', href] = part.split(HREF).map((piece) => piece.replace(STRAY, ''));
    if (place % 3 === 1 || content === '') return [];
    const kind = place % 3 === 0 ? 'text' : (KINDS[parts[place - 1] ?? ''] ?? 'text');
    return { kind, text: content, ...(kind === 'link' && href !== undefined && { href }) };
  });
}

/** Returns plain text, in which code keeps its backticks. @type {(text: string) => string} */
export function unmarked(text) {
  return inlines(text)
    .map((part) => (part.kind === 'code' ? `\`${part.text}\`` : part.text))
    .join('');
}

/** One line of bounded length, without what nobody sees. @type {(text: unknown, limit?: number) => string} */
export function plain(text, limit = LONGEST) {
  return clipped(visible(String(text)).replace(/\s+/g, ' ').trim(), limit);
}

/** As it is, or so many characters of its beginning. @type {(text: unknown, limit: number) => string} */
export function clipped(text, limit) {
  const whole = String(text);
  // No half of a surrogate pair stays behind.
  return whole.length > limit ? `${whole.slice(0, limit).replace(/[\ud800-\udbff]$/, '')}…` : whole;
}

/** One line of bounded length; it may have marks and facts of a run. @type {(text: string) => string} */
export function sentence(text) {
  const shown = stripVTControlCharacters(text).replace(UNMARKED, '').replace(/\s+/g, ' ').trim();
  return clipped(shown, LONGEST);
}

/** Removes escape sequences and characters that nobody sees. @type {(text: string) => string} */
export function visible(text) {
  return stripVTControlCharacters(text).replace(HIDDEN, '');
}

/**
 * A file of another version or program may have other codes, and messages.
 * @param {Record<string, (facts: any) => string>} sentences of a language, by code
 * @param {{ code: string, message?: string }} facts
 */
export function sentenceFor(sentences, facts) {
  const say = Object.hasOwn(sentences, facts.code) ? sentences[facts.code] : undefined;
  return facts.message ?? say?.(facts) ?? facts.code;
}
