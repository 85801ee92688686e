/** A text that hides itself: what prints, stores, copies or changes it has what may be shown. */

import { scryptSync } from 'node:crypto';

/** Replaces a part by its placeholder. @typedef {(part: string) => string} Hide */

/** parts: hidden ones, and what is shown. @typedef {{ text: string, parts: Map<string, string> }} Written */

/** @type {WeakMap<any, Written>} */
const WRITTEN = new WeakMap();
/** @type {Map<string, string>} */
const PLACEHOLDERS = new Map();

/** @type {(text: string, redact: (text: string, hide: Hide) => string) => string} */
export function secret(text, redact) {
  const parts = new Map();
  const shown = Object(redact(text, (part) => parts.set(part, placeholderOf(part)).get(part)));
  WRITTEN.set(shown, { text, parts });
  return shown;
}

/** Only for what sends it, or takes it out of a log. @type {(text: unknown) => Written | undefined} */
export function writtenIn(text) {
  return WRITTEN.get(text);
}

/**
 * Equal values have equal placeholders on every day, so that runs that sent different ones can be
 * distinguished. The digest is slow, computed once per value, and cut to 16 bits: one guess in 65,536 fits.
 * @param {string} value
 */
function placeholderOf(value) {
  const digest = () => scryptSync(value, 'perf-action: equal values of a secret', 2).toString('hex');
  const shown = PLACEHOLDERS.get(value) ?? `‹secret ${digest()}›`;
  PLACEHOLDERS.set(value, shown);
  return shown;
}
