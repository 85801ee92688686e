/**
 * Whether a comparison fails the check.
 * @import { CaseComparison, Comparison, Config, MetricComparison, Verdict, Warning } from '../types.js'
 */

import { ANSWER, decides, metric } from '../samples/figures.js';
import { caseVerdict, worst } from './case-verdict.js';

/**
 * Under the rule `unsure`, every case fails that may have got worse. A figure with a gate of its own is judged by that alone, the others
 * together, by the case's verdict. A case that one side lacks does not count.
 * @param {Comparison} comparison @param {Pick<Config, 'failOn' | 'gates'>} rules @returns {boolean}
 */
export function gateFails({ cases }, { failOn, gates = {} }) {
  return cases.some((compared) => {
    const { only, verdict, metrics } = compared;
    if (only !== undefined) return false;
    const others = metrics.filter((change) => gates[change.metric] === undefined);
    const rest = others.length === metrics.length ? verdict : verdictOf(others);
    return (
      fails(rest, failOn) ||
      gatedOf(compared).some((change) => fails(change.verdict, gates[change.metric] ?? 'never'))
    );
  });
}

/**
 * Warnings for figures with a gate of their own, which the case's verdict does not show.
 * @param {Pick<Comparison, 'cases'>} comparison @param {{ gates?: Config['gates'] }} rules
 * @returns {Warning[]} gate-closed: it fails the check; gate-open: it does not, though it got worse
 */
export function gateNotes({ cases }, { gates = {} }) {
  return cases.flatMap((compared) =>
    gatedOf(compared).flatMap(({ metric: name, verdict }) => {
      const { id, only } = compared;
      const rule = gates[name];
      if (only !== undefined || rule === undefined) return [];
      const isClosed = fails(verdict, rule);
      if (!isClosed && verdict !== 'regressed') return [];
      return { code: isClosed ? 'gate-closed' : 'gate-open', case: id, metric: name, verdict, rule };
    }),
  );
}

/** @param {Pick<CaseComparison, 'metrics' | 'answer'>} compared @returns {Pick<MetricComparison, 'metric' | 'verdict'>[]} what may have a gate of its own */
function gatedOf({ metrics, answer }) {
  return answer ? [...metrics, { metric: ANSWER, verdict: 'regressed' }] : metrics;
}

/** @param {Verdict | undefined} verdict @param {Config['failOn']} rule */
function fails(verdict, rule) {
  return rule !== 'never' && (verdict === 'regressed' || (rule === 'unsure' && verdict === 'unsure'));
}

/** @param {MetricComparison[]} metrics @returns {Verdict | undefined} undefined where none of them counts */
function verdictOf(metrics) {
  const counted = metrics.filter(({ metric: id }) => metric(id).judged.gate);
  if (counted.length === 0) return undefined;
  return counted.some(decides) ? caseVerdict(counted) : worst(counted.map(({ verdict }) => verdict));
}
