/**
 * A run and a comparison as an ill-meaning fork would write them.
 * @import { Comparison, Run } from '../../scripts/types.js'
 */

import { sampleComparison, sampleRun } from './sample.js';

/** The attack of each text. */
export const PAYLOAD = [
  '--> <img src=x onerror=alert(1)> </details></summary><script>alert(1)</script> @all "quoted"',
  '` x\n````\n```\n# heading\n- item\n<b>bold</b> [link](javascript:alert(1)) ![i](https://evil.example/i.png)',
  '| cell | $\\color{red}{x}$ #12 GH-12 www.evil.example https://evil.example \u001b[31mred \u202egnp',
].join('\n');

/** Words by which the engine and its schemas know things; another word is refused when the file is read. */
const KNOWN = new Set(['schema', 'verdict', 'method', 'metric', 'only', 'startedAt']);

/**
 * @param {string} [payload]
 * @returns {Run} every text, and every figure of a summary, is the payload
 */
export function hostileRun(payload = PAYLOAD) {
  const run = poisoned(sampleRun(), payload);
  const cases = sampleRun().cases.map((runCase, index) => ({
    .../** @type {Run['cases'][number]} */ (run.cases[index]),
    id: runCase.id,
  }));
  return { ...run, relativeTo: payload, cases };
}

/**
 * @param {string} [payload]
 * @returns {Comparison}
 */
export function hostileComparison(payload = PAYLOAD) {
  return poisoned(sampleComparison(), payload);
}

/**
 * @template T
 * @param {T} value
 * @param {string} payload
 * @param {string} [key]
 * @returns {T}
 */
function poisoned(value, payload, key = '') {
  if (typeof value === 'string') return KNOWN.has(key) ? value : /** @type {T} */ (payload);
  if (Array.isArray(value)) return /** @type {T} */ (value.map((each) => poisoned(each, payload)));
  if (value === null || typeof value !== 'object') return value;
  return /** @type {T} */ (
    Object.fromEntries(Object.entries(value).map(([name, each]) => [name, poisoned(each, payload, name)]))
  );
}
