/**
 * Two runs in, a comparison out.
 * @import { CaseComparison, Comparison, Config, MetricComparison, MetricId, Run, RunCase, Trial, Warning } from '../types.js'
 * @import { Claim } from './shapes.js'
 * @import { Relation } from './relation.js'
 */

import { DISTURBED, othersShare } from '../disturbance.js';
import { checkAgainstChance } from './chance.js';
import { compareErrors } from './compare-errors.js';
import { weigh } from './evidence.js';
import { holm } from './family.js';
import { withFloor } from './floor.js';
import { FALSE_ALARMS, riskLeft } from './looks.js';
import { metric } from './metrics.js';
import { goodTrials, onMachineOf, relate } from './relation.js';
import { shownByMeans } from './table.js';
import { caseVerdict, isBetter, judgeFinding, worst } from './verdicts.js';

/** Boots that are spread over the states so unlike the base's are not called the same, whatever their speed within them. */
const MOVED = 0.05;
/**
 * Where others had most windows, what they did is more than the correction for it knows: a claim must be so many times
 * less likely by luck. Families of four cases and five boots a side, drawn from an overloaded machine, raised false alarms
 * in 1.8 instead of 1 of 100 reports without it.
 */
const DOUBT = 4;
/** Of a change, that the plain means must show too. */
const HALF = 0.5;
/** The part of a case's risk that goes to the rate of known errors. */
const ERRORS_WEIGHT = 0.1;

/**
 * disturbed: whether others had most of the windows.
 * @typedef {{ base: RunCase, head: RunCase, trials: { base: Trial[], head: Trial[] }, claims: Claim[],
 *   disturbed: boolean }} Pair
 */

/**
 * @param {Run} base
 * @param {Run} head
 * @param {Partial<Pick<Config, 'margin' | 'margins'>> & { alpha?: number | undefined }} [options] margin: the share within
 *   which a change counts as the same, 0.05 where absent; margins: of metrics with their own; alpha: the risk of a false
 *   alarm anywhere in the comparison, what earlier looks at the head have left of it where absent
 * @returns {Comparison}
 */
export function compare(base, head, { margin = 0.05, margins = {}, alpha: risk = riskLeft(head) } = {}) {
  const relation = relate(base, head, risk);
  const [baseCases, headCases] = [judged(base), judged(head)];
  const known = new Map(baseCases.map((of) => [of.id, of]));
  const pairs = headCases.flatMap((of) => {
    const other = known.get(of.id);
    return other ? [makePair(other, of, relation)] : [];
  });
  const alpha = risk * (countsErrors(pairs) ? 1 - ERRORS_WEIGHT : 1);
  const claims = checkAgainstChance(
    pairs.flatMap((pair) => pair.claims),
    alpha,
  );
  const doubted = new Set(
    pairs.flatMap((pair) => (pair.disturbed ? pair.claims.map(({ findings }) => findings) : [])),
  );
  const tested = claims
    .filter(({ p }) => p !== undefined)
    .map((claim) => ({
      ...claim,
      p: Math.min(1, (claim.p ?? 1) * (doubted.has(claim.findings) ? DOUBT : 1)),
    }));
  const decisions = new Map(
    holm(tested, alpha).map((decision, index) => [tested[index]?.findings, decision]),
  );
  /** @type {Warning[]} */
  const warnings = [...relation.warnings];
  /** @param {MetricId} id */
  const marginOf = (id) => margins[id] ?? margin;
  const cases = pairs.map((pair) =>
    compareCase(pair, { decisions, warnings, marginOf, alpha: risk / pairs.length }),
  );
  const ids = new Set(headCases.map(({ id }) => id));
  const lone = [
    ...headCases.filter(({ id }) => !known.has(id)).map((of) => alone(of, 'head')),
    ...baseCases.filter(({ id }) => !ids.has(id)).map((of) => alone(of, 'base')),
  ];
  const all = [...cases, ...lone];
  const against = base.session === head.session ? head.against : undefined;
  return {
    schema: 'perf-action/comparison@1',
    verdict: worst(cases.map(({ verdict }) => verdict)),
    base: describe(base),
    head: describe(head),
    method: relation.method,
    ...(against !== undefined && { against }),
    ...(relation.reference && { reference: relation.reference }),
    promise: `at most ${100 * FALSE_ALARMS} report in 100 raises a false alarm`,
    warnings,
    cases: against === 'same' ? withFloor(all, head, margin) : all,
  };
}

/** @param {Pair[]} pairs */
function countsErrors(pairs) {
  return pairs.some(({ trials }) => trials.head.some(({ windows }) => windows.some(({ errors }) => errors)));
}

/**
 * The reference arm is not judged, unless it is all there is.
 * @param {Run} run
 */
function judged({ cases }) {
  const others = cases.filter(({ reference }) => !reference);
  return others.length > 0 ? others : cases;
}

/**
 * @param {RunCase} base
 * @param {RunCase} head
 * @param {Relation} relation
 * @returns {Pair}
 */
