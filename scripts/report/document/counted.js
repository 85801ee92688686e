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
  const isUnsettled = (/** @type {RunCase} */ { trials }) => trials.some(({ unsettled }) => unsettled);
  const isUncounted = (/** @type {RunCase} */ measured) =>
    startsOf(measured).length > 0 && !levelOf(measured, 'allocated') && !isUnsettled(measured);
  const isBusy = (/** @type {RunCase} */ measured) =>
    startsOf(measured).some((trial) => COUNTS.some(({ judged }) => Number(judged.idle?.(trial)) > 0));
  /** @type {(say: (routes: string[]) => string, isMeant: (measured: RunCase) => boolean) => Block[]} */
  const naming = (say, isMeant) => {
    const routes = new Set(all.filter(isMeant).map(({ id }) => nameOf(id)));
    return routes.size > 0 ? [text(say([...routes]))] : [];
  };
  return [
    table([
      names(run.cases, words.columns.server, ({ id }) =>
        [nameOf(id), marks.get(id)].filter(Boolean).join(' '),
      ),
      ...COUNTS.map((row) =>
        column(run.cases, headingOf(row, words), (measured) => {
          const before = base?.cases.find(({ id }) => id === measured.id);
          const levels = [before, measured].map((side) => side && levelOf(side, row.id)?.value);
          const texts = levels.map((value) => ifKnown(value, (known) => figureOf(row.unit, known, words)));
          return [...new Set(texts)].filter(Boolean).join(' → ');
        }),
      ),
    ]),
    ...naming(words.counts.unsettled, isUnsettled),
    ...naming(words.counts.uncounted, isUncounted),
    ...naming(words.counts.idle, isBusy),
  ];
}
