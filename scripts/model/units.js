/** Reads values as people write them: "10s", "5%", "50,100". Each error is one line that names the place. */

import { UserError } from './errors.js';

/** Timers end at 24 days. */
const LONGEST_SECONDS = 7 * 24 * 3600;
export const LARGEST_COUNT = 1_000_000;

/** @type {Record<string, number>} */
const SECONDS_IN = { ms: 0.001, s: 1, m: 60, h: 3600 };

/**
 * The seconds (above 0, a week at most) of a text like "500ms", "10s", "5m" or "1h"; where: the option or
 * key, as the user knows it.
 * @type {(text: string, where: string) => number}
 */
export function parseDuration(text, where) {
  const [, number = '', unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text.trim()) ?? [];
  const seconds = Number(number) * (SECONDS_IN[unit] ?? 0);
  if (seconds > LONGEST_SECONDS)
    throw new UserError(`${where}: "${text}" is too long; use at most ${LONGEST_SECONDS / 3600}h`);
  if (seconds > 0) return seconds;
  throw new UserError(
    `${where}: "${text}" is not a valid duration; use a number above 0 with a unit, like 500ms, 10s or 5m`,
  );
}

/** As Java and Node count them. @type {Record<string, number>} */
const BYTES_IN = { KB: 2 ** 10, MB: 2 ** 20, GB: 2 ** 30 };

/** Of a text that is valid by the schema: "128MB". @type {(text: string) => number} */
export function parseBytes(text) {
  return Number.parseInt(text) * (BYTES_IN[text.slice(-2)] ?? 1);
}

/** The seconds of a duration, or 0. @type {(text: string, where: string) => number} */
export function parsePause(text, where) {
  return /^0(ms|s|m|h)?$/.test(text) ? 0 : parseDuration(text, where);
}

/**
 * The share, above 0 and below 1, of a text with its sign: "5%". 2 could be a share or percent.
 * @type {(text: string, where: string) => number}
 */
export function parsePercent(text, where) {
  const match = /^(\d+(?:\.\d+)?)\s*%$/.exec(text.trim());
  const share = Number(match?.[1]) / 100;
  if (share > 0 && share < 1) return share;
  throw new UserError(`${where}: "${text}" is not a valid percentage; use one between 0 and 100, like 5%`);
}

/** A whole number from 1 to a million. @type {(text: string, where: string) => number} */
export function parseCount(text, where) {
  const count = /^\d+$/.test(text.trim()) ? Number(text) : 0;
  if (count > LARGEST_COUNT)
    throw new UserError(`${where}: "${text}" is too large; use at most ${LARGEST_COUNT}`);
  if (count >= 1) return count;
  throw new UserError(`${where}: "${text}" is not a valid count; use a whole number of at least 1`);
}

/** @type {(text: string, where: string) => boolean} */
export function parseBoolean(text, where) {
  return oneOf(text, /** @type {const} */ (['true', 'false']), where) === 'true';
}

/** @type {<T extends string>(text: string, allowed: readonly T[], where: string) => T} */
export function oneOf(text, allowed, where) {
  const value = allowed.find((choice) => choice === text);
  if (value !== undefined) return value;
  throw new UserError(
    `${where}: "${text}" is not valid; use ${allowed.slice(0, -1).join(', ')} or ${allowed.at(-1)}`,
  );
}

/** Splits at commas and ends of lines. @type {(text: string) => string[]} */
export function splitList(text) {
  return text
    .split(/[,\n]/)
    .map((item) => item.trim())
    .filter(Boolean);
}

/** YAML reads `PORT: 1` as a number. @type {(values: Record<string, unknown>) => Record<string, string>} */
export function texts(values) {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, String(value)]));
}

/** @type {(globs: string[], where: string) => string[]} */
export function readGlobs(globs, where) {
  if (globs.length === 0 || globs.some((glob) => !glob.startsWith('!'))) return globs;
  throw new UserError(
    `${where}: every pattern starts with "!", so nothing can match; start with one without it, like "**"`,
  );
}
