/**
 * The verdict of the whole, as a sign and in words.
 * @import { CaseComparison, Comparison, LimitResult, MetricComparison, Verdict } from '../../types.js'
 * @import { Document } from './blocks.js'
 * @import { Context } from './document.js'
 */

import { greatest, groups, max } from 'd3-array';
import { decisiveChange, isQuietControl, worst, worstFirst } from '../../judge/case-verdict.js';
import { isOpenGate } from '../../judge/gate.js';
import { LOST } from '../../model/errors.js';
import { decides, metric } from '../../samples/figures.js';
import { isSkipped, SKIPPED } from '../../store/skipped.js';
import { answerText, isOfTime, labelOf, sizeText, whyText } from '../text/change-words.js';
import { firstOf } from '../text/format.js';
import { plain, sentence } from '../text/inline.js';
import { countedTitle, isCounted } from './counted.js';
import { answerOf } from './insights.js';

/** More names than this are counted. */
const NAMES = 3;
/** Of a verdict, and of limits that nothing else decides. @type {Record<string, string>} */
const SIGN = { regressed: '🔴', failed: '🔴', unsure: '🟡', improved: '🟢', same: '🟢', passes: '🟢' };
/** Nothing is claimed. */
const NO_SIGN = '⚪';

/** @type {(context: Context) => Pick<Document, 'headline' | 'verdict' | 'isUnchanged' | 'isUntouched'>} */
export function headline(context) {
  const { run, comparison, words } = context;
  const verdict = isSkipped(run) ? undefined : verdictOf(context);
  const open = openGatesIn(context);
  const counted = isCounted(run) ? countedTitle(context) : '';
  // Errors, or a server that hangs, need no clock.
  const isWorse = comparison?.verdict === 'regressed' || comparison?.verdict === 'failed';
  const timed = counted && !isWorse ? '' : wholeHeadline(context);
  const whole = counted && timed ? words.headline.first(timed, '', counted) : counted || timed;
  const gated = open ? words.headline.openGates(whole, open) : whole;
  const judged = withLimits(withAnswers(gated, context), context);
  const asked = asksForLess(context) ? `${judged}; ${words.headline.asksForLess}` : judged;
  const [machine, ...others] = comparison?.machines ?? [];
  const areApart = machine && others.some(({ verdict: other }) => other !== machine.verdict);
  const text = areApart ? words.headline.onMachine(asked, plain(machine.machine)) : asked;
  const lost = run.warnings?.find(({ code }) => LOST.includes(code));
  const [limit] = worstFirst(run.limits ?? []);
  const isSilent = isSkipped(run) || (comparison && !verdict);
  const sign = isSilent ? NO_SIGN : SIGN[verdict ?? limit?.verdict ?? ''];
  const isCut = lost && (isSilent || sign === SIGN.same);
  const signed = [isCut ? SIGN.unsure : sign, text].filter(Boolean).join(' ');
  const shown = sentence(lost ? words.headline.incomplete(signed, lost) : signed);
  const isTimed = comparison !== undefined && !isCounted(run);
  const isUnchanged = isTimed && (verdict ?? 'same') === 'same' && comparison.against !== 'self';
  const isUntouched = isUnchanged && !lost && limit?.verdict !== 'unsure' && touchesNone(comparison);
  return { headline: shown, verdict, isUnchanged, isUntouched };
}

/** Whether no route executes changed code. @param {Comparison | undefined} comparison */
const touchesNone = (comparison) => comparison?.touched?.routes.every(({ touched }) => !touched) === true;

/** Whether controls alone leave it unsure: no claim about time. @param {Comparison | undefined} comparison */
function isUnclaimed(comparison) {
  const isOpen = (/** @type {CaseComparison} */ each) => each.verdict === 'unsure' && !isQuietControl(each);
  return comparison?.verdict === 'unsure' && touchesNone(comparison) && !comparison.cases.some(isOpen);
}

/** Whether the head's perf.yml asks for less than the base's. @type {(context: Context) => boolean} */
function asksForLess({ run: { warnings = [] } }) {
  return warnings.some(({ code }) => code === 'looser-than-base');
}

/**
 * The comparison's, unless a limit, a gate, an answer, a trade or a false alarm counts for more. Without a
 * claim there is none.
 * @type {(context: Context) => Verdict | undefined}
 */
