/**
 * Which cases of a run are shown beside each other, and what each group is measured by.
 * @import { Conditions, Run, RunCase } from '../types.js'
 */

import { group, groups, rollup } from 'd3-array';
import { conditionsOf, DIMENSIONS, distinguishing } from '../model/dimensions.js';
import { startsOf } from '../samples/case-figures.js';
import { pairedRatio } from './ratio.js';

/**
 * A figure that the load tool limited is a bound of the server's own, and so is a ratio made of it.
 * isPartial: one of the cases has starts without a counterpart.
 * @typedef {{ value: number, bound?: 'at least' | 'at most', isPartial?: true }} Ratio
 */

/**
 * @typedef {object} Group
 * @property {RunCase[]} cases at least one
 * @property {boolean} routes whether its cases are of several routes
 * @property {(keyof Conditions)[]} loads the fields in which their loads differ
 * @property {RunCase | undefined} yardstick what ratios are to: the case of the server `relativeTo`, if the
 *   group has exactly one comparable
 */

/** Returns the fields in which they differ. @type {(loads: Partial<Conditions>[]) => (keyof Conditions)[]} */
export function differing(loads) {
  const fields = DIMENSIONS.map(({ field }) => field);
  return fields.filter((field) => new Set(loads.map((load) => load[field])).size > 1);
}

/**
 * Returns groups of several cases of one server and route, whose loads differ in that field alone.
 * @type {(cases: RunCase[], field: keyof Conditions) => RunCase[][]}
 */
export function alikeBut(cases, field) {
  const alike = groups(cases, (runCase) => {
    const conditions = conditionsOf(runCase);
    const rest = DIMENSIONS.map((row) => (row.field === field ? undefined : conditions[row.field]));
    return JSON.stringify([runCase.server, runCase.route, rest]);
  });
  return alike.map(([, those]) => those).filter(({ length }) => length > 1);
}

/**
 * One a load and route; the routes that only one server has share their load's group. A single server under
 * several loads has one a route. One of the reference alone is the last.
 * @type {(run: Run) => Group[]}
 */
export function groupsOf(run) {
  const shared = sharedRoutes(run);
  const bySingle = isSingle(run);
  const several = new Set(alikeBut(run.cases, 'instances').flat());
  const fixed = run.cases.filter((runCase) => runCase.server === run.relativeTo && !several.has(runCase));
  const keyOf = (/** @type {RunCase} */ runCase) => {
    if (bySingle) return runCase.route;
    // A yardstick that runs with one count of instances serves rows of every count.
    const beside = fixed.find(
      (candidate) =>
        candidate.route === runCase.route &&
        differing([conditionsOf(candidate), conditionsOf(runCase)]).every((field) => field === 'instances'),
    );
    const load = distinguishing(conditionsOf(beside ?? runCase)).map(({ row, value }) => [row.field, value]);
    return JSON.stringify([shared.has(runCase.route) && runCase.route, load]);
  };
  const isReference = (/** @type {RunCase[]} */ cases) => cases.every(({ reference }) => reference);
  return [...group(run.cases, keyOf).values()]
    .toSorted((a, b) => Number(isReference(a)) - Number(isReference(b)))
    .map((cases) => {
      const routes = new Set(cases.map(({ route }) => route)).size > 1;
      const loads = differing(cases.map(conditionsOf));
      // The ratio of one server's answer to one route to another's to another says nothing of the servers.
      const [first, ...more] = cases.filter(({ server, summary }) => server === run.relativeTo && summary);
      const isOnly = !routes && more.length === 0 && loads.every((field) => field === 'instances');
      return { cases, routes, loads, yardstick: isOnly ? first : undefined };
    });
}

/** The routes that several servers are measured on, the reference aside. @type {(run: Run) => Set<string>} */
function sharedRoutes({ cases }) {
  const servers = rollup(
    cases.filter(({ reference }) => !reference),
    (alike) => new Set(alike.map(({ server }) => server)).size,
    ({ route }) => route,
  );
  return new Set([...servers].flatMap(([route, count]) => (count > 1 ? route : [])));
}

/** Whether it is one server's, the reference aside, and under several loads. @type {(run: Run) => boolean} */
function isSingle({ cases }) {
  const own = cases.filter(({ reference }) => !reference);
  const all = own.length > 0 ? own : cases;
  return new Set(all.map(({ server }) => server)).size === 1 && differing(all.map(conditionsOf)).length > 0;
}

/** Undefined where none is known. @type {(runCase: RunCase, to: RunCase | undefined) => Ratio | undefined} */
export function ratioOf(runCase, to) {
  if (!to) return undefined;
  if (runCase === to) return { value: 1 };
  const [isBound, isOtherBound] = [runCase, to].map(({ summary }) => summary?.clientBound === true);
  const paired = isBound && isOtherBound ? undefined : pairedRatio(runCase, to);
  if (!paired) return undefined;
  const isPartial = [runCase, to].some((each) => startsOf(each).length > paired.n);
  return {
    value: paired.value,
    ...(isPartial && { isPartial }),
    ...(isBound && { bound: 'at least' }),
    ...(isOtherBound && { bound: 'at most' }),
  };
}
