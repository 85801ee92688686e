/**
 * What requests cost, of a run that counted without clocks: its title, and a row for each route.
 * @import { MetricComparison, Run, RunCase } from '../../types.js'
 * @import { Block } from './blocks.js'
 * @import { Context } from './document.js'
 */

import { levelOf, startsOf } from '../../samples/case-figures.js';
import { COUNTS, metric } from '../../samples/figures.js';
import { figureOf, headingOf } from '../text/change-words.js';
import { ifKnown } from '../text/format.js';
import { column, names, table, text } from './blocks.js';

/** Parts of a report that clocks have nothing to do with. */
export const COUNTED_PARTS = ['changes', 'limits', 'figures', 'failures', 'notes'];

/** Which routes a sentence below the table names. */
const LEFT_OUT = {
  unsettled: (/** @type {RunCase} */ { trials }) => trials.some(({ unsettled }) => unsettled),
  uncounted: (/** @type {RunCase} */ measured) =>
    startsOf(measured).length > 0 && !levelOf(measured, 'allocated') && !LEFT_OUT.unsettled(measured),
  inexact: (/** @type {RunCase} */ measured) =>
    startsOf(measured).some((trial) => COUNTS.some(({ judged }) => Number(judged.idle?.(trial)) > 0)),
};

/** @param {Run} run */
export function isCounted({ cases }) {
  return cases.some(({ counted }) => counted);
}

/** @type {(context: Context) => string} */
export function countedTitle({ run, comparison, words }) {
  const isChange = (/** @type {MetricComparison} */ { metric: id, verdict }) =>
    metric(id)?.judged.role === 'count' && (verdict === 'regressed' || verdict === 'improved');
  const changed = comparison?.cases.filter(({ metrics }) => metrics.some(isChange));
  return changed ? words.counts.title(changed.length, run.cases.length) : words.counts.alone;
}

/** marks: of footnotes, by case. @type {(context: Context, marks: Map<string, string>) => Block[]} */
export function countedTable({ run, base, words, nameOf }, marks) {
  const all = [run, base].flatMap((side) => side?.cases ?? []);
  const named = (/** @type {RunCase} */ { id }) => [nameOf(id), marks.get(id)].filter(Boolean).join(' ');
  return [
    table([
      names(run.cases, words.columns.server, named),
      ...COUNTS.map((row) =>
        column(run.cases, headingOf(row, words), (measured) => {
          const before = base?.cases.find(({ id }) => id === measured.id);
          const levels = [before, measured].map((side) => side && levelOf(side, row.id)?.value);
          const texts = levels.map((value) => ifKnown(value, (known) => figureOf(row.unit, known, words)));
          return [...new Set(texts)].filter(Boolean).join(' → ');
        }),
      ),
    ]),
    ...Object.entries(LEFT_OUT).flatMap(([key, isMeant]) => {
      const routes = new Set(all.filter(isMeant).map(({ id }) => nameOf(id)));
      const say = words.counts.leftOut[/** @type {keyof typeof LEFT_OUT} */ (key)];
      return routes.size > 0 ? [text(say([...routes].join(', ')))] : [];
    }),
  ];
}
