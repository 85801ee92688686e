/**
 * What others published for the same experiment, beside what was measured here.
 * @import { Published, Run, RunCase } from '../../types.js'
 * @import { Words } from '../text/words.js'
 * @import { Row, Table } from './table-rows.js'
 */

import { markdownTable } from 'markdown-table';
import { conclusionOf, quotientOf } from '../../judge/ratio.js';
import { escaped } from '../render/escape.js';
import { ifKnown } from '../text/format.js';
import { errorText, tablesOf } from './table-rows.js';
import { middle, renderLoads, spanOf } from './published-loads.js';

/** @typedef {NonNullable<Published['servers']>[string]} Theirs */

/**
 * @param {Run} run
 * @param {Words} words
 * @returns {string | undefined} undefined where nothing was published for it
 */
export function renderPublished(run, words) {
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
  const parts = [
    ...tables.flatMap((table) => [
      ...(tables.length > 1 ? [`**${escaped(table.title)}**`] : []),
      renderTable(table, servers, words),
    ]),
    ...renderLoads(run, loads, words),
  ];
  if (parts.length === 0) return undefined;
  const origin = source === undefined ? '' : ` (${escaped(source)})`;
  return [...parts, ...(conditions ? [words.tables.published(escaped(conditions), origin)] : [])].join(
    '\n\n',
  );
}

/**
 * @param {Table} table
 * @param {NonNullable<Published['servers']>} servers
 * @param {Words} words
 */
function renderTable({ rows, yardstick }, servers, words) {
  const { columns: heads, count, milliseconds, rate, range } = words;
  const compared = rows.flatMap((row) => {
    const theirs = theirsOf(row.of, servers);
    return theirs ? [{ row, summary: row.summary, theirs }] : [];
  });
  const base = yardstick && theirsOf(yardstick, servers);
  /** @type {[string, (pair: typeof compared[number]) => string][]} */
  const columns = [
    [heads.server, ({ row }) => escaped(row.of.serverName, 120)],
    [heads.published(heads.rate), ({ theirs }) => range([theirs.throughput].flat().map(rate))],
    [heads.here, ({ summary }) => rate(summary.throughput)],
    [heads.ratio, ({ row, theirs }) => ratios(row, { theirs, base, yardstick }, words)],
    [heads.conclusion, ({ row, theirs }) => conclusion(row, { theirs, base, yardstick }, words)],
    [heads.published(heads.avgMs), ({ theirs }) => ifKnown(theirs.latencyAvgMs, milliseconds)],
    [heads.here, ({ summary }) => ifKnown(summary.latencyMs?.avg, milliseconds)],
    [heads.published(heads.p99Ms), ({ theirs }) => ifKnown(theirs.p99Ms, milliseconds)],
    [heads.here, ({ summary }) => ifKnown(summary.latencyMs?.p99, milliseconds)],
    [heads.published(heads.errors), ({ theirs }) => ifKnown(theirs.errors, count)],
    [heads.here, ({ summary }) => escaped(errorText(summary.errors, words))],
  ];
  // What was not published needs no figure of ours beside it.
  const told = columns.map(([, text]) => compared.some((pair) => text(pair) !== ''));
  const kept = columns.filter(([name], index) => told[index] && (name !== heads.here || told[index - 1]));
  return markdownTable(
    [kept.map(([name]) => name), ...compared.map((pair) => kept.map(([, text]) => text(pair)))],
    {
      align: kept.map(([name]) => ([heads.server, heads.ratio, heads.conclusion].includes(name) ? 'l' : 'r')),
    },
  );
}

/**
 * @param {RunCase} of
 * @param {NonNullable<Published['servers']>} servers
 */
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
    escaped(yardstick.serverName),
    `${bound}${multiple(ratio.value)}`,
  );
}

/**
 * @param {Row} row
 * @param {Beside} beside
 * @param {Words} words
 */
function conclusion({ of }, { theirs, base, yardstick }, { conclusions }) {
  if (!base || !yardstick || !(middle(base) > 0) || of === yardstick) return '';
  const isLimited = of.summary?.clientBound || yardstick.summary?.clientBound;
  const here = isLimited ? undefined : quotientOf(of, yardstick);
  return conclusions[conclusionOf(middle(theirs) / middle(base), here)];
}