function makePair(base, head, { method, comparable, relativeTo }) {
  const trials = { base: goodTrials(base.trials), head: goodTrials(head.trials) };
  const measured = trials.base.length > 0 && trials.head.length > 0;
  const arm = !head.reference &&
    relativeTo && {
      base: onMachineOf(relativeTo.base, trials.base),
      head: onMachineOf(relativeTo.head, trials.head),
    };
  const gauged = !arm || (arm.base.length > 0 && arm.head.length > 0);
  const how = { reference: gauged && arm ? arm : undefined, interleaved: method === 'side-by-side' };
  const claims = measured ? weigh(trials, how) : [];
  return {
    base,
    head,
    trials,
    disturbed: isMostlyDisturbed([...trials.base, ...trials.head]),
    claims: comparable && gauged ? claims : claims.map(({ findings, weight }) => ({ findings, weight })),
  };
}

/**
 * @param {Pair} pair
 * @param {{ decisions: Map<unknown, { holds: boolean, alpha: number }>, warnings: Warning[],
 *   marginOf: (id: MetricId) => number, alpha: number }} rule alpha: this case's share of the risk
 * @returns {CaseComparison}
 */
function compareCase({ base, head, trials, claims, disturbed }, { decisions, warnings, marginOf, alpha }) {
  const errors = compareErrors(
    { base: base.trials, head: head.trials },
    { alpha: alpha * ERRORS_WEIGHT, margin: marginOf('errors') },
  );
  if (trials.head.length === 0 || trials.base.length === 0) {
    const side = trials.head.length === 0 ? head : base;
    const why = side.trials.find(({ failure }) => failure)?.failure?.message ?? 'no boot was measured';
    return { id: head.id, verdict: 'failed', metrics: [{ metric: 'throughput', verdict: 'failed', why }] };
  }
  const boots = Math.min(trials.base.length, trials.head.length);
  const metrics = claims.flatMap(({ findings, p, speed }) => {
    const decision = decisions.get(findings) ?? { holds: false, alpha };
    return findings.map((finding) => {
      if (p === undefined && finding.df > 0) return incomparable(finding);
      const ambiguous = speed !== undefined && isAmbiguous(speed, isBetter(finding));
      const margin = marginOf(finding.metric);
      const { mix } = speed?.shift ?? {};
      const moved = mix !== undefined && mix.p < MOVED && mix.gap > margin;
      return judgeFinding(finding, { ...decision, boots, ambiguous, moved, margin });
    });
  });
  const all = [...metrics, ...errors];
  const verdict = caseVerdict(
    all.filter(({ metric: id }) => metric(id).gate),
    disturbed,
  );
  if (disturbed) {
    warnings.push({
      code: 'disturbed',
      case: head.id,
      message: `other processes took more than ${100 * DISTURBED} % of the machine in most windows: throughput says little, CPU a request carries the verdict`,
    });
  }
  const mix = claims.find(({ speed }) => speed)?.speed?.shift.mix;
  if (mix && mix.p < alpha) {
    warnings.push({
      code: 'mix-changed',
      case: head.id,
      message: `the boots have two states ${Math.round(100 * mix.gap)} % apart: fast in ${mix.head[0]} of ${mix.head[1]} boots, was ${mix.base[0]} of ${mix.base[1]}`,
    });
  }
  return { id: head.id, verdict, metrics: all, ...(mix && { mix }) };
}

/**
 * A gain is told only where the boots can be read in one way and their plain means show half of it as well. Of two ways
 * to read them the slower is believed where the plain means are slower too; what can be read in one way only, unless
 * they show the opposite: a few boots more in the fast state turn them.
 * @param {{ table: import('./shapes.js').Table, shift: import('./shapes.js').SpeedShift }} speed
 * @param {boolean} better whether it would be a gain
 */
function isAmbiguous({ table, shift }, better) {
  const shown = shownByMeans(table, shift.effects);
  return better ? shift.ambiguous || shown < HALF : shown < (shift.ambiguous ? 0 : -1);
}

/**
 * @param {import('./shapes.js').Finding} finding
 * @returns {MetricComparison}
 */
function incomparable({ metric, base, head }) {
  return {
    metric,
    base,
    head,
    effectPct: 100 * (head / base - 1),
    verdict: 'unsure',
    why: 'other machine, and no reference arm was measured in both runs',
  };
}

/** @param {Trial[]} trials */
function isMostlyDisturbed(trials) {
  const windows = trials.flatMap((trial) => trial.windows);
  return windows.filter((window) => othersShare(window) > DISTURBED).length > windows.length / 2;
}

/**
 * @param {RunCase} of
 * @param {'base' | 'head'} only
 * @returns {CaseComparison}
 */
function alone(of, only) {
  const failed = only === 'head' && goodTrials(of.trials).length === 0;
  return { id: of.id, verdict: failed ? 'failed' : 'unsure', metrics: [], only };
}

/** @param {Run} run */
function describe({ id, startedAt, revision, pooled: runs }) {
  const { label, sha, ref } = revision ?? {};
  return {
    ...{ id, startedAt },
    ...(label !== undefined && { label }),
    ...(sha !== undefined && { sha }),
    ...(ref !== undefined && { ref }),
    ...(runs !== undefined && { runs }),
  };
}
