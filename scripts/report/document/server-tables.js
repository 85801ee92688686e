/**
 * Two tables: cases that differ in their number of instances alone, and what runtimes report of themselves.
 * @import { Conditions, Run, RunCase, Window } from '../../types.js'
 * @import { Words } from '../text/words.js'
 * @import { Block, Column } from './blocks.js'
 * @import { Context } from './document.js'
 */

import { sum } from 'd3-array';
import { alikeBut, differing } from '../../judge/case-groups.js';
import { conditionsOf } from '../../model/dimensions.js';
import { figure, FIGURES } from '../../samples/figures.js';
import { levelOf, windowsOf } from '../../samples/case-figures.js';
import { figureOf } from '../text/change-words.js';
import { ifKnown } from '../text/format.js';
import { plain } from '../text/inline.js';
import { fieldsText } from '../text/load-words.js';
import { column, names, table } from './blocks.js';

/** Cases that differ in their number of instances alone. @type {(run: Run, words: Words) => Block[]} */
export function instanceBlocks(run, words) {
  const rows = alikeBut(run.cases, 'instances')
    .flat()
    .map((runCase) => {
      // Some of a window's `requests` are wrong (another status, or failed); lost ones are not among them.
      const { non2xx = 0, failed = 0, checks: _, ...others } = runCase.summary?.errors ?? {};
      const lost = sum(Object.values(others));
      return { runCase, windows: windowsOf(runCase), lost, wrong: non2xx + failed };
    })
    .filter(({ windows }) => windows.length > 0);
  if (rows.length === 0) return [];
  const { columns, count } = words;
  const { instances: heads } = columns;
  const fields = differing(rows.map(({ runCase }) => conditionsOf(runCase)));
  const requestsOf = (/** @type {Window[]} */ windows) => sum(windows, ({ requests }) => requests);
  const figures = (/** @type {string} */ head, /** @type {string} */ id) =>
    column(rows, head, ({ runCase }) => figureText(runCase, id, words));
  return [
    table([
      ...caseColumns(rows, fields, words),
      figures(heads.rate, 'throughput'),
      figures(heads.peak, 'peakThroughput'),
      column(rows, heads.executed, ({ windows, lost }) => count(requestsOf(windows) + lost)),
      column(rows, heads.successful, ({ windows, wrong }) => count(requestsOf(windows) - wrong)),
      column(rows, columns.errors, ({ lost, wrong }) => count(lost + wrong)),
      figures(heads.cores, 'serverCores'),
      figures(heads.each, 'cpuPerRequest'),
      figures(heads.memory, 'memory'),
      figures(heads.busiest, 'busiestInstance'),
    ]),
  ];
}

/**
 * What cases are called: server, route and load.
 * @type {(rows: { runCase: RunCase }[], fields: (keyof Conditions)[], words: Words) => Column[]}
 */
export function caseColumns(rows, fields, words) {
  const { columns } = words;
  return [
    names(rows, columns.server, ({ runCase }) => plain(runCase.serverName, 120)),
    names(rows, columns.route, ({ runCase }) => plain(runCase.route, 120)),
    names(rows, columns.load, ({ runCase }) => plain(fieldsText(conditionsOf(runCase), fields, words), 200)),
  ];
}

/**
 * Has no blocks where nothing was observed from inside.
 * @type {(context: Context) => { blocks: Block[], standsOut: boolean }}
 */
export function runtimeMetrics({ run, words, nameOf }) {
  const heads = words.columns.runtimeMetrics;
  const rows = run.cases.filter((runCase) =>
    windowsOf(runCase).some(({ eventLoopDelayMs, jvm }) => eventLoopDelayMs ?? jvm),
  );
  const figures = Object.entries(heads).flatMap(([name, head]) =>
    FIGURES.flatMap((row) => (row.runtime === name ? { ...row, head } : [])),
  );
  const columns = figures.map(({ id, head }) =>
    column(rows, head, (runCase) => figureText(runCase, id, words)),
  );
  const nameColumn = names(rows, words.columns.server, ({ id }) => nameOf(id));
  return {
    blocks: rows.length > 0 ? [table([nameColumn, ...columns])] : [],
    standsOut: rows.some((runCase) =>
      figures.some(({ id, notable = Infinity }) => (levelOf(runCase, id)?.value ?? 0) > notable),
    ),
  };
}

/** Returns a figure without its unit. @type {(runCase: RunCase, id: string, words: Words) => string} */
export function figureText(runCase, id, words) {
  return ifKnown(levelOf(runCase, id)?.value, (value) => figureOf(figure(id).unit, value, words));
}
