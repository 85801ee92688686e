/**
 * What others published for the same experiment, beside what was measured here.
 * @import { Run } from '../types.js'
 */

import { markdownTable } from 'markdown-table';
import { escaped, milliseconds, rate, times } from './format.js';

/**
 * @param {Run} run
 * @returns {string | undefined} undefined where nothing was published for it
 */
export function renderPublished(run) {
  const { published, relativeTo } = run;
  if (!published) return undefined;
  const measured = run.cases.filter(({ server, summary }) => summary && published.servers[server]);
  const yardstick = relativeTo === undefined ? undefined : published.servers[relativeTo];
  const ours = run.cases.find(({ server }) => server === relativeTo)?.summary;
  const name = run.cases.find(({ server }) => server === relativeTo)?.serverName ?? '';
  const rows = measured.map(({ server, serverName, summary }) => {
    const theirs = /** @type {NonNullable<typeof yardstick>} */ (published.servers[server]);
    const here = /** @type {NonNullable<typeof summary>} */ (summary);
    const ratios =
      yardstick && ours
        ? `published ${times(theirs.throughput / yardstick.throughput)} ${escaped(name)}, here ${times(here.throughput / ours.throughput)}`
        : '';
    return [
      escaped(serverName),
      rate(theirs.throughput),
      rate(here.throughput),
      theirs.p99Ms === undefined ? '' : milliseconds(theirs.p99Ms),
      here.latencyMs?.p99 === undefined ? '' : milliseconds(here.latencyMs.p99),
      ratios,
    ];
  });
  const table = markdownTable(
    [['Server', 'Req/s published', 'here', 'p99 ms published', 'here', 'Ratio'], ...rows],
    { align: ['l', 'r', 'r', 'r', 'r', 'l'] },
  );
  return `${table}\n\nPublished under: ${escaped(published.conditions)} (${escaped(published.source)}).`;
}
