/**
 * What others published for the same experiment, beside what was measured here.
 * @import { Published, Run, RunCase } from '../../types.js'
 * @import { Words } from '../text/words.js'
 * @import { Block } from './blocks.js'
 * @import { Row, Table } from './table-rows.js'
 */

import { conclusionOf, quotientOf } from '../../judge/ratio.js';
import { plain } from '../text/inline.js';
import { column, names, table, text } from './blocks.js';
import { ifKnown } from '../text/format.js';
import { tablesOf } from './table-rows.js';
import { errorText } from './tables.js';
import { middle, loadTables, spanOf } from './published-loads.js';

/** @typedef {NonNullable<Published['servers']>[string]} Theirs */

/** @param {Run} run @param {Words} words @returns {Block[]} none where nothing was published for it */
export function publishedBlocks(run, words) {
  // A run file of another program may leave out any of it.
  const {
    servers = {},
    loads = [],
    conditions,
    source,
  } = /** @type {Partial<Published>} */ (run.published ?? {});
  const tables = tablesOf(run, undefined, words).filter(({ rows }) =>
    rows.some(({ of }) => theirsOf(of, servers)),
  );
  const blocks = [
    ...tables.map((laid) =>
      serverTable(laid, servers, { title: tables.length > 1 ? plain(laid.title) : undefined, words }),
    ),
    ...loadTables(run, loads, words),
  ];
  if (blocks.length === 0) return [];
  const origin = source === undefined ? '' : ` (${plain(source)})`;
  return conditions ? [...blocks, text(words.tables.published(plain(conditions), origin))] : blocks;
}

/**
 * @param {Table} laid
 * @param {NonNullable<Published['servers']>} servers
 * @param {{ title: string | undefined, words: Words }} context
 * @returns {Block}
 */
function serverTable({ rows, yardstick }, servers, { title, words }) {
  const { columns: heads, count, milliseconds, rate, range } = words;
  const compared = rows.flatMap((row) => {
    const theirs = theirsOf(row.of, servers);
    return theirs ? [{ row, summary: row.summary, theirs }] : [];
  });
  const base = yardstick && theirsOf(yardstick, servers);
  /** @typedef {(typeof compared)[number]} Pair */
  /** What was not published needs no figure of ours beside it. */
  const pair = (
    /** @type {string} */ head,
    /** @type {(theirs: Theirs) => string} */ published,
    /** @type {(pair: Pair) => string} */ here,
  ) => {
    const cells = compared.map(({ theirs }) => published(theirs));
    return cells.some((cell) => cell !== '')
      ? [
          column(compared, heads.published(head), ({ theirs }) => published(theirs)),
          column(compared, heads.here, here),
        ]
      : [];
  };
  return table(
    [
      names(compared, heads.server, ({ row }) => plain(row.of.serverName, 120)),
      ...pair(
        heads.rate,
        ({ throughput }) => range([throughput].flat().map(rate)),
        ({ summary }) => rate(summary.throughput),
      ),
      names(compared, heads.ratio, ({ row, theirs }) => ratios(row, { theirs, base, yardstick }, words)),
      names(compared, heads.conclusion, ({ row, theirs }) =>
        conclusion(row, { theirs, base, yardstick }, words),
      ),
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
    title === undefined ? {} : { title },
  );
}

/** @param {RunCase} of @param {NonNullable<Published['servers']>} servers */
function theirsOf({ server, route }, servers) {
  return servers[`${server} ${route}`] ?? servers[server];
}

/** @typedef {{ theirs: Theirs, base: Theirs | undefined, yardstick: RunCase | undefined }} Beside */

/**
 * @param {Row} row
 * @param {Beside} beside
 * @param {Words} words
 * @returns {string} "published 5.1x Express, here 1.8x"
 */
function ratios({ ratio }, { theirs, base, yardstick }, { multiple, tables, range }) {
  if (!ratio || !base || !yardstick || !(middle(base) > 0)) return '';
  const bound = ratio.bound ? `${tables.bounds[ratio.bound]} ` : '';
  return tables.ratios(
    range(spanOf(theirs, base).map(multiple)),
    plain(yardstick.serverName),
    `${bound}${multiple(ratio.value)}`,
  );
}

/** @param {Row} row @param {Beside} beside @param {Words} words */
function conclusion({ of }, { theirs, base, yardstick }, { conclusions }) {
  if (!base || !yardstick || !(middle(base) > 0) || of === yardstick) return '';
  const isLimited = of.summary?.clientBound || yardstick.summary?.clientBound;
  const here = isLimited ? undefined : quotientOf(of, yardstick);
  return conclusions[conclusionOf(middle(theirs) / middle(base), here)];
}
