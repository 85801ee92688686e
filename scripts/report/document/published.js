/**
 * Published figures of the same experiment beside those measured here.
 * @import { Published, Run, RunCase } from '../../types.js'
 * @import { Words } from '../text/words.js'
 * @import { Block } from './blocks.js'
 * @import { Table } from './table-rows.js'
 */

import { greatest } from 'd3-array';
import { conclusionOf, quotientOf } from '../../judge/ratio.js';
import { conditionsOf } from '../../model/dimensions.js';
import { ifKnown } from '../text/format.js';
import { plain } from '../text/inline.js';
import { alikeBut, fieldsText, loadText } from '../text/load.js';
import { column, names, table, text } from './blocks.js';
import { tablesOf } from './table-rows.js';
import { errorText } from './tables.js';

/** @typedef {NonNullable<Published['servers']>} Servers */
/** @typedef {NonNullable<Published['loads']>[number]} Load */

/** @param {Run} run @param {Words} words @returns {Block[]} none where nothing was published for it */
export function publishedBlocks(run, words) {
  // A run file of another program may leave out any of it.
  /** @type {Partial<Published>} */
  const { servers = {}, loads = [], conditions, source } = run.published ?? {};
  const tables = tablesOf(run, undefined, words).filter(({ rows }) =>
    rows.some(({ runCase }) => publishedOf(runCase, servers)),
  );
  const blocks = [
    ...tables.map((laid) => serverTable(laid, { servers, isTitled: tables.length > 1, words })),
    ...loadTables(run, loads, words),
  ];
  if (blocks.length === 0 || !conditions) return blocks;
  const origin = source === undefined ? '' : ` (${plain(source)})`;
  return [...blocks, text(words.tables.published(plain(conditions), origin))];
}

/** @param {RunCase} runCase @param {Servers} servers */
function publishedOf({ server, route }, servers) {
  return servers[`${server} ${route}`] ?? servers[server];
}

/** @param {Table} laid @param {{ servers: Servers, isTitled: boolean, words: Words }} context */
function serverTable({ title, rows, yardstick }, { servers, isTitled, words }) {
  const { columns: heads, count, milliseconds, multiple, rate, range, tables, conclusions } = words;
  const compared = rows.flatMap((row) => {
    const published = publishedOf(row.runCase, servers);
    return published ? [{ ...row, published }] : [];
  });
  /** @typedef {(typeof compared)[number]} Pair */
  const base = yardstick && publishedOf(yardstick, servers);
  const to = base && middle(base) > 0 ? { base, yardstick } : undefined;
  /** No column of ours where nothing was published. */
  const pair = (
    /** @type {string} */ head,
    /** @type {(published: Servers[string]) => string} */ there,
    /** @type {(pair: Pair) => string} */ here,
  ) => {
    const cells = column(compared, heads.published(head), ({ published }) => there(published));
    return cells.cells.some(Boolean) ? [cells, column(compared, heads.here, here)] : [];
  };
  const ratios = (/** @type {Pair} */ { ratio, published }) =>
    ratio && to
      ? tables.ratios(
          range(spanOf(published, to.base).map(multiple)),
          plain(to.yardstick.serverName),
          `${ratio.bound ? `${tables.bounds[ratio.bound]} ` : ''}${multiple(ratio.value)}`,
        )
      : '';
  const conclusion = (/** @type {Pair} */ { runCase, published }) =>
    to && runCase !== to.yardstick
      ? conclusions[
          conclusionOf(middle(published) / middle(to.base), unlimitedQuotient(runCase, to.yardstick))
        ]
      : '';
  return table(
    [
      names(compared, heads.server, ({ runCase }) => plain(runCase.serverName, 120)),
      ...pair(
        heads.rate,
        ({ throughput }) => range([throughput].flat().map(rate)),
        ({ summary }) => rate(summary.throughput),
      ),
      names(compared, heads.ratio, ratios),
      names(compared, heads.conclusion, conclusion),
      ...pair(
        heads.latency.avg,
        ({ latencyAvgMs }) => ifKnown(latencyAvgMs, milliseconds),
        ({ summary }) => ifKnown(summary.latencyMs?.avg, milliseconds),
      ),
      ...pair(
        heads.latencyFew.p99,
        ({ p99Ms }) => ifKnown(p99Ms, milliseconds),
        ({ summary }) => ifKnown(summary.latencyMs?.p99, milliseconds),
      ),
      ...pair(
        heads.errors,
        ({ errors }) => ifKnown(errors, count),
        ({ summary }) => plain(errorText(summary.errors, words)),
      ),
    ],
    isTitled ? { title: plain(title) } : {},
  );
}

