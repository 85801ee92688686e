/**
 * A case over many runs: at which commits its ratio to the reference took a step, and how large.
 * @import { PastRun, Trend, TrendStep } from '../types.js'
 * @import { Value } from './levels.js'
 */

import { groups } from 'd3-array';
import { percent } from '../judge/mean-estimate.js';
import { defined } from '../model/defined.js';
import { SPEEDS } from '../samples/figures.js';
import { oldestFirst } from './baselines.js';
import { LEAST_RUNS, levelsOf, mediansByKind } from './levels.js';
import { stepsOf } from './level-steps.js';

/**
 * One for each case and figure of speed that was measured at least twice.
 * @type {(runs: PastRun[]) => Trend[]}
 */
export function trendsOf(runs) {
  const inOrder = runs.toSorted(oldestFirst);
  const servers = new Map(inOrder.flatMap(({ cases }) => cases.map(({ id, server }) => [id, server])));
  const byRun = inOrder.map((run) => ({ run, cases: new Map(run.cases.map((past) => [past.id, past])) }));
  const trends = [...servers].flatMap(([id, server]) =>
    SPEEDS.flatMap(({ id: metric }) => {
      const seen = byRun.flatMap(({ run, cases }) => {
        const log = cases.get(id)?.beside[metric]?.log;
        return log === undefined ? [] : [{ run, value: { log, kind: run.fingerprint } }];
      });
      return seen.length > 1 ? [trendOf({ id, server, metric }, seen)] : [];
    }),
  );
  return trends.map((trend) => withCompany(trend, trends));
}

/**
 * @type {(name: Pick<Trend, 'id' | 'server' | 'metric'>, seen: { run: PastRun, value: Value }[]) => Trend}
 */
function trendOf(name, seen) {
  const values = seen.map(({ value }) => value);
  const levels = levelsOf(values);
  const { steps, stretches } = stepsOf(values, levels, name.metric);
  const points = stretches.flatMap(({ from, to }) => {
    const medians = mediansByKind(values.slice(from, to));
    return seen.slice(from, to).map(({ run: { id, startedAt, fingerprint, sha }, value }) => {
      const level = Math.exp(medians.get(value.kind) ?? 0);
      return defined({ run: id, at: startedAt, fingerprint, sha, ratio: Math.exp(value.log), level });
    });
  });
  const isEnough = points.length >= 2 * LEAST_RUNS;
  return { ...name, points, steps, ...(isEnough && { spreadPct: percent(levels.spread) }) };
}

/**
 * Marks steps that every server took: the machine, the runtime or the reference caused them.
 * @type {(trend: Trend, all: Trend[]) => Trend}
 */
function withCompany(trend, all) {
  const others = all.filter(({ metric, server }) => metric === trend.metric && server !== trend.server);
  const servers = groups(others, ({ server }) => server);
  const steps = trend.steps.map((step) => {
    const [first, last] = timesOf(step, trend);
    const joins = (/** @type {Trend} */ other) =>
      other.steps.some((theirs) => {
        const [from, to] = timesOf(theirs, other);
        return theirs.better === step.better && from <= last && to >= first;
      });
    const isEverywhere = servers.length > 0 && servers.every(([, theirs]) => theirs.some(joins));
    return { ...step, ...(isEverywhere && { everywhere: /** @type {const} */ (true) }) };
  });
  return { ...trend, steps };
}

/** Between which times a step was taken. @type {(step: TrendStep, trend: Trend) => [string, string]} */
function timesOf({ within }, { points }) {
  const [first = '', last = ''] = within.map((index) => points[index]?.at);
  return [first, last];
}
