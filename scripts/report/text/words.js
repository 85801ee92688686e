/** The languages of the reports, a file each. */

import { en } from './en.js';
import { ko } from './ko.js';

/** Every language has the keys of English. @typedef {typeof en} Words */

/** @type {Record<string, Words>} */
export const LANGUAGES = { en, ko };

/** @param {string} [language] one of LANGUAGES; any other is English @returns {Words} */
export function wordsIn(language = 'en') {
  return Object.hasOwn(LANGUAGES, language) ? (LANGUAGES[language] ?? en) : en;
}
