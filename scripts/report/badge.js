/**
 * A badge's figures, as https://shields.io/badges/endpoint-badge reads them.
 * @import { Comparison, Run, Verdict } from '../types.js'
 */

import { isSkipped } from '../store/skipped.js';
import { wordsIn } from './text/words.js';

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
 * @param {Run} run @param {Comparison} [comparison] @param {string} [language]
 * @returns {Badge} the verdict; without one, what the first server does, or that nothing was to be measured
 */
export function renderBadge(run, comparison, language) {
  const { badge: words, speeds } = wordsIn(language);
  /** @param {string} message @param {string} color @returns {Badge} */
  const badge = (message, color) => ({ schemaVersion: 1, label: words.label, message, color });
  if (isSkipped(run)) return badge(words.skipped, 'lightgrey');
  const isLost = run.warnings?.some(({ code }) => code === 'shards-missing');
  const verdict = comparison?.verdict;
  if (run.limits?.some((limit) => limit.verdict === 'fails')) return badge(words.beyond, COLORS.regressed);
  if (isLost && (verdict === 'same' || verdict === 'improved')) return badge(words.incomplete, COLORS.unsure);
  if (verdict) return badge(speeds[verdict], COLORS[verdict]);
  const measured = run.cases.filter(({ summary }) => summary);
  const { summary } = measured.find(({ reference }) => !reference) ?? measured[0] ?? {};
  return summary ? badge(words.rate(summary.throughput), 'blue') : badge(speeds.failed, COLORS.failed);
}