/**
 * One server under several loads, each beside the one that was fastest there.
 * @param {Run} run @param {Load[]} loads @param {Words} words
 * @returns {Block[]} a table for each server, route and rest of the load
 */
function loadTables({ cases }, loads, words) {
  const fields = /** @type {(keyof Load['load'])[]} */ (Object.keys(loads[0]?.load ?? {}));
  const [field] = fields;
  if (!field) return [];
  return alikeBut(cases, field).flatMap((alike) => {
    const pairs = loads.flatMap((published) => {
      const isIts = (/** @type {RunCase} */ runCase) =>
        fields.every((name) => conditionsOf(runCase)[name] === published.load[name]);
      const runCase = alike.find((candidate) => candidate.summary && isIts(candidate));
      return runCase ? [{ published, runCase }] : [];
    });
    const best = greatest(pairs, ({ published }) => middle(published));
    if (!best || pairs.length < 2) return [];
    const { serverName, route } = best.runCase;
    const rest = loadText(conditionsOf(best.runCase), words, fields);
    const title = plain(`${serverName} ${route}, ${rest}`, 200);
    return [loadTable(pairs, best, { fields, title, words })];
  });
}

/** @typedef {{ published: Load, runCase: RunCase }} LoadPair */

/**
 * @param {LoadPair[]} pairs at least two @param {LoadPair} best
 * @param {{ fields: (keyof Load['load'])[], title: string, words: Words }} context
 */
function loadTable(pairs, best, { fields, title, words }) {
  const { columns: heads, rate, milliseconds, multiple, conclusions, quotient, range } = words;
  const loadOf = (/** @type {RunCase} */ runCase) => plain(fieldsText(conditionsOf(runCase), fields, words));
  const rateOf = (/** @type {RunCase} */ { summary }) => summary?.throughput ?? Number.NaN;
  const rows = pairs.map((pair) => ({
    ...pair,
    isBest: pair === best,
    here: unlimitedQuotient(pair.runCase, best.runCase),
  }));
  const latencies = pairs.some(({ published }) => published.p50Ms !== undefined)
    ? [
        column(rows, heads.published('p50 ms'), ({ published }) => ifKnown(published.p50Ms, milliseconds)),
        column(rows, heads.here, ({ runCase }) => ifKnown(runCase.summary?.latencyMs?.p50, milliseconds)),
        column(rows, heads.published('p95 ms'), ({ published }) => ifKnown(published.p95Ms, milliseconds)),
        column(rows, heads.here, ({ runCase }) => ifKnown(runCase.summary?.latencyMs?.p95, milliseconds)),
      ]
    : [];
  return table(
    [
      names(rows, heads.load, ({ runCase }) => loadOf(runCase)),
      column(rows, heads.published(heads.rate), ({ published }) =>
        range([published.throughput].flat().map(rate)),
      ),
      column(rows, heads.here, ({ runCase }) => rate(rateOf(runCase))),
      column(rows, heads.published(heads.to(loadOf(best.runCase))), ({ published }) =>
        range(spanOf(published, best.published).map(multiple)),
      ),
      column(rows, heads.here, ({ runCase, isBest, here }) =>
        here && !isBest ? quotient(here) : multiple(rateOf(runCase) / rateOf(best.runCase)),
      ),
      names(rows, heads.conclusion, ({ published, isBest, here }) =>
        isBest ? '' : conclusions[conclusionOf(middle(published) / middle(best.published), here)],
      ),
      ...latencies,
    ],
    { title },
  );
}

/** @param {RunCase} runCase @param {RunCase} to @returns {ReturnType<typeof quotientOf>} undefined also where the client limited one */
function unlimitedQuotient(runCase, to) {
  return runCase.summary?.clientBound || to.summary?.clientBound ? undefined : quotientOf(runCase, to);
}

/** @typedef {Pick<Load, 'throughput'>} Throughput */

/** @param {Throughput} published @returns {number} the geometric middle of a range */
function middle({ throughput }) {
  const [low = 0, high = low] = [throughput].flat();
  return Math.sqrt(low * high);
}

/** @param {Throughput} published @param {Throughput} to @returns {number[]} the least and the most that their quotient can be, once where they are equal */
function spanOf(published, to) {
  if (published === to) return [1];
  const [values, bases] = [[published.throughput].flat(), [to.throughput].flat()];
  const [low, high] = [Math.min(...values) / Math.max(...bases), Math.max(...values) / Math.min(...bases)];
  return low === high ? [low] : [low, high];
}
