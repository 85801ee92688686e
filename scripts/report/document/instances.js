/**
 * A server as several instances: throughput as load tests count it, and what each number of instances costs.
 * @import { Run, RunCase, Window } from '../../types.js'
 * @import { Words } from '../text/words.js'
 * @import { Block } from './blocks.js'
 */

import { sum } from 'd3-array';
import { conditionsOf } from '../../model/dimensions.js';
import { figureIn } from '../../samples/samples.js';
import { ifKnown } from '../text/format.js';
import { plain } from '../text/inline.js';
import { alikeBut, differing, fieldsText } from '../text/load.js';
import { column, names, table } from './blocks.js';

/**
 * @param {Run} run
 * @param {Words} words
 * @returns {Block[]} none where no server ran as several numbers of instances
 */
export function instanceBlocks(run, words) {
  const rows = alikeBut(run.cases, 'instances')
    .flat()
    .map((of) => ({ of, windows: goodWindows(of) }))
    .filter(({ windows }) => windows.length > 0);
  if (rows.length === 0) return [];
  const { columns, count, cores, microseconds, megabytes, portion, rate } = words;
  const { instances: heads } = columns;
  const fields = differing(rows.map(({ of }) => conditionsOf(of)));
  const figure = (
    /** @type {string} */ head,
    /** @type {string} */ id,
    /** @type {(value: number) => string} */ text,
  ) => column(rows, head, ({ windows }) => ifKnown(figureIn(id, windows), text));
  return [
    table([
      names(rows, columns.server, ({ of }) => plain(of.serverName, 120)),
      names(rows, columns.route, ({ of }) => plain(of.route, 120)),
      names(rows, columns.load, ({ of }) => plain(fieldsText(conditionsOf(of), fields, words), 200)),
      figure(heads.rate, 'throughput', rate),
      figure(heads.peak, 'peakThroughput', rate),
      column(rows, heads.executed, ({ of, windows }) => count(requestsOf(windows) + lostOf(of))),
      column(rows, heads.successful, ({ of, windows }) => count(requestsOf(windows) - wrongOf(of))),
      column(rows, columns.errors, ({ of }) => count(lostOf(of) + wrongOf(of))),
      figure(heads.cores, 'serverCores', cores),
      figure(heads.each, 'cpuPerRequest', microseconds),
      figure(heads.memory, 'memory', megabytes),
      figure(heads.busiest, 'busiestInstance', portion),
    ]),
  ];
}

/** @param {RunCase} of @returns {Window[]} of starts that did not fail */
export function goodWindows({ trials }) {
  return trials.flatMap((trial) => (trial.failure ? [] : trial.windows));
}

/** @param {Window[]} windows */
function requestsOf(windows) {
  return sum(windows, ({ requests }) => requests);
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
