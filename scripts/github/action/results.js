/**
 * The outputs of the step that measures. @import { Comparison, Run } from '../../types.js'
 * @import { Outputs } from './outputs.js'
 */

import { join } from 'node:path';
import { LEADING } from '../../samples/figures.js';
import { renderBadge } from '../../report/badge.js';
import { writeText } from '../../store/json-file.js';

/** A later step gets an output as an environment variable, which holds 128 KiB at most. */
const LONGEST = 60_000;

/**
 * Writes the badge beside the results.
 * @param {string} dir absolute
 * @param {{ code?: number, run?: Run, comparison?: Comparison, commit?: string | undefined }} outcome of a run or a search
 * @returns {Promise<Outputs<'run'>>}
 */
export async function publish(dir, { code, run, comparison, commit }) {
  const badge = join(dir, 'badge.json');
  if (run) await writeText(badge, `${JSON.stringify(renderBadge(run, comparison))}\n`);
  return {
    code: code?.toString(),
    'results-path': dir,
    'report-path': run && join(dir, 'report.md'),
    'badge-path': run && badge,
    cases: run && casesOutput(run, comparison),
    verdict: comparison?.verdict,
    commit,
  };
}

/** @param {Run} run @param {Comparison} [comparison] @returns {string} JSON: a record per case; the last are dropped where they do not fit */
function casesOutput({ cases }, comparison) {
  const records = cases.map(({ id, summary }) => {
    const compared = comparison?.cases.find((candidate) => candidate.id === id);
    const change = compared?.metrics.find(({ metric }) => metric === LEADING.id);
    return {
      id,
      throughput: summary?.throughput,
      p99Ms: summary?.latencyMs?.p99,
      verdict: compared?.verdict,
      effectPct: change?.effectPct,
      ciPct: change?.ciPct,
    };
  });
  while (JSON.stringify(records).length > LONGEST) records.pop();
  return JSON.stringify(records);
}
