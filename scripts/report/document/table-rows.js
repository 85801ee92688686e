/**
 * The rows of a table of cases, in their order.
 * @import { Comparison, Conditions, MetricComparison, Run, RunCase, Summary } from '../../types.js'
 * @import { Ratio } from '../../judge/case-groups.js'
 * @import { Words } from '../text/words.js'
 */

import { decisiveChange, rankOf } from '../../judge/case-verdict.js';
import { groupsOf, ratioOf } from '../../judge/case-groups.js';
import { conditionsOf } from '../../model/dimensions.js';
import { referenceOf } from '../../model/reference.js';
import { levelOf } from '../../samples/case-figures.js';
import { LEADING } from '../../samples/figures.js';
import { isTooWide } from '../text/format.js';
import { fieldsText, loadText } from '../text/load-words.js';

/**
 * A case and its ratio to the others.
 * @typedef {object} Row
 * @property {RunCase} runCase
 * @property {Summary} summary
 * @property {number | undefined} halfInterval of its throughput, unless that says nothing, or in a comparison
 * @property {string} load what distinguishes it from the table's others
 * @property {Ratio | undefined} toReference
 * @property {Ratio | undefined} toYardstick
 * @property {MetricComparison | undefined} change of the metric that decided its verdict
 * @property {number} severity the place of its verdict, the worst first; 0 for all without a comparison
 */

/**
 * @typedef {object} Table
 * @property {string} title
 * @property {boolean} routes whether the cases are of several, so that rows name theirs
 * @property {(keyof Conditions)[]} loads the fields in which their loads differ
 * @property {Row[]} rows ranked first, then those whose client was the bottleneck, the reference last; by
 *   load in the plan's order
 * @property {RunCase[]} failed cases without a figure
 * @property {RunCase | undefined} reference
 * @property {RunCase | undefined} yardstick the case of the server `relativeTo`, if the group has exactly one
 *   comparable; ratios are to it
 */

/**
 * Makes a table of each group of cases.
 * @type {(run: Run, comparison: Comparison | undefined, words: Words) => Table[]}
 */
export function tablesOf(run, comparison, words) {
  return groupsOf(run).map(({ cases, routes, loads, yardstick }) => {
    const rows = cases.flatMap((runCase) => {
      const { id, summary } = runCase;
      if (!summary) return [];
      const compared = comparison?.cases.find((candidate) => candidate.id === id);
      return {
        runCase,
        summary,
        halfInterval: comparison ? undefined : halfIntervalOf(runCase),
        load: fieldsText(conditionsOf(runCase), loads, words),
        toReference: runCase.reference ? undefined : ratioOf(runCase, referenceOf(runCase, cases)),
        toYardstick: ratioOf(runCase, yardstick),
        change: compared && decisiveChange(compared),
        severity: compared ? rankOf(compared.verdict) : 0,
      };
    });
    const [first] = cases;
    const load = first && loadText(conditionsOf(first), words, loads);
    return {
      title: [!routes && first?.route, load].filter(Boolean).join(', ') || words.tables.everyRoute,
      routes,
      loads,
      rows: rows.toSorted(
        (a, b) =>
          place(a) - place(b) ||
          a.severity - b.severity ||
          (loads.length > 0 ? 0 : b.summary.throughput - a.summary.throughput),
      ),
      failed: cases.filter(({ summary }) => !summary),
      reference: cases.find(({ reference, summary }) => reference && summary),
      yardstick,
    };
  });
}

/** Returns requests per second. @type {(runCase: RunCase) => number | undefined} */
function halfIntervalOf(runCase) {
  const { value = NaN, low = 0, high = Infinity } = levelOf(runCase, LEADING.id) ?? {};
  const saysNothing = isTooWide([100 * (low / value - 1), 100 * (high / value - 1)]);
  return saysNothing ? undefined : (high - low) / 2;
}

/** A figure that the client limited says nothing of the server and is not ranked. @param {Row} row */
function place({ runCase, load, summary }) {
  return runCase.reference ? 2 : summary.clientBound && load === '' ? 1 : 0;
}
