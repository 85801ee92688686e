/**
 * Which cases share a table, in which order, and the ratios between them.
 * @import { CaseComparison, Comparison, Conditions, MetricComparison, Run, RunCase, Summary, Verdict } from '../../types.js'
 * @import { Words } from '../text/words.js'
 */

import { group, rollup } from 'd3-array';
import { decisiveChange, rankOf } from '../../judge/case-verdict.js';
import { quotientOf } from '../../judge/ratio.js';
import { conditionsOf } from '../../model/dimensions.js';
import { alikeBut, differing, fieldsText, loadText } from '../text/load.js';

/** A figure the client limited is a bound of the server's own, and so is a ratio made of it. @typedef {{ value: number, bound?: 'at least' | 'at most' }} Ratio */

/**
 * A case and its ratio to the others.
 * @typedef {object} Row
 * @property {RunCase} runCase
 * @property {Summary} summary
 * @property {string} load what distinguishes it from the table's others
 * @property {Ratio | undefined} share of the reference
 * @property {Ratio | undefined} ratio to the yardstick
 * @property {MetricComparison | undefined} change of the metric that decided its verdict
 * @property {Verdict | undefined} verdict
 */

/**
 * @typedef {object} Table
 * @property {string} title
 * @property {boolean} routes whether the cases are of several, so that rows name theirs
 * @property {(keyof Conditions)[]} loads the fields in which their loads differ
 * @property {Row[]} rows ranked first, then those whose client was the bottleneck, the reference last; by load in the plan's order
 * @property {RunCase[]} failed cases without a figure
 * @property {RunCase | undefined} reference
 * @property {RunCase | undefined} yardstick
 */

/**
 * One table a load and route; the routes that only one server has share their load's table. A single server under several
 * loads has one table a route. One of the reference alone is the last.
 * @param {Run} run @param {Comparison | undefined} comparison @param {Words} words @returns {Table[]}
 */
export function tablesOf(run, comparison, words) {
  const shared = sharedRoutes(run);
  const bySingle = isSingle(run);
  const several = new Set(alikeBut(run.cases, 'instances').flat());
  const fixed = run.cases.filter((runCase) => runCase.server === run.relativeTo && !several.has(runCase));
  const groupOf = (/** @type {RunCase} */ runCase) => {
    if (bySingle) return runCase.route;
    // A yardstick that runs with one count of instances serves rows of every count.
    const beside = fixed.find(
      (candidate) =>
        candidate.route === runCase.route &&
        differing([conditionsOf(candidate), conditionsOf(runCase)]).every((field) => field === 'instances'),
    );
    return titleOf(beside ?? runCase, shared.has(runCase.route), words);
  };
  const isGauge = (/** @type {RunCase[]} */ cases) => cases.every(({ reference }) => reference);
  return [...group(run.cases, groupOf).values()]
    .toSorted((a, b) => Number(isGauge(a)) - Number(isGauge(b)))
    .map((cases) => tableOf(cases, { run, comparison, words }));
}

/** @param {Run} run @returns {Set<string>} the routes that several servers are measured on, the reference aside */
function sharedRoutes({ cases }) {
  const servers = rollup(
    cases.filter(({ reference }) => !reference),
    (alike) => new Set(alike.map(({ server }) => server)).size,
    ({ route }) => route,
  );
  return new Set([...servers].flatMap(([route, count]) => (count > 1 ? route : [])));
}

/**
 * @param {Run} run
 * @returns {boolean} whether it is one server's, the reference aside, and under several loads
 */
function isSingle({ cases }) {
  const own = cases.filter(({ reference }) => !reference);
  const all = own.length > 0 ? own : cases;
  return new Set(all.map(({ server }) => server)).size === 1 && differing(all.map(conditionsOf)).length > 0;
}

/** @param {RunCase} runCase @param {boolean} withRoute @param {Words} words @param {(keyof Conditions)[]} [without] what the rows say */
function titleOf(runCase, withRoute, words, without = []) {
  const load = loadText(conditionsOf(runCase), words, without);
  return [withRoute && runCase.route, load].filter(Boolean).join(', ') || words.tables.everyRoute;
}

