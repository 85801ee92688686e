/**
 * Where the time of a comparison goes: routes that execute changed code are measured in full, the others are
 * controls, which share the starts of their server, as full cases do where there are many. Pure.
 * @import { Case, Plan, Step, Touched } from '../types.js'
 */

import { group, rollup } from 'd3-array';
import { isBeside, isControl, rides, startOf } from '../model/is-control.js';
import * as times from '../model/times.js';
import { controlsSeconds, sharedSecondsOf, startSeconds, timed } from './timetable.js';

/** Before the first load. @type {(plan: Plan, touched: Touched) => Plan} */
export function withRoles(plan, { routes }) {
  const isUntouched = (/** @type {Case} */ { server, route }) =>
    routes.some((each) => !each.touched && each.server === server && each.route === route);
  const known = withCases(plan, ({ sharedSeconds: _, ...planned }) =>
    isUntouched(planned) ? { ...planned, role: 'control' } : planned,
  );
  const controls = known.cases.filter(isControl);
  const starts = known.cases.every(isBeside) ? startSeconds(controls) : 0;
  const room = { ...times.CONTROL_LOAD, seconds: controlsSeconds(known), starts };
  return sharing(withSharing(known, controls, room));
}

/**
 * Full cases share starts where few rounds of their own fit into the budget. A runtime that compiles needs a
 * warm-up for each route, so those that last until it is level do not, nor those whose times somebody set.
 * @type {(plan: Plan) => Plan}
 */
export function sharing(plan) {
  const { cases, sides, untilDecided, budgetSeconds, timetable } = plan;
  if (sides.length < 2 || !untilDecided || timetable.roundSeconds * times.SHARED_LOAD.rounds <= budgetSeconds)
    return plan;
  const own = cases.filter((each) => each.warmupRequests && !each.reference && !isControl(each));
  const ofStart = rollup(own, ({ length }) => length, startOf);
  const shared = own.filter((each) => Number(ofStart.get(startOf(each))) > 1);
  if (shared.length === 0) return plan;
  const seconds = budgetSeconds * (1 - times.CONTROL_SHARE);
  return withSharing(plan, shared, { ...times.SHARED_LOAD, seconds, starts: startSeconds(shared) });
}

/** @type {(plan: Plan, cases: Case[], room: Parameters<typeof sharedSecondsOf>[1]) => Plan} */
function withSharing(plan, cases, room) {
  const sharedSeconds = sharedSecondsOf(cases, room);
  return withCases(plan, (planned) => (cases.includes(planned) ? { ...planned, sharedSeconds } : planned));
}

/**
 * With controls that become full cases, in starts in which changed code runs. round: the first that judges
 * them.
 * @type {(plan: Plan, ids: Set<string>, round: number) => Plan}
 */
export function promoted(plan, ids, round) {
  const full = { sharedSeconds: times.SHARED_LOAD.most, promotedAt: round };
  return withCases(plan, (planned) => (ids.has(planned.id) ? { ...planned, ...full } : planned));
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
  const full = steps.filter((step) => !rides(step.case));
  const leaders = new Map(full.map((step) => [startOf(step.case), step.case]));
  const leaderOf = (/** @type {Step} */ { case: planned }) =>
    rides(planned) ? (leaders.get(startOf(planned)) ?? startOf(planned)) : planned;
  return [...group([...steps.filter((step) => rides(step.case)), ...full], leaderOf).values()];
}
