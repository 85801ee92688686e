/**
 * What the tables show, before it is written as Markdown, HTML or plain text.
 * @import { Errors, MetricComparison, Comparison, Run, RunCase, Summary } from '../types.js'
 */

/**
 * A row of a table: a case and how it stands to the others. change: the comparison's row for throughput.
 * @typedef {{ of: RunCase, summary: Summary, share?: number, ratio?: number, change?: MetricComparison | undefined }} Row
 * @typedef {{ title: string, rows: Row[], failed: RunCase[], reference?: RunCase, yardstick?: RunCase }} Table
 *   rows: ranked first, then those whose client was the bottleneck, the reference arm last
 */

/**
 * One table a load and route.
 * @param {Run} run
 * @param {Comparison | undefined} comparison
 * @returns {Table[]}
 */
export function tablesOf(run, comparison) {
  /** @type {Map<string, RunCase[]>} */
  const groups = new Map();
  for (const of of run.cases) groups.set(groupOf(of), [...(groups.get(groupOf(of)) ?? []), of]);
  return [...groups].map(([title, cases]) => tableOf(title, cases, { run, comparison }));
}

/**
 * Run files of other programs may tell less of the load.
 * @param {RunCase} of
 */
function groupOf({ route, load }) {
  const {
    tool,
    connections,
    pipelining = 1,
    keepAlive,
    rate,
    threads = 1,
  } = /** @type {Partial<RunCase['load']>} */ (load ?? {});
  return [
    route,
    tool,
    connections && `${connections} connections`,
    pipelining > 1 && `pipelining ${pipelining}`,
    keepAlive === false && 'no keep-alive',
    rate && `${rate} requests a second`,
    threads > 1 && `${threads} threads`,
  ]
    .filter(Boolean)
    .join(', ');
}

/**
 * @param {string} title
 * @param {RunCase[]} cases
 * @param {{ run: Run, comparison: Comparison | undefined }} context
 * @returns {Table}
 */
function tableOf(title, cases, { run, comparison }) {
  const reference = cases.find((of) => of.reference && of.summary);
  const yardstick = cases.find(({ server, summary }) => server === run.relativeTo && summary);
  const rows = cases.flatMap((of) => {
    const { summary } = of;
    if (!summary) return [];
    const change = comparison?.cases
      .find(({ id }) => id === of.id)
      ?.metrics.find(({ metric }) => metric === 'throughput');
    return [
      {
        of,
        summary,
        ...(reference?.summary && { share: summary.throughput / reference.summary.throughput }),
        ...(yardstick?.summary && { ratio: summary.throughput / yardstick.summary.throughput }),
        change,
      },
    ];
  });
  return {
    title,
    rows: rows.toSorted((a, b) => place(a) - place(b) || b.summary.throughput - a.summary.throughput),
    failed: cases.filter(({ summary, trials }) => !summary || trials.some(({ failure }) => failure)),
    ...(reference && { reference }),
    ...(yardstick && { yardstick }),
  };
}

/**
 * A figure that the client limited says nothing of the server and is not ranked.
 * @param {Row} row
 */
function place({ of, summary }) {
  return of.reference ? 2 : summary.clientBound ? 1 : 0;
}

/**
 * @param {Partial<Errors> | undefined} errors
 * @returns {string} "0", or "3 timeouts, 2 non-2xx"; empty where nobody counted
 */
export function errorText(errors) {
  if (!errors) return '';
  const words = { timeouts: 'timeouts', connect: 'connect', read: 'read', write: 'write', non2xx: 'non-2xx' };
  const told = Object.entries(words).flatMap(([kind, word]) => {
    const number = errors[/** @type {keyof Errors} */ (kind)];
    return number ? [`${number.toLocaleString('en-US')} ${word}`] : [];
  });
  return told.join(', ') || '0';
}