function verdictOf(context) {
  const { limits = [] } = context.run;
  const { verdict, against, cases = [], warnings = [] } = context.comparison ?? {};
  const isFalseAlarm = against === 'self' && verdict === 'improved';
  const isClosed = warnings.some(({ code }) => code === 'gate-closed');
  if (isFalseAlarm || isClosed || limits.some((limit) => limit.verdict === 'fails')) return 'regressed';
  const claimed = isUnclaimed(context.comparison) ? undefined : verdict;
  const isFine = verdict === 'same' || verdict === 'improved' || claimed !== verdict;
  const isMixed = uncountedIn(context, 'regressed') !== '' || openGatesIn(context) !== '';
  const told =
    isFine && (isMixed || asksForLess(context) || cases.some(({ answer }) => answer)) ? 'unsure' : claimed;
  const all = cases.flatMap(({ metrics }) => metrics.map((change) => change.verdict));
  return context.comparison && isCounted(context.run) ? worst([told ?? 'same', ...all]) : told;
}

/** Adds limits to a headline. @type {(text: string, context: Context) => string} */
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

/** Adds answers that changed to a headline. @type {(text: string, context: Context) => string} */
function withAnswers(text, context) {
  const { comparison, words } = context;
  const changed = comparison?.cases.filter(({ answer }) => answer) ?? [];
  const [first] = changed;
  if (!first?.answer) return text;
  const what = changed.length > 1 ? words.headline.answersChanged : answerText(first.answer, words);
  return words.headline.first(what, comparison?.cases.length === 1 ? '' : namesOf(changed, context), text);
}

/**
 * The figures whose gates are not decided, but for those that leave a whole case unsure.
 * @type {(context: Context) => string}
 */
function openGatesIn(context) {
  const { warnings = [], cases = [] } = context.comparison ?? {};
  const open = warnings.flatMap((warning) => {
    if (!isOpenGate(warning)) return [];
    const compared = cases.find(({ id }) => id === warning.case);
    return compared?.verdict === 'unsure' && compared.decisive === warning.metric ? [] : warning;
  });
  const texts = groups(open, ({ metric }) => metric).map(([, alike]) => {
    const named = alike.flatMap(({ case: id }) => (id === undefined ? [] : { id }));
    return withNames(labelIn(alike[0], context), named, context);
  });
  return context.words.list(texts);
}

/** @type {(context: Context) => string} */
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
  if (against === 'self' && verdict !== 'failed') {
    // A server does not change against itself.
    const apart = compared.filter((each) => each.verdict === 'regressed' || each.verdict === 'improved');
    if (apart.length > 0) return phrases.falseAlarm(named(apart));
    const wide = compared.filter((each) => each.verdict === 'unsure');
    return wide.length > 0 ? phrases.aboveMargin(named(wide)) : phrases.belowMargin;
  }
  const worse = uncountedIn(context, 'regressed');
  const better = uncountedIn(context, 'improved', 'count');
  const leading = (/** @type {string} */ what, /** @type {string} */ text) =>
    what ? phrases.first(what, '', text) : text;
  switch (verdict) {
    case 'same': {
      if (compared.length === 0) return phrases.uncompared(named(cases));
      const deciding = compared.flatMap(({ metrics }) => metrics.filter(decides));
      return phrases.but(phrases.same(max(deciding, ({ marginPct }) => marginPct)), worse || better);
    }
    case 'improved':
      return phrases.but(phrases.improved(changed(compared, verdict, context)), worse);
    case 'regressed':
      return phrases.but(phrases.regressed(changed(compared, verdict, context)), betterIn(compared, context));
    case 'failed':
      return leading(worse, phrases.failed(having(cases), changed(compared, 'regressed', context)));
    default: {
      if (isUnclaimed(comparison)) return leading(worse, phrases.untouched);
      const counted = compared.filter((each) => !isQuietControl(each));
      const open = counted.filter((each) => decisiveChange(each)?.why.code !== 'other-answer');
      return leading(worse || better, phrases.unsure(having(open), open.length < counted.length));
    }
  }
}

/**
 * What decided the cases that have the verdict, the largest first; empty where none has.
 * @type {(cases: CaseComparison[], verdict: 'regressed' | 'improved', context: Context) => string}
 */
function changed(cases, verdict, context) {
  const { words } = context;
  const { together } = context.comparison ?? {};
  const having = cases.filter((compared) => compared.verdict === verdict);
  if (having.length === 0 && together?.verdict === verdict) {
    const what = sizedText(decisiveChange(together), context);
    return words.headline.about(words.changes.together(together.cases), what);
  }
  const found = having
    .flatMap((compared) => ({ compared, change: decisiveChange(compared) }))
    .toSorted((a, b) => weightOf(b.change) - weightOf(a.change));
  const texts = found.map(({ compared, change }) => changeIn(change, compared.id, context));
  const way = wayOf(found, verdict, context);
  return texts.length > NAMES ? words.headline.most(way, texts.length, texts[0] ?? '') : texts.join('; ');
}

