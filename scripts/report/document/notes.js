/**
 * The notes below the tables: failures and how to reproduce them, and each warning once.
 * @import { Failure, RunCase, Warning } from '../../types.js'
 * @import { Block } from './blocks.js'
 * @import { Context } from './document.js'
 */

import { group, min, sort } from 'd3-array';
import { SKIPPED } from '../../store/skipped.js';
import { plain, sentence, strong } from '../text/inline.js';
import { code, COMMAND_WIDTH, fold, text } from './blocks.js';
import { tablesOf } from './table-rows.js';

/**
 * Leaves out messages that the comparison has, and logs that another case has.
 * @type {(context: Context) => Block[]}
 */
export function failureBlocks({ run, comparison, words: { notes }, nameOf }) {
  /** @type {Set<string>} */
  const logs = new Set();
  return run.cases.flatMap((runCase) =>
    failuresOf(runCase).flatMap(({ starts, kind, message, logHead = [], logTail = [], command }) => {
      const metrics = comparison?.cases.find(({ id }) => id === runCase.id)?.metrics ?? [];
      const isKnown = metrics.some(({ why }) => why.code === 'failed' && why.message === message);
      const all = runCase.trials.length;
      const often = all > 1 ? ` (${notes.often(starts, all)})` : '';
      const name = nameOf(runCase.id);
      const log = JSON.stringify([logHead, logTail]);
      const isNew = !logs.has(log);
      logs.add(log);
      const details = [
        ...(isNew && logHead.length > 0 ? [code(logHead), text(notes.atTheEnd)] : []),
        ...(isNew && logTail.length > 0 ? [code(logTail)] : []),
        ...(command === undefined ? [] : [text(notes.reproduce), code([command], COMMAND_WIDTH)]),
      ];
      return [
        text(`${strong(name)}: ${plain(kind)}${often}${isKnown ? '' : `: ${plain(message)}`}`),
        ...(details.length > 0 ? [fold(notes.printed(name, plain(kind)), details)] : []),
      ];
    }),
  );
}

/** Its failures, one a kind. @type {(runCase: RunCase) => (Failure & { starts: number })[]} */
export function failuresOf({ trials }) {
  const all = trials.flatMap(({ failure }) => failure ?? []);
  return [...group(all, ({ kind }) => kind).values()].map((alike) => ({
    .../** @type {Failure} */ (alike[0]),
    starts: alike.length,
  }));
}

/**
 * Each warning but the headline's; one of cases has a number, which their rows bear. marks: by case id.
 * @type {(context: Context) => { marks: Map<string, string>, texts: string[] }}
 */
export function footnotesOf({ run, comparison, words, nameOf }) {
  const { unfinished, warnings: own = [] } = run;
  const measured = run.cases.flatMap(({ trials }) => trials).length;
  // A warning that it was cancelled says as much.
  const isOpen = unfinished && own.every(({ code }) => code !== 'cancelled');
  /** @type {Warning[]} */
  const progress = isOpen ? [{ code: 'unfinished', measured, planned: unfinished.planned }] : [];
  const warnings = [...progress, ...own, ...(comparison?.warnings ?? [])];
  /** @type {Map<string, Set<string>>} */
  const cases = new Map();
  const has = (/** @type {string} */ code) => warnings.some((warning) => warning.code === code);
  // The run names the programs that disturbed its cases, and says that it was cancelled.
  const known = [
    SKIPPED,
    ...(has('machine-shared') ? ['disturbed'] : []),
    ...(has('cancelled') ? ['base-unfinished', 'head-unfinished'] : []),
  ];
  for (const { case: id, ...warning } of warnings.filter(({ code }) => !known.includes(code))) {
    const message = sentence(words.warning(warning));
    cases.set(message, new Set([...(cases.get(message) ?? []), ...(id === undefined ? [] : [id])]));
  }
  const shown = new Set(run.cases.map(({ id }) => id));
  /** @type {Map<string, string>} */
  const marks = new Map();
  const rows = tablesOf(run, comparison, words).flatMap((layout) => layout.rows);
  const places = new Map(rows.map(({ runCase }, place) => [runCase.id, place]));
  let number = 0;
  const texts = sort(cases, ([, ids]) => min(ids, (id) => places.get(id)) ?? -1).map(([message, ids]) => {
    const marked = [...ids].filter((id) => shown.has(id));
    if (marked.length === 0) return [...ids].map((id) => `${nameOf(id)}: `).join('') + message;
    number += 1;
    const mark = String(number).replace(/\d/g, (digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)] ?? '');
    for (const id of marked) marks.set(id, [marks.get(id), mark].filter(Boolean).join(' '));
    return `${mark} ${message}`;
  });
  const { notes } = words;
  const single = comparison ? [] : rows;
  const isPartial = single.some(
    ({ toReference, toYardstick }) => toReference?.isPartial ?? toYardstick?.isPartial,
  );
  const tools = run.cases.flatMap(({ load, summary, counted }) =>
    summary?.meanPercentiles && !counted ? load.tool : [],
  );
  return {
    marks,
    texts: [
      ...(run.cases.some(({ summary }) => summary?.clientBound) ? [notes.clientBound] : []),
      ...(single.some(({ halfInterval }) => halfInterval !== undefined) ? [notes.interval] : []),
      ...(isPartial ? [notes.partialRatios] : []),
      ...Array.from(new Set(tools), (tool) => notes.meanPercentiles(plain(tool))),
      ...texts,
    ],
  };
}
