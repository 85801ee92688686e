/**
 * What others published for the same experiment, beside what was measured here.
 * @import { Published, Run } from '../types.js'
 * @import { Row, Table } from './facts.js'
 */

import { markdownTable } from 'markdown-table';
import { escaped } from './escape.js';
import { errorText, tablesOf } from './facts.js';
import { count, milliseconds, rate, times } from './format.js';

/**
 * @param {Run} run
 * @returns {string | undefined} undefined where nothing was published for it
 */
export function renderPublished(run) {
  // A run file of another program may leave out any of it.
  const { servers, conditions, source } = /** @type {Partial<Published>} */ (run.published ?? {});
  if (!servers) return undefined;
  const tables = tablesOf(run, undefined).filter(({ rows }) => rows.some(({ of }) => servers[of.server]));
  if (tables.length === 0) return undefined;
  const parts = tables.flatMap((table) => [
    ...(tables.length > 1 ? [`**${escaped(table.title)}**`] : []),
    renderTable(table, servers),
  ]);
  const origin = source === undefined ? '' : ` (${escaped(source)})`;
  return [...parts, ...(conditions ? [`Published under: ${escaped(conditions)}${origin}.`] : [])].join(
    '\n\n',
  );
}

/**
 * @param {Table} table
 * @param {Published['servers']} servers
 */
function renderTable({ rows, yardstick }, servers) {
  const compared = rows.flatMap((row) => {
    const theirs = servers[row.of.server];
    return theirs ? [{ row, summary: row.summary, theirs }] : [];
  });
  const base = yardstick && { ...servers[yardstick.server], name: yardstick.serverName };
  /** @type {[string, (pair: typeof compared[number]) => string][]} */
  const columns = [
    ['Server', ({ row }) => escaped(row.of.serverName, 120)],
    ['Req/s published', ({ theirs }) => rate(theirs.throughput)],
    ['here', ({ summary }) => rate(summary.throughput)],
    ['Ratio', ({ row, theirs }) => ratios(row, theirs, base)],
    ['Avg ms published', ({ theirs }) => optional(theirs.latencyAvgMs, milliseconds)],
    ['here', ({ summary }) => optional(summary.latencyMs?.avg, milliseconds)],
    ['p99 ms published', ({ theirs }) => optional(theirs.p99Ms, milliseconds)],
    ['here', ({ summary }) => optional(summary.latencyMs?.p99, milliseconds)],
    ['Errors published', ({ theirs }) => optional(theirs.errors, count)],
    ['here', ({ summary }) => escaped(errorText(summary.errors))],
  ];
  // What was not published needs no figure of ours beside it.
  const told = columns.map(([, text]) => compared.some((pair) => text(pair) !== ''));
  const kept = columns.filter(([name], index) => told[index] && (name !== 'here' || told[index - 1]));
  return markdownTable(
    [kept.map(([name]) => name), ...compared.map((pair) => kept.map(([, text]) => text(pair)))],
    { align: kept.map(([name]) => (['Server', 'Ratio'].includes(name) ? 'l' : 'r')) },
  );
}

/**
 * @param {number | undefined} value
 * @param {(value: number) => string} text
 */
function optional(value, text) {
  return value === undefined ? '' : text(value);
}

/**
 * @param {Row} row
 * @param {{ throughput: number }} theirs
 * @param {{ throughput?: number, name: string } | undefined} yardstick
 * @returns {string} "published 5.1x Express, here 1.8x"
 */
function ratios({ ratio }, theirs, yardstick) {
  if (!ratio || !yardstick?.throughput) return '';
  const bound = ratio.bound ? `${ratio.bound} ` : '';
  const published = times(theirs.throughput / yardstick.throughput);
  return `published ${published} ${escaped(yardstick.name)}, here ${bound}${times(ratio.value)}`;
}
