/**
 * What a job's own page shows of a comparison: a line for each case, in words that need nothing around them.
 * @import { Comparison } from '../types.js'
 */

import { error, warning } from '@actions/core';

/**
 * A step may leave ten of each kind, and one more line tells the sum.
 * https://docs.github.com/en/rest/checks/runs
 */
const MOST = 9;

/** @typedef {{ title: string, message: string }} Line */

/**
 * @param {Comparison} comparison
 * @returns {Line[]} of cases that got worse; where none did, of those that nothing can be said of
 */
export function linesOf({ cases, warnings = [] }) {
  const worse = cases.filter(({ only, verdict }) => !only && ['regressed', 'failed'].includes(verdict));
  const open = cases.filter(({ only, verdict }) => !only && verdict === 'unsure');
  const closed = warnings.filter(({ code }) => code === 'gate-closed');
  const told = closed.map(({ case: of = '', message }) => ({ title: of, message: `${of}: ${message}` }));
  const chosen = worse.length > 0 || told.length > 0 ? worse : open;
  return [
    ...chosen.map(({ id, verdict, metrics }) => {
      const whys = metrics.filter((metric) => metric.verdict === verdict).map(({ why }) => why);
      return { title: `${verdict}: ${id}`, message: `${id}: ${[verdict, ...whys].join('; ')}` };
    }),
    ...told,
  ];
}

/**
 * The toolkit escapes what would end a line or begin another command.
 * @param {Line[]} lines
 * @param {'error' | 'warning'} level
 */
export function annotate(lines, level) {
  const say = level === 'error' ? error : warning;
  for (const { title, message } of lines.slice(0, MOST)) say(message, { title: `perf-action: ${title}` });
  if (lines.length > MOST)
    say(`and ${lines.length - MOST} more; the report has them all`, { title: 'perf-action' });
}
