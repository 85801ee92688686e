/**
 * A result folder: read whole, and what the site's readers and later steps get of it.
 * @import { Comparison, Run } from '../types.js'
 */

import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LEADING } from '../metrics.js';
import { renderBadge } from '../report/badge.js';
import { renderHtml } from '../report/html.js';
import { readComparison } from '../store/comparison-file.js';
import { readRun } from '../store/run-file.js';

/** Where a folder keeps what was measured of the head, and of the base where there is one. */
export const SIDES = /** @type {const} */ (['run.json', 'base/run.json']);

/** An output travels through a variable of a later step's environment, which may have 128 KiB. */
const LONGEST = 60_000;

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
 * Leaves the report as a page and the badge beside the results.
 * @param {number} code the exit code of the run
 * @param {string} dir absolute
 * @param {{ run: Run, comparison?: Comparison }} results
 * @returns {Promise<Record<string, string>>} outputs for later steps
 */
export async function publish(code, dir, { run, comparison }) {
  const page = join(dir, 'report.html');
  const badge = join(dir, 'badge.json');
  await writeFile(page, renderHtml(run, comparison && { comparison }));
  await writeFile(badge, `${JSON.stringify(renderBadge(run, comparison))}\n`);
  return {
    code: String(code),
    'results-path': dir,
    'report-path': join(dir, 'report.md'),
    'badge-path': badge,
    cases: casesOutput(run, comparison),
    ...(comparison && { verdict: comparison.verdict }),
  };
}

/**
 * @param {Run} run
 * @param {Comparison} [comparison]
 * @returns {string} JSON: a short record for each case; what does not fit is left out from the end, as run.json has it
 */
function casesOutput(run, comparison) {
  const verdicts = new Map(comparison?.cases.map((of) => [of.id, of]));
  const records = run.cases.map(({ id, summary }) => {
    const { verdict, metrics = [] } = verdicts.get(id) ?? {};
    const change = metrics.find(({ metric }) => metric === LEADING.id);
    return {
      id,
      throughput: summary?.throughput,
      p99Ms: summary?.latencyMs?.p99,
      verdict,
      effectPct: change?.effectPct,
      ciPct: change?.ciPct,
    };
  });
  while (JSON.stringify(records).length > LONGEST) records.pop();
  return JSON.stringify(records);
}
