/**
 * What stands below the tables: each warning once.
 * @import { Comparison, Run, Warning } from '../../types.js'
 * @import { Words } from '../text/words.js'
 */

import { SKIPPED } from '../../store/skipped.js';
import { plain, sentence } from '../text/inline.js';

/**
 * Each warning once but the one that the headline tells; one that belongs to cases has a number, which their rows bear.
 * @param {Run} run
 * @param {Comparison | undefined} comparison
 * @param {Words} words
 * @returns {{ marks: Map<string, string>, texts: string[] }} marks: by case id
 */
export function footnotesOf(run, comparison, words) {
  const warnings = [...progressOf(run), ...(run.warnings ?? []), ...(comparison?.warnings ?? [])].filter(
    ({ code }) => code !== SKIPPED,
  );
  /** @type {Map<string, Set<string>>} */
  const places = new Map();
  for (const { case: of, ...warning } of warnings) {
    const message = sentence(words.warning(warning));
    const cases = places.get(message) ?? new Set();
    places.set(message, of === undefined ? cases : cases.add(of));
  }
  const shown = new Set(run.cases.map(({ id }) => id));
  /** @type {Map<string, string>} */
  const marks = new Map();
  let number = 0;
  const texts = [...places].map(([message, cases]) => {
    const rows = [...cases].filter((id) => shown.has(id));
    if (rows.length === 0) return [...cases].map((id) => `${plain(id, 200)}: `).join('') + message;
    number += 1;
    for (const id of rows) marks.set(id, [marks.get(id), superscript(number)].filter(Boolean).join(' '));
    return `${superscript(number)} ${message}`;
  });
  const bound = run.cases.some(({ summary }) => summary?.clientBound);
  return {
    marks,
    texts: [...(bound ? [words.notes.clientBound] : []), ...meanPercentiles(run, words), ...texts],
  };
}

/** A run that was cancelled says so itself. @param {Run} run @returns {Warning[]} */
function progressOf({ unfinished, resumed, warnings = [], cases }) {
  const isCancelled = warnings.some(({ code }) => code === 'cancelled');
  const measured = cases.flatMap(({ trials }) => trials).length;
  return [
    ...(unfinished && !isCancelled ? [{ code: 'unfinished', measured, planned: unfinished.planned }] : []),
    ...(resumed ? [{ code: 'resumed', times: resumed }] : []),
  ];
}

/** @param {Run} run @param {Words} words */
function meanPercentiles({ cases }, { notes }) {
  const tools = new Set(cases.flatMap(({ load, summary }) => (summary?.meanPercentiles ? load.tool : [])));
  return [...tools].map((tool) => notes.meanPercentiles(plain(tool)));
}

/** @param {number} number */
function superscript(number) {
  return String(number).replace(/\d/g, (digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)] ?? '');
}
