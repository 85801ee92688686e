/**
 * The outputs of the step that measures. @import { Comparison, Run } from '../../types.js'
 * @import { Outputs } from './outputs.js'
 */

import { join } from 'node:path';
import { LEADING } from '../../samples/figures.js';

/** A later step gets an output as an environment variable, which holds 128 KiB at most. */
const LONGEST = 60_000;

/**
 * @param {string} dir absolute
 * @param {{ code?: number, run?: Run, comparison?: Comparison }} outcome of a run
 * @returns {Outputs<'run'>}
 */
export function publish(dir, { code, run, comparison }) {
  return {
    code: code?.toString(),
    'results-path': dir,
    'report-path': run && join(dir, 'report.md'),
    cases: run && casesOutput(run, comparison),
    verdict: comparison?.verdict,
  };
}

/** JSON with a record per case, the first that fit. @type {(run: Run, comparison?: Comparison) => string} */
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
