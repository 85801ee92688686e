/** The languages of the reports, a file each. */

import { en } from './en.js';
import { ko } from './ko.js';

/** Every language has the keys of English. @typedef {typeof en} Words */

/** @type {Record<string, Words>} */
export const LANGUAGES = { en, ko };

/** Any other language than LANGUAGES is English. @type {(language?: string) => Words} */
export function wordsIn(language = 'en') {
  return Object.hasOwn(LANGUAGES, language) ? (LANGUAGES[language] ?? en) : en;
}
