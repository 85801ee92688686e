/** A fact with a code, in the words of a language. */

/**
 * A file of another version, or of another program, may have codes and messages of its own.
 * @param {Record<string, (facts: any) => string>} sentences
 * @param {{ code: string, message?: string }} facts
 * @returns {string}
 */
export function said(sentences, facts) {
  const say = Object.hasOwn(sentences, facts.code) ? sentences[facts.code] : undefined;
  return facts.message ?? say?.(facts) ?? facts.code;
}
