/**
 * What stands below the tables: footnotes, and what could not be measured.
 * @import { Comparison, Failure, Run, RunCase, Warning } from '../../types.js'
 * @import { Words } from '../text/words.js'
 */

import { isSkipped, SKIPPED } from '../../store/skipped.js';
import { entities, escaped, fenced, logLines, unescaped } from '../render/escape.js';
import { nameOf } from './table-rows.js';

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
    const message = words.warning(warning);
    const cases = places.get(message) ?? new Set();
    places.set(message, of === undefined ? cases : cases.add(of));
  }
  const shown = new Set(run.cases.map(({ id }) => id));
  /** @type {Map<string, string>} */
  const marks = new Map();
  let number = 0;
  const texts = [...places].map(([message, cases]) => {
    const rows = [...cases].filter((id) => shown.has(id));
    if (rows.length === 0) return escaped([...cases, message].join(': '));
    number += 1;
    for (const id of rows) marks.set(id, [marks.get(id), superscript(number)].filter(Boolean).join(' '));
    return `${superscript(number)} ${escaped(message)}`;
  });
  const bound = run.cases.some(({ summary }) => summary?.clientBound);
  return {
    marks,
    texts: [...(bound ? [words.notes.clientBound] : []), ...meanPercentiles(run, words), ...texts],
  };
}

/**
 * A run that was cancelled says so itself.
 * @param {Run} run
 * @returns {Warning[]}
 */
function progressOf({ unfinished, resumed, warnings = [], cases }) {
  const isCancelled = warnings.some(({ code }) => code === 'cancelled');
  const measured = cases.flatMap(({ trials }) => trials).length;
  return [
    ...(unfinished && !isCancelled ? [{ code: 'unfinished', measured, planned: unfinished.planned }] : []),
    ...(resumed ? [{ code: 'resumed', times: resumed }] : []),
  ];
}

/**
 * @param {Run} run
 * @param {Words} words
 */
function meanPercentiles({ cases }, { notes }) {
  const tools = new Set(cases.flatMap(({ load, summary }) => (summary?.meanPercentiles ? load.tool : [])));
  return [...tools].map((tool) => notes.meanPercentiles(escaped(tool)));
}

/**
 * @param {RunCase} of
 * @returns {(Failure & { boots: number })[]} its failures, one a kind
 */
export function failuresOf({ trials }) {
  const all = trials.flatMap(({ failure }) => failure ?? []);
  return [...new Set(all.map(({ kind }) => kind))].map((kind) => {
    const alike = all.filter((failure) => failure.kind === kind);
    return { .../** @type {Failure} */ (alike[0]), boots: alike.length };
  });
}

/**
 * @param {Run} run
 * @returns {boolean} whether a boot failed, or a case has none
 */
export function hasGaps({ cases }) {
  return cases.some(({ trials }) => trials.length === 0 || trials.some(({ failure }) => failure));
}

/**
 * A run with gaps has other needs than something to compare it with.
 * @param {Run} run
 * @param {{ comparison?: Comparison, baselineHint?: string }} options
 * @returns {string | undefined} how there is something to compare with the next time
 */
export function hintOf(run, { comparison, baselineHint }) {
  return comparison || isSkipped(run) || hasGaps(run) ? undefined : baselineHint;
}

/**
 * @param {Run} run
 * @param {Comparison | undefined} comparison
 * @param {Words} words
 * @returns {string[]} what could not be measured, what was printed and how to see it by hand folded
 */
export function renderFailures(run, comparison, words) {
  const { notes } = words;
  return failureLines(run, comparison, words).map(
    ({ text, name, failure: { kind, logHead = [], logTail = [], command } }) => {
      const parts = [
        ...(logHead.length > 0 ? [fenced(logHead), notes.atTheEnd] : []),
        ...(logTail.length > 0 ? [fenced(logTail)] : []),
        ...(command === undefined ? [] : [notes.byHand, fenced([command])]),
      ];
      if (parts.length === 0) return text;
      const summary = notes.printed(entities(name, 120), entities(kind));
      return [text, `<details><summary>${summary}</summary>`, ...parts, '</details>'].join('\n\n');
    },
  );
}

/**
 * @param {Run} run
 * @param {Comparison | undefined} comparison
 * @param {Words} words
 * @returns {string[]} the same as plain text, the log below it
 */
export function listFailures(run, comparison, words) {
  /** Both sides of a comparison fail alike. @type {Set<string>} */
  const shown = new Set();
  return failureLines(run, comparison, words).map(
    ({ text, failure: { logHead = [], logTail = [], command } }) => {
      const log = [...logLines(logHead), ...(logHead.length > 0 ? ['…'] : []), ...logLines(logTail)];
      const isNew = !shown.has(log.join('\n'));
      shown.add(log.join('\n'));
      return [
        unescaped(text),
        ...(isNew ? log.map((line) => `    ${line}`) : []),
        ...(command === undefined ? [] : logLines([`${words.notes.byHand} ${command}`])),
      ].join('\n');
    },
  );
}

/**
 * A message that the comparison tells already is not repeated.
 * @param {Run} run
 * @param {Comparison | undefined} comparison
 * @param {Words} words
 */
function failureLines(run, comparison, words) {
  return run.cases.flatMap((of) =>
    failuresOf(of).map(({ boots, ...failure }) => {
      const { kind, message } = failure;
      const compared = comparison?.cases.find(({ id }) => id === of.id)?.metrics ?? [];
      const isTold = compared.some(({ why }) => why.code === 'failed' && why.message === message);
      const often = of.trials.length > 1 ? ` (${words.notes.often(boots, of.trials.length)})` : '';
      const name = nameOf(run, of.id, words);
      return {
        text: `**${escaped(name, 200)}**: ${escaped(kind)}${often}${isTold ? '' : `: ${escaped(message)}`}`,
        name,
        failure,
      };
    }),
  );
}

/** @param {number} number */
function superscript(number) {
  return String(number).replace(/\d/g, (digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)] ?? '');
}
