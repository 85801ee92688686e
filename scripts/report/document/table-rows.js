/**
 * Which cases share a table, how they stand to each other, and in which order.
 * @import { CaseComparison, Comparison, Conditions, MetricComparison, Run, RunCase, Summary, Verdict } from '../../types.js'
 * @import { Words } from '../text/words.js'
 */

import { conditionsOf } from '../../model/dimensions.js';
import { quotientOf } from '../../judge/ratio.js';
import { decisiveOf, WORST_FIRST } from '../text/change.js';
import { alikeBut, differing, fieldsText, loadText } from '../text/load.js';

/**
 * A figure the client limited is a bound of the server's own, and so is a ratio made of it.
 * @typedef {{ value: number, bound?: 'at least' | 'at most' }} Ratio
 * A case and how it stands to the others. load: what tells it from the table's others; change: of the metric that decided its
 * verdict.
 * @typedef {{ of: RunCase, summary: Summary, load: string, share?: Ratio, ratio?: Ratio, change?: MetricComparison | undefined, verdict?: Verdict }} Row
 * rows: ranked first, then those whose client was the bottleneck, the reference arm last; by load in the plan's order.
 * failed: cases without a figure. routes, loads: whether the cases are of several, so that rows must tell theirs.
 * @typedef {{ title: string, routes: boolean, loads: (keyof Conditions)[], rows: Row[], failed: RunCase[], reference?: RunCase, yardstick?: RunCase }} Table
 */

/**
 * One table a load and route; the routes that only one server has share their load's table. A single server under several
 * loads has one table a route. One of the reference alone is the last.
 * @param {Run} run
 * @param {Comparison | undefined} comparison
 * @param {Words} words
 * @returns {Table[]}
 */
export function tablesOf(run, comparison, words) {
  /** @type {Map<string, RunCase[]>} */
  const groups = new Map();
  const shared = sharedRoutes(run);
  const bySingle = isSingle(run);
  const several = new Set(alikeBut(run.cases, 'instances').flat());
  const fixed = run.cases.filter((of) => of.server === run.relativeTo && !several.has(of));
  for (const of of run.cases) {
    // Where the yardstick runs as one count of instances only, others stand beside it whatever theirs is.
    const beside = fixed.find(
      (each) =>
        each.route === of.route &&
        differing([conditionsOf(each), conditionsOf(of)]).every((field) => field === 'instances'),
    );
    const group = bySingle ? of.route : titleOf(beside ?? of, shared.has(of.route), words);
    groups.set(group, [...(groups.get(group) ?? []), of]);
  }
  const isGauge = (/** @type {RunCase[]} */ cases) => cases.every(({ reference }) => reference);
  return [...groups.values()]
    .toSorted((a, b) => Number(isGauge(a)) - Number(isGauge(b)))
    .map((cases) => tableOf(cases, { run, comparison, words }));
}

/**
 * @param {Run} run
 * @returns {Set<string>} the routes that several servers are measured on, the reference aside
 */
function sharedRoutes({ cases }) {
  /** @type {Map<string, Set<string>>} */
  const servers = new Map();
  for (const { route, server } of cases.filter(({ reference }) => !reference))
    servers.set(route, (servers.get(route) ?? new Set()).add(server));
  return new Set([...servers].flatMap(([route, { size }]) => (size > 1 ? route : [])));
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

/**
 * @param {RunCase} of
 * @param {boolean} withRoute
 * @param {Words} words
 * @param {(keyof Conditions)[]} [without] what the rows tell
 */
function titleOf(of, withRoute, words, without = []) {
  return (
    [withRoute && of.route, loadText(conditionsOf(of), words, without)].filter(Boolean).join(', ') ||
    words.tables.everyRoute
  );
}

/**
 * @param {RunCase[]} cases at least one
 * @param {{ run: Run, comparison: Comparison | undefined, words: Words }} context
 * @returns {Table}
 */
function tableOf(cases, { run, comparison, words }) {
  const routes = new Set(cases.map(({ route }) => route)).size > 1;
  const loads = differing(cases.map(conditionsOf));
  const telling = (/** @type {RunCase} */ runCase) => fieldsText(conditionsOf(runCase), loads, words);
  const references = cases.filter((of) => of.reference && of.summary);
  const [reference] = references;
  // How one server's answer to one route stands to another's to another tells nothing of the servers.
  const [one, ...more] = cases.filter(({ server, summary }) => server === run.relativeTo && summary);
  const isOnly = !routes && more.length === 0 && loads.every((field) => field === 'instances');
  const yardstick = isOnly ? one : undefined;
  const rows = cases.flatMap((of) => {
    const { summary } = of;
    if (!summary) return [];
    const beside = references.find((each) => telling(each) === telling(of));
    const share = ratioOf(of, beside);
    const ratio = ratioOf(of, yardstick);
    const compared = comparison?.cases.find(({ id }) => id === of.id);
    const change = comparison && compared && decisiveOf(compared, comparison);
    return [
      {
        of,
        summary: comparison ? asCompared(summary, compared) : summary,
        load: telling(of),
        ...(share && { share }),
        ...(ratio && { ratio }),
        change,
        ...(compared && { verdict: compared.verdict }),
      },
    ];
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
    ...(reference && { reference }),
    ...(yardstick && { yardstick }),
  };
}

/**
 * A report has one figure for one thing: where a case was compared, its tables show what was.
 * @param {Summary} summary
 * @param {CaseComparison | undefined} compared
 * @returns {Summary}
 */
function asCompared({ throughputStdev: _, latencyMs, ...summary }, compared) {
  const heads = new Map(compared?.metrics.map(({ metric, head }) => [String(metric), head]));
  const figureOf = (/** @type {string} */ id, /** @type {number | undefined} */ own) => heads.get(id) ?? own;
  const { p50, p99 } = { p50: figureOf('p50', latencyMs?.p50), p99: figureOf('p99', latencyMs?.p99) };
  return {
    ...summary,
    throughput: heads.get('throughput') ?? summary.throughput,
    ...(latencyMs && {
      latencyMs: { ...latencyMs, ...(p50 !== undefined && { p50 }), ...(p99 !== undefined && { p99 }) },
    }),
  };
}

/**
 * The quotient of neighbouring windows, as everywhere in a report; that of the means where single rounds have no pairs.
 * @param {RunCase} of
 * @param {RunCase | undefined} to
 * @returns {Ratio | undefined} undefined where nothing can be said
 */
function ratioOf(of, to) {
  const [own, others] = [of.summary, to?.summary];
  if (!to || !own || !others || !(others.throughput > 0)) return undefined;
  if (of === to) return { value: 1 };
  if (own.clientBound && others.clientBound) return undefined;
  const value = quotientOf(of, to)?.value ?? own.throughput / others.throughput;
  if (own.clientBound) return { value, bound: 'at least' };
  return others.clientBound ? { value, bound: 'at most' } : { value };
}

/** A figure that the client limited says nothing of the server and is not ranked. @param {Row} row */
function place({ of, load, summary }) {
  return of.reference ? 2 : summary.clientBound && load === '' ? 1 : 0;
}

/** @param {Row} row @returns {number} the place of its verdict, the worst first; the same for all without a comparison */
function severity({ verdict }) {
  return verdict === undefined ? 0 : WORST_FIRST.indexOf(verdict);
}
