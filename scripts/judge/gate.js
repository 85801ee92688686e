/**
 * Whether the check fails: the one place that decides the exit code of what was measured.
 * @import { CaseComparison, Comparison, Config, LimitResult, MetricComparison, Run, Verdict,
 *   Warning } from '../types.js'
 */

import { LOST } from '../model/errors.js';
import { isIncomplete } from '../samples/case-figures.js';
import { ANSWER, decides, isGated, metric } from '../samples/figures.js';
import { caseVerdict, isQuietControl, isUnmeasured, worst } from './case-verdict.js';
import { isBarelyMeasured } from './failed-starts.js';

/** Warnings of an incomplete run. */
export const INCOMPLETE = ['cancelled', ...LOST];

/** @typedef {{ failOn?: Config['failOn'], gates?: Config['gates'] }} Rules */
/** @typedef {Extract<Warning, { code: 'gate-closed' | 'gate-open' }>} GateNote */

/**
 * @param {{ run: Pick<Run, 'cases' | 'limits' | 'warnings'>,
 *   comparison?: Pick<Comparison, 'cases' | 'together'> | undefined }} results
 * @param {Rules & Pick<Config, 'failOn'>} rules
 * @returns {0 | 1 | 3} 1: a gate or a limit fails; 3: something was not measured
 */
export function outcomeOf({ run, comparison }, rules) {
  const isClosed =
    comparison &&
    (failedCases(comparison, rules).length > 0 ||
      fails(verdictOf(comparison.together?.metrics ?? [], rules), rules.failOn) ||
      gateNotes(comparison, rules).some(({ code }) => code === 'gate-closed'));
  if (isClosed || run.limits?.some(({ verdict }) => fails(verdict, rules.failOn))) return 1;
  const isPartial = comparison
    ? comparison.cases.some(isUnmeasured) || run.cases.some(isBarelyMeasured)
    : isIncomplete(run);
  return isPartial || run.warnings?.some(({ code }) => INCOMPLETE.includes(code)) ? 3 : 0;
}

/**
 * Under the rule `unsure`, every case fails that may have got worse. A figure with a gate of its own is
 * judged by that alone, the others together, by the case's verdict. A case that one side lacks does not
 * count. Returns ids.
 * @type {(comparison: Pick<Comparison, 'cases'>, rules: Rules & Pick<Config, 'failOn'>) => string[]}
 */
export function failedCases(comparison, rules) {
  const { failOn, gates = {} } = rules;
  const closed = gateNotes(comparison, rules).filter(({ code }) => code === 'gate-closed');
  const counting = comparison.cases.filter((each) => !isQuietControl(each));
  const failed = counting.filter(({ id, only, verdict, metrics }) => {
    const isGatedAlone = metrics.some((change) => gates[change.metric] !== undefined);
    const rest = isGatedAlone ? verdictOf(metrics, rules) : verdict;
    return only === undefined && (fails(rest, failOn) || closed.some((note) => note.case === id));
  });
  return failed.map(({ id }) => id);
}

/**
 * Warnings for figures with a gate of their own, which the case's verdict does not show. gate-closed: it
 * fails the check; gate-open: it does not, though it got worse, or is not decided.
 * @type {(comparison: Pick<Comparison, 'cases'>, rules: Rules) => GateNote[]}
 */
export function gateNotes({ cases }, { failOn, gates = {} }) {
  const compared = cases.filter((each) => each.only === undefined && !isQuietControl(each));
  const known = compared.flatMap(({ id, metrics, answer }) => [
    ...metrics.map((change) => ({ metric: change.metric, verdict: change.verdict, case: id })),
    ...(answer ? [{ metric: ANSWER, verdict: /** @type {const} */ ('regressed'), case: id }] : []),
  ]);
  return [...known, ...unmeasuredOf(compared, gates)].flatMap(({ case: id, metric: name, verdict }) => {
    const own = gates[name];
    if (own === undefined) return [];
    // Who fails on what is unsure wants each gate decided.
    const rule = failOn === 'unsure' && isGated(gates, name) ? failOn : own;
    const isClosed = fails(verdict, rule);
    if (!isClosed && verdict !== 'regressed' && !(verdict === 'unsure' && isGated(gates, name))) return [];
    const code = isClosed ? 'gate-closed' : 'gate-open';
    return { code, ...(id !== undefined && { case: id }), metric: name, verdict, rule };
  });
}

/** Whether a gate is not decided. @type {(warning: Warning) => warning is GateNote} */
export function isOpenGate(warning) {
  return (warning.code === 'gate-open' || warning.code === 'gate-closed') && warning.verdict === 'unsure';
}

/**
 * Returns the gates of figures that no case has, although speeds were estimated.
 * @type {(cases: CaseComparison[], gates: NonNullable<Config['gates']>) =>
 *   { case?: string, metric: string, verdict: Verdict }[]}
 */
function unmeasuredOf(cases, gates) {
  const metrics = cases.flatMap((each) => each.metrics);
  if (!metrics.some((change) => change.ciPct && decides(change))) return [];
  const missing = Object.keys(gates).filter(
    (id) => id !== ANSWER && metrics.every((change) => change.metric !== id),
  );
  return missing.map((id) => ({ metric: id, verdict: 'unsure' }));
}

/** @type {(verdict: Verdict | LimitResult['verdict'] | undefined, rule: Config['failOn']) => boolean} */
function fails(verdict, rule) {
  const isWorse = verdict === 'regressed' || verdict === 'fails';
  return rule !== 'never' && (isWorse || (rule === 'unsure' && verdict === 'unsure'));
}

/**
 * The verdict of figures without a gate of their own; undefined where none counts.
 * @type {(metrics: MetricComparison[], rules: Rules) => Verdict | undefined}
 */
function verdictOf(metrics, { gates = {} }) {
  const counted = metrics.filter(({ metric: id }) => metric(id).judged.gate && gates[id] === undefined);
  if (counted.length === 0) return undefined;
  return counted.some(decides) ? caseVerdict(counted) : worst(counted.map(({ verdict }) => verdict));
}
