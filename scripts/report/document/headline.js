/**
 * The verdict of the whole, as a sign and in words.
 * @import { CaseComparison, LimitResult, Verdict } from '../../types.js'
 * @import { Context } from './document.js'
 */

import { max } from 'd3-array';
import { defined } from '../../model/defined.js';
import { decides } from '../../samples/figures.js';
import { LOST } from '../../store/merge.js';
import { isSkipped, SKIPPED } from '../../store/skipped.js';
import { answerText, isOfTime, labelOf } from '../text/change.js';
import { plain, sentence } from '../text/inline.js';
import { answerOf } from './insights.js';

/** More names than this are counted. */
const NAMES = 3;

/** @param {Context} context @returns {{ headline: string, verdict?: Verdict, isUnchanged: boolean }} isUnchanged: a head is the same as its base */
export function headline(context) {
  const { run, words } = context;
  const judged = withLimits(withAnswers(wholeHeadline(context), context), context);
  const text = withMachine(asksForLess(context) ? words.headline.asksForLess(judged) : judged, context);
  const lost = run.warnings?.find(({ code }) => LOST.includes(code));
  const whole = sentence(lost ? words.headline.incomplete(text, lost) : text);
  const verdict = isSkipped(run) ? undefined : signOf(context);
  const isUnchanged = verdict === 'same' && context.comparison?.against !== 'self';
  return defined({ headline: whole, verdict, isUnchanged });
}

/** @param {Pick<Context, 'run'>} context @returns {boolean} whether the head's perf.yml asks for less than the base's */
function asksForLess({ run: { warnings = [] } }) {
  return warnings.some(({ code }) => code === 'looser-than-base');
}

/** @param {Context} context @returns {Verdict | undefined} the comparison's, unless a limit, an answer or a false alarm counts for more */
function signOf({ run, comparison }) {
  const { limits = [] } = run;
  const { verdict, against, cases = [] } = comparison ?? {};
  const isFalseAlarm = against === 'self' && verdict === 'improved';
  if (isFalseAlarm || limits.some((limit) => limit.verdict === 'fails')) return 'regressed';
  const isFine = verdict === 'same' || verdict === 'improved';
  return isFine && (asksForLess({ run }) || cases.some(({ answer }) => answer)) ? 'unsure' : verdict;
}

/** @param {string} text the headline without limits @param {Context} context */
function withLimits(text, context) {
  const { run, comparison, words } = context;
  const { limits = [] } = run;
  const named = (/** @type {LimitResult['verdict']} */ verdict) => {
    const cases = limits.filter((limit) => limit.verdict === verdict).map((limit) => ({ id: limit.case }));
    return namesOf(cases, context);
  };
  const [beyond, unsure] = [named('fails'), named('unsure')];
  const rest = comparison ? text : '';
  if (beyond) return words.headline.beyondLimit(beyond, rest);
  if (unsure) return words.headline.unsureLimit(unsure, rest);
  return comparison || limits.length === 0 ? text : words.headline.withinLimits;
}

/** @param {string} text the headline of the worst machine @param {Context} context @returns {string} which one that is, unless all agree */
function withMachine(text, { comparison, words }) {
  const [worst, ...others] = comparison?.machines ?? [];
  if (!worst || others.every(({ verdict }) => verdict === worst.verdict)) return text;
  return words.headline.onMachine(text, plain(worst.machine));
}

/** @param {string} text the headline without answers that changed @param {Context} context */
function withAnswers(text, context) {
  const { comparison, words } = context;
  const changed = comparison?.cases.filter(({ answer }) => answer) ?? [];
  const [first] = changed;
  if (!first?.answer) return text;
  const what = changed.length > 1 ? words.headline.answersChanged : answerText(first.answer, words);
  return words.headline.answer(text, what, comparison?.cases.length === 1 ? '' : namesOf(changed, context));
}

/** @param {Context} context @returns {string} */
function wholeHeadline(context) {
  const { run, comparison, words } = context;
  const { headline: phrases } = words;
  if (isSkipped(run)) {
    const warning = run.warnings?.find(({ code }) => code === SKIPPED);
    return phrases.skipped(warning ? sentence(words.warning(warning)) : '');
  }
  if (!comparison) {
    if (!run.cases.some(({ summary }) => summary)) return phrases.nothing;
    return answerOf(run, words) ?? phrases.measured(run.title && plain(run.title, 120));
  }
  const { verdict, cases, against } = comparison;
  const compared = cases.filter(({ only }) => !only);
  const named = (/** @type {CaseComparison[]} */ those) => namesOf(those, context);
  const having = (/** @type {CaseComparison[]} */ those) =>
    named(those.filter((judged) => judged.verdict === verdict));
  if (against === 'self' && verdict !== 'failed') return floorHeadline(compared, context);
  switch (verdict) {
    case 'same': {
      if (compared.length === 0) return phrases.uncompared(named(cases));
      const deciding = compared.flatMap(({ metrics }) => metrics.filter(decides));
      return phrases.same(max(deciding, ({ marginPct }) => marginPct));
    }
    case 'improved':
      return phrases.improved(changed(compared, verdict, context));
    case 'regressed':
      return phrases.regressed(changed(compared, verdict, context));
    case 'failed':
      return phrases.failed(having(cases), changed(compared, 'regressed', context));
    default:
      return phrases.unsure(having(compared));
  }
}

/** A server against itself: nothing can have changed. @param {CaseComparison[]} cases @param {Context} context */
function floorHeadline(cases, context) {
  const { headline: phrases } = context.words;
  const apart = cases.filter(({ verdict }) => verdict === 'regressed' || verdict === 'improved');
  if (apart.length > 0) return phrases.falseAlarm(namesOf(apart, context));
  const wide = cases.filter(({ verdict }) => verdict === 'unsure');
  return wide.length > 0 ? phrases.aboveMargin(namesOf(wide, context)) : phrases.belowMargin;
}

/**
 * @param {CaseComparison[]} cases @param {'regressed' | 'improved'} verdict @param {Context} context
 * @returns {string} empty where nothing has this verdict
 */
function changed(cases, verdict, context) {
  const { words } = context;
  const { slower, faster, worse, better } = words.headline;
  const changesOf = (/** @type {CaseComparison} */ { metrics }) =>
    metrics.filter((change) => change.verdict === verdict);
  const alike = cases.filter((compared) => compared.verdict === verdict);
  const ofSpeed = alike.filter((compared) => changesOf(compared).some(isOfTime));
  const others = alike.filter((compared) => !ofSpeed.includes(compared));
  const labels = others.flatMap(changesOf).map((change) => words.within(labelOf(change, words)));
  const [speed, quality] = verdict === 'regressed' ? [slower, worse] : [faster, better];
  const which = labels.length > 0 ? ` (${words.list([...new Set(labels)])})` : '';
  return [
    ofSpeed.length > 0 && `${speed}: ${namesOf(ofSpeed, context)}`,
    others.length > 0 && `${quality}: ${namesOf(others, context)}${which}`,
  ]
    .filter(Boolean)
    .join('; ');
}

/** @param {{ id: string }[]} cases @param {Context} context @returns {string} their names, or how many they are */
function namesOf(cases, { words, nameOf }) {
  const names = [...new Set(cases.map(({ id }) => nameOf(id)))];
  return names.length > NAMES ? words.headline.cases(names.length) : words.list(names);
}
