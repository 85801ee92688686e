/**
 * The verdict in words.
 * @import { CaseComparison, Comparison, Run } from '../../types.js'
 * @import { Words } from '../text/words.js'
 */

import { isSkipped, SKIPPED } from '../../store/skipped.js';
import { decides } from '../../samples/figures.js';
import { isOfTime, labelOf } from '../text/change.js';
import { plain, sentence } from '../text/inline.js';
import { nameOf } from '../text/names.js';

/** More names than this are counted. */
const NAMES = 3;

/** @param {Run} run @param {Comparison | undefined} comparison @param {Words} words @returns {string} */
export function headline(run, comparison, words) {
  const told = wholeHeadline(run, comparison, words);
  const lost = run.warnings?.find(({ code }) => code === 'shards-missing');
  return lost ? words.headline.incomplete(told, lost) : told;
}

/** @param {Run} run @param {Comparison | undefined} comparison @param {Words} words @returns {string} */
function wholeHeadline(run, comparison, words) {
  const { headline: told } = words;
  if (isSkipped(run)) return told.skipped(skippedWhy(run, words));
  if (!comparison) return told.measured(run.title && plain(run.title, 120));
  const { verdict, cases, against } = comparison;
  const compared = cases.filter(({ only }) => !only);
  if (against === 'self' && verdict !== 'failed') return floorHeadline(run, compared, words);
  if (verdict === 'same' && compared.length === 0) return told.uncompared(listed(run, cases, words));
  if (verdict === 'same') return told.same(marginOf(compared));
  const changes = (/** @type {'regressed' | 'improved'} */ of) =>
    changed(run, compared, { verdict: of, words });
  if (verdict === 'improved') return told.improved(changes('improved'));
  if (verdict === 'regressed') return told.regressed(changes('regressed'));
  const names = listed(
    run,
    cases.filter((of) => of.verdict === verdict && (verdict === 'failed' || !of.only)),
    words,
  );
  return verdict === 'failed' ? told.failed(names, changes('regressed')) : told.unsure(names);
}

/**
 * @param {CaseComparison[]} cases
 * @returns {number | undefined} in percent, the widest margin of what decided
 */
function marginOf(cases) {
  const margins = cases.flatMap(({ metrics }) =>
    metrics.filter(decides).map(({ marginPct = 0 }) => marginPct),
  );
  return margins.length > 0 ? Math.max(...margins) : undefined;
}

/** @param {Run} run @param {Words} words @returns {string} */
function skippedWhy({ warnings = [] }, words) {
  const warning = warnings.find(({ code }) => code === SKIPPED) ?? { code: '' };
  return sentence(words.warning(warning));
}

/**
 * A server against itself: nothing can have changed, only the noise is in question.
 * @param {Run} run
 * @param {CaseComparison[]} cases
 * @param {Words} words
 */
function floorHeadline(run, cases, words) {
  const { headline: told } = words;
  const apart = cases.filter(({ verdict }) => verdict === 'regressed' || verdict === 'improved');
  if (apart.length > 0) return told.falseAlarm(listed(run, apart, words));
  const wide = cases.filter(({ verdict }) => verdict === 'unsure');
  return wide.length > 0 ? told.aboveMargin(listed(run, wide, words)) : told.belowMargin;
}

/**
 * @param {Run} run
 * @param {CaseComparison[]} cases
 * @param {{ verdict: 'regressed' | 'improved', words: Words }} of
 * @returns {string} empty where nothing has this verdict
 */
function changed(run, cases, { verdict, words }) {
  const { headline: told } = words;
  const alike = cases.filter((of) => of.verdict === verdict);
  const ofSpeed = alike.filter((of) => changesOf(of, verdict).some(isOfTime));
  const others = alike.filter((of) => !ofSpeed.includes(of));
  const labels = new Set(
    others.flatMap((of) => changesOf(of, verdict)).map((change) => words.within(labelOf(change, words))),
  );
  const [speed, quality] = verdict === 'regressed' ? [told.slower, told.worse] : [told.faster, told.better];
  return [
    ofSpeed.length > 0 && `${speed}: ${listed(run, ofSpeed, words)}`,
    others.length > 0 &&
      `${quality}: ${listed(run, others, words)}${labels.size > 0 ? ` (${words.list([...labels])})` : ''}`,
  ]
    .filter(Boolean)
    .join('; ');
}

/** @param {CaseComparison} of @param {string} verdict */
function changesOf({ metrics }, verdict) {
  return metrics.filter((change) => change.verdict === verdict);
}

/** @param {Run} run @param {CaseComparison[]} cases @param {Words} words */
function listed(run, cases, words) {
  if (cases.length > NAMES) return words.headline.cases(cases.length);
  return words.list(cases.map(({ id }) => nameOf(run, id, words)));
}
