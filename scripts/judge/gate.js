/**
 * Whether a comparison fails the check.
 * @import { Comparison, Config, MetricComparison, Verdict, Warning } from '../types.js'
 */

import { metric } from './metrics.js';
import { caseVerdict, worst } from './verdicts.js';

/** What carries a case's verdict. */
const SPEED = ['throughput', 'cpuPerRequest'];

/**
 * `unsure` as the gate is the strict one: whatever was not shown to be no worse fails. A metric with a gate of its own
 * answers to that alone; the others answer together, as the case's verdict. A case that one side lacks decides nothing.
 * @param {Comparison} comparison
 * @param {Pick<Config, 'failOn' | 'gates'>} rules
 * @returns {boolean}
 */
export function gateFails({ cases, warnings }, { failOn, gates = {} }) {
  return cases.some(({ id, only, verdict, metrics }) => {
    if (only !== undefined) return false;
    const others = metrics.filter((each) => gates[each.metric] === undefined);
    const disturbed = warnings.some((warning) => warning.code === 'disturbed' && warning.case === id);
    const rest = others.length === metrics.length ? verdict : verdictOf(others, disturbed);
    return fails(rest, failOn) || metrics.some((each) => fails(each.verdict, gates[each.metric] ?? 'never'));
  });
}

/**
 * A case's verdict does not tell what a metric's own gate made of it.
 * @param {Comparison} comparison
 * @param {Pick<Config, 'gates'>} rules
 * @returns {Warning[]} gate-closed: it fails the check; gate-open: it does not, though it got worse
 */
export function gateNotes({ cases }, { gates = {} }) {
  return cases.flatMap(({ id, only, metrics }) =>
    metrics.flatMap(({ metric: name, verdict }) => {
      const rule = gates[name];
      if (only !== undefined || rule === undefined) return [];
      const what = `${metric(name).label}: ${verdict}; its own gate (${rule})`;
      if (fails(verdict, rule))
        return [{ code: 'gate-closed', case: id, message: `${what} fails the check` }];
      if (verdict !== 'regressed') return [];
      return [{ code: 'gate-open', case: id, message: `${what} lets it pass` }];
    }),
  );
}

/**
 * @param {Verdict | undefined} verdict
 * @param {Config['failOn']} rule
 */
function fails(verdict, rule) {
  return rule !== 'never' && (verdict === 'regressed' || (rule === 'unsure' && verdict === 'unsure'));
}

/**
 * @param {MetricComparison[]} metrics
 * @param {boolean} disturbed
 * @returns {Verdict | undefined} undefined where none of them counts
 */
function verdictOf(metrics, disturbed) {
  const counted = metrics.filter(({ metric: id }) => metric(id).gate);
  if (counted.length === 0) return undefined;
  const hasSpeed = counted.some(({ metric: id }) => SPEED.includes(id));
  return hasSpeed ? caseVerdict(counted, disturbed) : worst(counted.map(({ verdict }) => verdict));
}