/** Wrong answers come first, then what has no size. @type {(change?: MetricComparison) => number} */
function weightOf(change) {
  if (change?.why.code === 'wrong-answers') return Infinity;
  return Math.abs(change?.effectPct ?? Number.MAX_VALUE);
}

/** What a trade got for what it lost. @type {(cases: CaseComparison[], context: Context) => string} */
function betterIn(cases, context) {
  const found = cases.flatMap((compared) => {
    const gains = compared.metrics.filter(
      (change) => change.verdict === 'improved' && metric(change.metric)?.judged.gate,
    );
    const change = gains.find(decides) ?? gains[0];
    return change ? { id: compared.id, change } : [];
  });
  const [only, ...others] = found;
  const names = cases.length > 1 ? only?.id : undefined;
  const way = wayOf(found, 'improved', context);
  const counted =
    only &&
    (others.length > 0 ? `${way}: ${namesOf(found, context)}` : changeIn(only.change, names, context));
  return context.words.list([counted, uncountedIn(context, 'improved')].flatMap((text) => text || []));
}

/**
 * Figures that do not count for a case: "CPU until ready +85 %, memory when ready +30 % (api)". role: of them
 * @type {(context: Context, verdict: 'regressed' | 'improved', role?: string) => string}
 */
function uncountedIn(context, verdict, role) {
  const { comparison, words } = context;
  const found = (comparison?.cases ?? []).flatMap(({ id, only, metrics }) =>
    metrics.flatMap((change) => {
      const { gate, role: own } = metric(change.metric)?.judged ?? {};
      const isFound = !only && change.verdict === verdict && gate === false && (role ?? own) === own;
      return isFound ? { id, change } : [];
    }),
  );
  const texts = groups(found, ({ change }) => change.metric).map(([, alike]) => {
    const largest = greatest(alike, ({ change }) => weightOf(change))?.change;
    return withNames(sizedText(largest, context), alike, context);
  });
  return words.list(firstOf(texts, NAMES, words.more));
}

/** Adds cases if others exist. @type {(text: string, cases: { id: string }[], context: Context) => string} */
function withNames(text, cases, context) {
  const isOnly = (context.comparison?.cases ?? []).filter(({ only }) => !only).length === 1;
  return isOnly || cases.length === 0 ? text : `${text} (${namesOf(cases, context)})`;
}

/**
 * Returns "Express / answers 30 % fewer requests"; id: absent for the only case, named before.
 * @type {(change: MetricComparison | undefined, id: string | undefined, context: Context) => string}
 */
function changeIn(change, id, context) {
  const { words, nameOf } = context;
  const name = id === undefined ? undefined : nameOf(id);
  const { metric: figure = '', effectPct } = change ?? {};
  if (!change || effectPct === undefined)
    return words.headline.about(name, change ? whyText(change, words) : '');
  return (
    words.headline.sentences[figure]?.(name, effectPct) ??
    words.headline.about(name, sizedText(change, context))
  );
}

/**
 * Says "p99 latency +192 %", or "Statements per request 3 → 43".
 * @type {(change: MetricComparison | undefined, context: Context) => string}
 */
function sizedText(change, context) {
  if (!change) return '';
  const { words } = context;
  const sizes = [sizeText(change, 'base', words), sizeText(change, 'head', words)].filter(Boolean);
  const text = change.effectPct === undefined ? sizes.join(' → ') : words.rough(change.effectPct);
  return [labelIn(change, context), text].filter(Boolean).join(' ');
}

/** @type {(change: Pick<MetricComparison, 'metric' | 'rate'> | undefined, context: Context) => string} */
function labelIn(change, { words }) {
  return change ? words.within(labelOf(change, words)) : '';
}

/**
 * Returns "slower than the base".
 * @type {(found: { change: MetricComparison | undefined }[], verdict: 'regressed' | 'improved',
 *   context: Context) => string}
 */
function wayOf(found, verdict, { words: { headline: phrases } }) {
  const isSpeed = found.every(({ change }) => change && isOfTime(change));
  if (verdict === 'regressed') return isSpeed ? phrases.slower : phrases.worse;
  return isSpeed ? phrases.faster : phrases.better;
}

/** Their names, or how many they are. @type {(cases: { id: string }[], context: Context) => string} */
function namesOf(cases, { words, nameOf }) {
  const names = [...new Set(cases.map(({ id }) => nameOf(id)))];
  return names.length > NAMES ? words.headline.cases(names.length) : words.list(names);
}
