/**
 * A badge's figures, as https://shields.io/badges/endpoint-badge reads them, in English.
 * @import { Comparison, Run, Verdict } from '../types.js'
 */

import { LOST } from '../store/merge.js';
import { isSkipped } from '../store/skipped.js';
import { en } from './text/en.js';

/** @typedef {{ schemaVersion: 1, label: string, message: string, color: string }} Badge */

/** @type {Record<Verdict, string>} */
const COLORS = {
  regressed: 'red',
  improved: 'brightgreen',
  same: 'green',
  unsure: 'yellow',
  failed: 'lightgrey',
};

/**
 * @param {Run} run @param {Comparison} [comparison]
 * @returns {Badge} the verdict; without one, what the first server does, or that nothing was to be measured
 */
export function renderBadge(run, comparison) {
  /** @param {string} message @param {string} color @returns {Badge} */
  const badge = (message, color) => ({ schemaVersion: 1, label: 'performance', message, color });
  if (isSkipped(run)) return badge('skipped', 'lightgrey');
  const isLost = run.warnings?.some(({ code }) => LOST.includes(code));
  const verdict = comparison?.verdict;
  if (run.limits?.some((limit) => limit.verdict === 'fails'))
    return badge('beyond a limit', COLORS.regressed);
  if (isLost && (verdict === 'same' || verdict === 'improved')) return badge('incomplete', COLORS.unsure);
  if (verdict) return badge(en.speeds[verdict], COLORS[verdict]);
  const measured = run.cases.filter(({ summary }) => summary);
  const { summary } = measured.find(({ reference }) => !reference) ?? measured[0] ?? {};
  if (!summary) return badge(en.speeds.failed, COLORS.failed);
  return badge(`${en.rate(summary.throughput)} req/s`, 'blue');
}
