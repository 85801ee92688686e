/** Run and comparison as one JSON document. @import { Comparison, Run } from '../types.js' */

import { harmlessJson } from '../system/sanitize.js';

/** @param {Run} run @param {{ comparison?: Comparison }} [options] @returns {string} */
export function renderJson(run, { comparison } = {}) {
  return harmlessJson({ run, ...(comparison && { comparison }) });
}
