/**
 * What requests cost, of a run that counted without clocks: its title, and a row for each route.
 * @import { Run } from '../../types.js'
 * @import { Block, Document } from './blocks.js'
 * @import { Context } from './document.js'
 */

import { isUnsettled, levelOf } from '../../samples/case-figures.js';
import { COUNTS } from '../../samples/figures.js';
import { figureOf, headingOf } from '../text/change-words.js';
import { ifKnown } from '../text/format.js';
import { sentence } from '../text/inline.js';
import { column, names, table, text } from './blocks.js';
import { verdictOf } from './headline.js';

/** Parts of a report that clocks have nothing to do with. */
export const COUNTED_PARTS = ['changes', 'limits', 'figures', 'failures', 'notes'];

/** @param {Run} run */
export function isCounted({ cases }) {
  return cases.some(({ counted }) => counted);
}

/** @type {(context: Context) => Pick<Document, 'headline' | 'verdict' | 'isUnchanged' | 'isUntouched'>} */
export function countedHeadline(context) {
  const { run, comparison, words } = context;
  const changed = (comparison?.cases ?? []).filter(({ metrics }) =>
    metrics.some(({ verdict }) => verdict === 'regressed' || verdict === 'improved'),
  );
  const headline = comparison ? words.counts.title(changed.length, run.cases.length) : words.counts.alone;
  return { headline, verdict: verdictOf(context), isUnchanged: false, isUntouched: false };
}

/** @type {(context: Context) => Block[]} */
export function countedTable({ run, base, words, nameOf }) {
  const all = [run, base].flatMap((side) => side?.cases ?? []);
  const unsettled = new Set(all.filter(isUnsettled).map(({ id }) => nameOf(id)));
  return [
    table([
      names(run.cases, words.columns.server, ({ id }) => nameOf(id)),
      ...COUNTS.map((row) =>
        column(run.cases, headingOf(row, words), (measured) => {
          const before = base?.cases.find(({ id }) => id === measured.id);
          const levels = [before, measured].map((side) => side && levelOf(side, row.id)?.value);
          const texts = levels.map((value) => ifKnown(value, (known) => figureOf(row.unit, known, words)));
          return [...new Set(texts)].filter(Boolean).join(' → ');
        }),
      ),
    ]),
    ...(unsettled.size > 0 ? [text(words.counts.unsettled([...unsettled]))] : []),
  ];
}

/** Without those about clocks. @type {(context: Context) => Block[]} */
export function countedNotes({ run, words }) {
  return (run.warnings ?? []).map((warning) => text(sentence(words.warning(warning))));
}
