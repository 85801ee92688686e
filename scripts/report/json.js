/**
 * Run and comparison as one JSON document.
 * @import { Comparison, Run } from '../types.js'
 */

/**
 * @param {Run} run
 * @param {{ comparison?: Comparison }} [options]
 * @returns {string}
 */
export function renderJson(run, { comparison } = {}) {
  return `${JSON.stringify({ run, ...(comparison && { comparison }) }, null, 2)}\n`;
}
