/**
 * What a server does as several instances: throughput as load tests count it, and what each number of instances costs.
 * @import { Run, RunCase, Window } from '../../types.js'
 * @import { Words } from '../text/words.js'
 */

import { conditionsOf } from '../../model/dimensions.js';
import { sum } from 'd3-array';
import { markdownTable } from 'markdown-table';
import { escaped } from '../render/escape.js';
import { ifKnown } from '../text/format.js';
import { alikeBut, differing, fieldsText } from '../text/load.js';

/** windows: of the boots without a failure; seconds: of all of them. @typedef {{ of: RunCase, windows: Window[], seconds: number }} Counted */

/**
 * @param {Run} run
 * @param {Words} words
 * @returns {string | undefined} undefined where no server ran as several numbers of instances
 */
export function renderInstances(run, words) {
  const cases = alikeBut(run.cases, 'instances')
    .flat()
    .map(counted)
    .filter(({ windows }) => windows.length > 0);
  if (cases.length === 0) return undefined;
  const { columns: heads, count, cores, microseconds, megabytes, portion, rate } = words;
  /** @type {[string, (counted: Counted) => string][]} */
  const columns = [
    [heads.instances.rate, ({ windows, seconds }) => rate(requestsOf(windows) / seconds)],
    [heads.instances.peak, ({ windows }) => rate(Math.max(...windows.map(peakOf)))],
    [heads.instances.executed, ({ of, windows }) => count(requestsOf(windows) + lostOf(of))],
    [heads.instances.successful, ({ of, windows }) => count(requestsOf(windows) - wrongOf(of))],
    [heads.errors, ({ of }) => count(lostOf(of) + wrongOf(of))],
    [
      heads.instances.cores,
      ({ windows, seconds }) => ifKnown(secondsOf(windows, 'serverSeconds'), (used) => cores(used / seconds)),
    ],
    [heads.instances.each, ({ of }) => ifKnown(of.summary?.cpuPerRequestUs, microseconds)],
    [heads.instances.memory, ({ of }) => ifKnown(of.summary?.rssBytes, megabytes)],
    [heads.instances.busiest, ({ windows }) => ifKnown(busiestShare(windows), portion)],
  ];
  const kept = columns.filter(([, text]) => cases.some((each) => text(each) !== ''));
  const fields = differing(cases.map(({ of }) => conditionsOf(of)));
  /** @type {[string, (counted: Counted) => string][]} */
  const names = [
    [heads.server, ({ of }) => escaped(of.serverName, 120)],
    [heads.route, ({ of }) => escaped(of.route, 120)],
    [heads.load, ({ of }) => escaped(fieldsText(conditionsOf(of), fields, words), 200)],
  ];
  const all = [...names, ...kept];
  return markdownTable(
    [all.map(([name]) => name), ...cases.map((each) => all.map(([, text]) => text(each)))],
    { align: [...names.map(() => 'l'), ...kept.map(() => 'r')] },
  );
}

/**
 * @param {RunCase} of
 * @returns {Counted}
 */
export function counted(of) {
  const windows = of.trials.flatMap((trial) => (trial.failure ? [] : trial.windows));
  return { of, windows, seconds: sum(windows.map(({ seconds }) => seconds)) };
}

/**
 * @param {Window[]} windows
 * @returns {number | undefined} the busiest instance's share (0 to 1) of the CPU time of all; undefined where it was not measured
 */
function busiestShare(windows) {
  const told = windows.flatMap(({ instanceSeconds }) => (instanceSeconds ? [instanceSeconds] : []));
  const all = sum(told.flat());
  return all > 0 ? sum(told.map(([busiest = 0]) => busiest)) / all : undefined;
}

/** @param {Window} window @returns {number} the most in one second, or in the window where the load tool tells no more */
function peakOf({ peakRequestsPerSecond, requestsPerSecond, requests, seconds }) {
  return peakRequestsPerSecond ?? requestsPerSecond?.max ?? requests / seconds;
}

/** @param {Window[]} windows */
function requestsOf(windows) {
  return sum(windows.map(({ requests }) => requests));
}

/** @param {RunCase} of @returns {number} requests without an answer */
function lostOf({ summary }) {
  const { non2xx: _, failed: _failed, checks: _checks, ...others } = summary?.errors ?? {};
  return sum(Object.values(others));
}

/** @param {RunCase} of @returns {number} answers that were none to count */
function wrongOf({ summary }) {
  const { non2xx = 0, failed = 0 } = summary?.errors ?? {};
  return non2xx + failed;
}

/**
 * @param {Window[]} windows
 * @param {'serverSeconds' | 'clientSeconds' | 'frontSeconds' | 'servicesSeconds'} whose
 * @returns {number | undefined} of CPU, in all of them; undefined where one lacks it
 */
export function secondsOf(windows, whose) {
  const known = windows.flatMap(({ cpu }) => cpu?.[whose] ?? []);
  return known.length < windows.length ? undefined : sum(known);
}
