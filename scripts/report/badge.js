/**
 * A badge's figures, as https://shields.io/badges/endpoint-badge reads them.
 * @import { Comparison, Run, Verdict } from '../types.js'
 */

import { isSkipped } from '../store/skipped.js';
import { rate } from './format.js';

/** @typedef {{ schemaVersion: 1, label: string, message: string, color: string }} Badge */

/** @type {Record<Verdict, { message: string, color: string }>} */
const OF_VERDICT = {
  regressed: { message: 'slower', color: 'red' },
  improved: { message: 'faster', color: 'brightgreen' },
  same: { message: 'no change', color: 'green' },
  unsure: { message: 'unsure', color: 'yellow' },
  failed: { message: 'failed', color: 'lightgrey' },
};

/**
 * @param {Run} run
 * @param {Comparison} [comparison]
 * @returns {Badge} the verdict; without one, what the first server does, or that nothing was to be measured
 */
export function renderBadge(run, comparison) {
  const { cases } = run;
  const badge = { schemaVersion: /** @type {const} */ (1), label: 'performance' };
  if (isSkipped(run)) return { ...badge, message: 'skipped', color: 'lightgrey' };
  if (comparison) return { ...badge, ...OF_VERDICT[comparison.verdict] };
  const measured = cases.filter(({ summary }) => summary);
  const [first] = [...measured.filter(({ reference }) => !reference), ...measured];
  if (!first?.summary) return { ...badge, ...OF_VERDICT.failed };
  return { ...badge, message: `${rate(first.summary.throughput)} req/s`, color: 'blue' };
}
