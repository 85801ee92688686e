/** The custom formats of benchmark-action/github-action-benchmark. @import { Run } from '../types.js' */

import { wordsIn } from './text/words.js';

/** @typedef {{ name: string, unit: string, value: number, range?: string, extra?: string }} Point */

/**
 * @param {Run} run @param {string} [language]
 * @returns {{ throughput: Point[], p99: Point[] }} for `customBiggerIsBetter` and `customSmallerIsBetter`
 */
export function renderBenchmarkAction({ cases }, language) {
  const { rate, points } = wordsIn(language);
  const measured = cases.flatMap(({ id, summary }) => (summary ? [{ id, summary }] : []));
  return {
    throughput: measured.map(({ id, summary }) => ({
      name: id,
      unit: 'req/s',
      value: summary.throughput,
      ...(summary.throughputStdev !== undefined && { range: `± ${rate(summary.throughputStdev)}` }),
      extra: points.extra(summary.trials, summary.clientBound === true),
    })),
    p99: measured.flatMap(({ id, summary }) =>
      summary.latencyMs?.p99 === undefined
        ? []
        : [{ name: `${id} p99`, unit: 'ms', value: summary.latencyMs.p99 }],
    ),
  };
}