/**
 * @param {RunCase[]} cases at least one
 * @param {{ run: Run, comparison: Comparison | undefined, words: Words }} context
 */
function tableOf(cases, { run, comparison, words }) {
  const routes = new Set(cases.map(({ route }) => route)).size > 1;
  const loads = differing(cases.map(conditionsOf));
  const loadText = (/** @type {RunCase} */ runCase) => fieldsText(conditionsOf(runCase), loads, words);
  const references = cases.filter(({ reference, summary }) => reference && summary);
  // The ratio of one server's answer to one route to another's to another says nothing of the servers.
  const [first, ...more] = cases.filter(({ server, summary }) => server === run.relativeTo && summary);
  const isOnly = !routes && more.length === 0 && loads.every((field) => field === 'instances');
  const yardstick = isOnly ? first : undefined;
  const rows = cases.flatMap((runCase) => {
    const { id, summary } = runCase;
    if (!summary) return [];
    const load = loadText(runCase);
    const compared = comparison?.cases.find((candidate) => candidate.id === id);
    const reference = references.find((candidate) => loadText(candidate) === load);
    return {
      runCase,
      summary: comparison ? asCompared(summary, compared) : summary,
      load,
      share: ratioOf(runCase, reference),
      ratio: ratioOf(runCase, yardstick),
      change: compared && decisiveChange(compared),
      verdict: compared?.verdict,
    };
  });
  return {
    title: titleOf(/** @type {RunCase} */ (cases[0]), !routes, words, loads),
    routes,
    loads,
    rows: rows.toSorted(
      (a, b) =>
        place(a) - place(b) ||
        severity(a) - severity(b) ||
        (loads.length > 0 ? 0 : b.summary.throughput - a.summary.throughput),
    ),
    failed: cases.filter(({ summary }) => !summary),
    reference: references[0],
    yardstick,
  };
}

/**
 * A report has one figure for one thing: where a case was compared, its tables show what was.
 * @param {Summary} summary @param {CaseComparison | undefined} compared
 */
function asCompared({ throughputStdev: _, latencyMs, ...summary }, compared) {
  const heads = Object.fromEntries(compared?.metrics.map(({ metric, head }) => [metric, head]) ?? []);
  const { throughput = summary.throughput, p50 = latencyMs?.p50, p99 = latencyMs?.p99 } = heads;
  const percentiles = { ...(p50 !== undefined && { p50 }), ...(p99 !== undefined && { p99 }) };
  return { ...summary, throughput, ...(latencyMs && { latencyMs: { ...latencyMs, ...percentiles } }) };
}

/**
 * The quotient of neighbouring windows, as everywhere in a report; that of the means where single rounds have no pairs. Nothing where
 * other machines measured the other case.
 * @param {RunCase} runCase @param {RunCase | undefined} to
 * @returns {Ratio | undefined} undefined where nothing can be said
 */
function ratioOf(runCase, to) {
  const [own, others] = [runCase.summary, to?.summary];
  if (!to || !own || !others || !(others.throughput > 0)) return undefined;
  if (runCase === to) return { value: 1 };
  if (own.clientBound && others.clientBound) return undefined;
  const blocks = new Set(to.trials.map(({ block }) => block));
  if (!runCase.trials.some(({ block }) => blocks.has(block))) return undefined;
  const value = quotientOf(runCase, to)?.value ?? own.throughput / others.throughput;
  if (own.clientBound) return { value, bound: 'at least' };
  return others.clientBound ? { value, bound: 'at most' } : { value };
}

/** A figure that the client limited says nothing of the server and is not ranked. @param {Row} row */
function place({ runCase, load, summary }) {
  return runCase.reference ? 2 : summary.clientBound && load === '' ? 1 : 0;
}

/** @param {Row} row @returns {number} the place of its verdict, the worst first; the same for all without a comparison */
function severity({ verdict }) {
  return verdict === undefined ? 0 : rankOf(verdict);
}
