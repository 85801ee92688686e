/**
 * What requests cost without a clock: what changed, in sentences, and a row for each route.
 * @import { Comparison, MetricComparison, Run, RunCase } from '../../types.js'
 * @import { Answer } from './blocks.js'
 */

import { levelOf } from '../../samples/case-figures.js';
import { COUNTS } from '../../samples/figures.js';
import { figureOf, figuresText, headingOf, labelOf } from '../text/change-words.js';
import { ifKnown } from '../text/format.js';
import { plain, sentence, strong } from '../text/inline.js';
import { caseNames } from '../text/names.js';
import { wordsIn } from '../text/words.js';
import { column, list, names, table, text } from './blocks.js';

/**
 * comparison: of counts alone.
 * @type {(results: { run: Run, base?: Run, comparison?: Comparison }) => Answer}
 */
export function countsAnswer({ run, base, comparison }) {
  const words = wordsIn(run.language);
  const { counts } = words;
  const nameOf = caseNames({ run, base }, words);
  const changed = (comparison?.cases ?? []).flatMap(({ id, metrics }) =>
    metrics.flatMap((change) => (isChanged(change) ? { id, change } : [])),
  );
  const valueIn = (
    /** @type {Run | undefined} */ side,
    /** @type {string} */ id,
    /** @type {string} */ figure,
  ) => {
    const of = side?.cases.find((each) => each.id === id);
    return of && levelOf(of, figure)?.value;
  };
  const failures = run.cases.flatMap(({ id, trials }) =>
    trials.flatMap(({ failure }) => (failure ? `${strong(nameOf(id))}: ${plain(failure.message)}` : [])),
  );
  const all = [run, base].flatMap((side) => side?.cases ?? []);
  const unsettled = new Set(all.filter(isUnsettled).map(({ id }) => nameOf(id)));
  return {
    language: words.language,
    title: comparison
      ? counts.title(new Set(changed.map(({ id }) => id)).size, run.cases.length)
      : counts.alone,
    blocks: [
      ...list([
        ...changed.map(({ id, change }) => ({
          text: `${strong(nameOf(id))}: ${labelOf(change, words)} ${figuresText(change, comparison ?? { method: 'side-by-side' }, words)}`,
          verdict: change.verdict,
        })),
        ...new Set(failures),
        ...(run.warnings ?? []).map((warning) => sentence(words.warning(warning))),
      ]),
      table([
        names(run.cases, words.columns.server, ({ id }) => nameOf(id)),
        ...COUNTS.map((row) =>
          column(run.cases, headingOf(row, words), ({ id }) => {
            const sides = [valueIn(base, id, row.id), valueIn(run, id, row.id)];
            const texts = sides.map((value) => ifKnown(value, (known) => figureOf(row.unit, known, words)));
            return [...new Set(texts)].filter(Boolean).join(' → ');
          }),
        ),
      ]),
      ...(unsettled.size > 0 ? [text(counts.unsettled([...unsettled]))] : []),
    ],
  };
}

/** @param {MetricComparison} change */
function isChanged({ verdict }) {
  return verdict === 'regressed' || verdict === 'improved';
}

/** Whether the observer in it works, but its bytes did not settle in a start. @param {RunCase} measured */
function isUnsettled({ trials }) {
  const windows = trials.flatMap((trial) => trial.windows);
  return windows.some(({ outgoing, allocatedBytes }) => outgoing && allocatedBytes === undefined);
}
