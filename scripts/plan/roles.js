/**
 * Where the time of a comparison goes: routes that execute changed code are measured in full, the others are
 * controls, which share the starts of their server. Pure.
 * @import { Case, Plan, Step, Touched } from '../types.js'
 */

import { group } from 'd3-array';
import { isControl, startOf } from '../model/is-control.js';
import { timed } from './timetable.js';

/** Before the first load. @type {(plan: Plan, touched: Touched) => Plan} */
export function withRoles(plan, { routes }) {
  const untouched = routes.filter(({ touched }) => !touched);
  return withCases(plan, (planned) =>
    untouched.some(({ server, route }) => server === planned.server && route === planned.route)
      ? { ...planned, role: 'control' }
      : planned,
  );
}

/**
 * With controls that become full cases. round: the first that judges them.
 * @type {(plan: Plan, ids: Set<string>, round: number) => Plan}
 */
export function promoted(plan, ids, round) {
  return withCases(plan, (planned) => (ids.has(planned.id) ? { ...planned, promotedAt: round } : planned));
}

/** Changes each case once. @type {(plan: Plan, changed: (planned: Case) => Case) => Plan} */
function withCases(plan, changed) {
  const cases = new Map(plan.cases.map((planned) => [planned, changed(planned)]));
  const caseOf = (/** @type {Case} */ planned) => /** @type {Case} */ (cases.get(planned));
  const steps = new Map(
    [...new Set(plan.order.flat(2))].map((step) => [step, { ...step, case: caseOf(step.case) }]),
  );
  const order = plan.order.map((groups) =>
    regrouped(groups.flatMap((members) => members.flatMap((step) => steps.get(step) ?? []))),
  );
  return timed({ ...plan, cases: [...cases.values()], order });
}

/**
 * Controls share a start with a full case that it can serve, so that changed code has run before them; and
 * come first, since what they promote follows soonest.
 * @param {Step[]} steps
 */
function regrouped(steps) {
  const full = steps.filter((step) => !isControl(step.case));
  const leaders = new Map(full.map((step) => [startOf(step.case), step.case]));
  const leaderOf = (/** @type {Step} */ { case: planned }) =>
    isControl(planned) ? (leaders.get(startOf(planned)) ?? startOf(planned)) : planned;
  return [...group([...steps.filter((step) => isControl(step.case)), ...full], leaderOf).values()];
}
