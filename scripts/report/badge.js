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
  const { cases } = run;
  const { badge: words, speeds } = wordsIn(language);
  const badge = { schemaVersion: /** @type {const} */ (1), label: words.label };
  const ofVerdict = (/** @type {Verdict} */ verdict) => ({
    ...badge,
    message: speeds[verdict],
    color: COLORS[verdict],
  });
  if (isSkipped(run)) return { ...badge, message: words.skipped, color: 'lightgrey' };
  const isLost = run.warnings?.some(({ code }) => code === 'shards-missing');
  const isGood = comparison?.verdict === 'same' || comparison?.verdict === 'improved';
  if (isLost && isGood) return { ...badge, message: words.incomplete, color: COLORS.unsure };
  if (comparison) return ofVerdict(comparison.verdict);
  const measured = cases.filter(({ summary }) => summary);
  const [first] = [...measured.filter(({ reference }) => !reference), ...measured];
  if (!first?.summary) return ofVerdict('failed');
  return { ...badge, message: words.rate(first.summary.throughput), color: 'blue' };
}
