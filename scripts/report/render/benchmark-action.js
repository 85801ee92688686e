/** The custom formats of benchmark-action/github-action-benchmark. @import { Run } from '../../types.js' */

import { en, some } from '../text/en.js';

/** @typedef {{ name: string, unit: string, value: number, range?: string, extra?: string }} Point */

/**
 * For `customBiggerIsBetter` and `customSmallerIsBetter`.
 * @type {(run: Run) => { throughput: Point[], p99: Point[] }}
 */
export function renderBenchmarkAction({ cases }) {
  const measured = cases.flatMap(({ id, summary }) => (summary ? [{ id, summary }] : []));
  return {
    throughput: measured.map(({ id, summary }) => ({
      name: id,
      unit: 'req/s',
      value: summary.throughput,
      ...(summary.throughputStdev !== undefined && { range: `± ${en.rate(summary.throughputStdev)}` }),
      extra: `${some(summary.trials, 'start')}${summary.clientBound ? ', the load tool was at its limit' : ''}`,
    })),
    p99: measured.flatMap(({ id, summary }) =>
      summary.latencyMs?.p99 === undefined
        ? []
        : [{ name: `${id} p99`, unit: 'ms', value: summary.latencyMs.p99 }],
    ),
  };
}
