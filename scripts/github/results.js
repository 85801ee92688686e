/**
 * A result folder, read whole.
 * @import { Comparison, Run } from '../types.js'
 */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readComparison } from '../store/comparison-file.js';
import { readRun } from '../store/run-file.js';

/**
 * A comparison that an earlier run left in the same folder is not this run's.
 * @param {string} dir
 * @returns {Promise<{ run: Run, comparison?: Comparison }>}
 * @throws {import('../errors.js').UserError} where the folder holds no readable run
 */
export async function readResults(dir) {
  const run = await readRun(join(dir, 'run.json'));
  const file = join(dir, 'comparison.json');
  const comparison = existsSync(file) ? await readComparison(file) : undefined;
  return comparison?.head.id === run.id ? { run, comparison } : { run };
}

/**
 * @param {number} code the exit code of the run
 * @param {string} dir absolute
 * @param {Comparison} [comparison]
 * @returns {Record<string, string>} outputs for later steps
 */
export function resultOutputs(code, dir, comparison) {
  return {
    code: String(code),
    'results-path': dir,
    'report-path': join(dir, 'report.md'),
    ...(comparison && { verdict: comparison.verdict }),
  };
}
