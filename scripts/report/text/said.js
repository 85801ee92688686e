/**
 * A file of another version or program may have other codes, and messages.
 * @param {Record<string, (facts: any) => string>} sentences of a language, by code
 * @param {{ code: string, message?: string }} facts @returns {string}
 */
export function said(sentences, facts) {
  const say = Object.hasOwn(sentences, facts.code) ? sentences[facts.code] : undefined;
  return facts.message ?? say?.(facts) ?? facts.code;
}
