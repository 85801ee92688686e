/**
 * The tables of this field: servers beside each other, or what became of each case.
 * @import { Comparison, Errors, LatencyMs, RunCase } from '../../types.js'
 * @import { Words } from '../text/words.js'
 * @import { Column, TableBlock } from './blocks.js'
 * @import { Context } from './document.js'
 * @import { Ratio } from '../../judge/case-groups.js'
 * @import { Row, Table } from './table-rows.js'
 */

import { sum } from 'd3-array';
import { isQuietControl } from '../../judge/case-verdict.js';
import { defined } from '../../model/defined.js';
import { FIGURES, METRICS } from '../../samples/figures.js';
import { namedChange, verdictText } from '../text/change-words.js';
import { ifKnown, MISSING } from '../text/format.js';
import { plain } from '../text/inline.js';
import { loopText } from '../text/load-words.js';
import { column, names, table } from './blocks.js';
import { failuresOf } from './notes.js';
import { caseColumns, figureText } from './server-tables.js';
import { tablesOf } from './table-rows.js';

/** The latency that a comparison at a fixed rate is about. */
const RATED = METRICS.find(({ judged }) => judged.decides === 'open')?.id;
/** Columns go the highest first where there is no room. @type {Record<string, number>} */
const LATENCY_PRIORITY = { p99: 3, p50: 6 };

/** What a pull request wants of latencies. */
const FEW = { p50: 'p50 ms', p99: 'p99 ms' };

/**
 * A row, or a case without a figure; base: of the same case, measured side by side.
 * @typedef {{ runCase: RunCase, row?: Row, base?: RunCase }} Line
 */

/**
 * Makes a table of each load and route; one line says what controls measured (controls.js).
 * @param {Context} context
 * @param {{ columns: 'all' | 'few', marks: Map<string, string> }} options few: what a pull request wants, and
 *   what became of each case; marks: of footnotes, by case
 * @returns {TableBlock[]}
 */
export function caseTables(context, { columns, marks }) {
  const { run, base: baseRun, comparison, words } = context;
  const isBeside = comparison?.method === 'side-by-side' && comparison.base.id === baseRun?.id;
  const baseCases = new Map((isBeside ? baseRun.cases : []).map((runCase) => [runCase.id, runCase]));
  const { base, head, oneSide, otherSide } = words.columns;
  const both = comparison?.against === 'self' ? [oneSide, otherSide] : [base, head];
  const sides = baseCases.size > 0 ? [both.map(words.within).join(' → ')] : [];
  const controls = new Set(comparison?.cases.filter(isQuietControl).map(({ id }) => id));
  const shown = run.cases.filter(({ id }) => columns === 'all' || !controls.has(id));
  return tablesOf({ ...run, cases: shown }, comparison, words).map((layout) => {
    const measured = layout.rows.map((row) => /** @type {Line} */ ({ runCase: row.runCase, row }));
    const failed = layout.failed.map((runCase) => ({ runCase }));
    // The worst verdict comes first; where nothing was compared, servers are ranked.
    const ranked = comparison ? [...failed, ...measured] : [...measured, ...failed];
    const lines = ranked
      .toSorted((a, b) => Number(a.runCase.reference ?? 0) - Number(b.runCase.reference ?? 0))
      .map((line) => ({ ...line, base: baseCases.get(line.runCase.id) }));
    const cases = lines.map(({ runCase }) => runCase);
    // The server of all, where rows name more.
    const [first, ...others] = lines.map(({ runCase }) => runCase.serverName);
    const isOnly = others.length > 0 && others.every((name) => name === first);
    const server = isOnly && (layout.routes || layout.loads.length > 0) ? first : undefined;
    return table(
      [
        ...nameColumns(lines, layout, { marks, words, server }),
        ...(columns === 'few' && comparison ? changeColumns(lines, comparison, words) : []),
        ...(columns === 'few' ? fewColumns : allColumns)(lines, layout, words),
        ...FIGURES.flatMap(({ id, few, column: head }) =>
          head !== undefined && (few || columns === 'all' || !comparison)
            ? figures(lines, words.heading(id, head), (runCase) => figureText(runCase, id, words), 4)
            : [],
        ),
        // A comparison of two sides leaves out the ratios between servers.
        ...(comparison ? [] : ratioColumns(lines, layout, words)),
      ],
      {
        title: `${plain([server, layout.title].filter(Boolean).join(', '), 200)} (${[loopText(cases, words), ...sides].join('; ')})`,
        pinned: cases.filter(({ reference }) => reference).length,
      },
    );
  });
}

/**
 * @param {Line[]} lines
 * @param {Table} layout
 * @param {{ marks: Map<string, string>, words: Words, server: string | undefined }} said server: in the title
 */
function nameColumns(lines, { routes, loads }, { marks, words, server }) {
  const areShown = [server === undefined, routes, loads.length > 0];
  const shown = caseColumns(lines, loads, words).filter((_, nth) => areShown[nth]);
  const marked = lines.map(({ runCase: { id, reference, summary } }, row) =>
    [shown[0]?.cells[row], reference && words.tables.reference, summary?.clientBound && '†', marks.get(id)]
      .filter(Boolean)
      .join(' '),
  );
  // The last one tells them apart.
  const cases = lines.map(({ runCase }) => runCase.id);
  return shown.map((each, nth) => ({
    ...each,
    ...(nth === 0 && { cells: marked }),
    ...(nth === shown.length - 1 && { cases }),
  }));
}

/**
 * The metric that decided the case: a red verdict beside an unchanged throughput explains nothing.
 * @type {(lines: Line[], comparison: Comparison, words: Words) => Column[]}
 */
function changeColumns(lines, { against }, words) {
  const { columns, change } = words;
  const verdict = (/** @type {Line} */ { row }) => {
    if (!row) return change.verdicts.failed;
    return ifKnown(row.change, (decisive) => verdictText(decisive, against, words));
  };
  const changed = (/** @type {Line} */ { row }) =>
    ifKnown(row?.change, (decisive) => namedChange(decisive, words));
  return [
    names(lines, columns.verdict, verdict, {
      isListed: true,
      verdicts: lines.map(({ row }) => (row ? row.change?.verdict : 'failed')),
    }),
    column(lines, columns.change, changed, { priority: 0, isListed: true }),
  ];
}

/** @type {(lines: Line[], layout: Table, words: Words) => Column[]} */
function fewColumns(lines, layout, words) {
  const hasErrors = lines.some(({ runCase, base }) =>
    [runCase, base].some((side) => side && errorsOf(side, words) !== '0'),
  );
  return [
    rateColumn(lines, words, 2),
    ...latencyColumns(lines, FEW, layout, words),
    ...(hasErrors ? [errorsColumn(lines, words)] : []),
  ];
}

/** @type {(lines: Line[], layout: Table, words: Words) => Column[]} */
function allColumns(lines, layout, words) {
  const { columns, count, megabytes } = words;
  return [
    ...latencyColumns(lines, columns.latency, layout, words),
    rateColumn(lines, words, 0),
    figures(lines, columns.peak, (runCase) => figureText(runCase, 'peakThroughput', words), 7),
    figures(lines, columns.requests, ({ summary }) => ifKnown(summary?.requests, count), 8),
    figures(lines, columns.read, ({ summary }) => ifKnown(summary?.bytes, megabytes), 9),
    errorsColumn(lines, words),
  ];
}

/**
 * Returns "897 → 461" where both sides were measured side by side.
 * @type {(lines: Line[], head: string, text: (runCase: RunCase, row?: Row) => string,
 *   priority?: number) => Column}
 */
function figures(lines, head, text, priority) {
  const cell = (/** @type {Line} */ { runCase, row, base }) => {
    const [before, now] = [base ? text(base) : '', text(runCase, row)];
    return before === '' ? now : `${before} → ${now || MISSING}`;
  };
  return column(lines, head, cell, defined({ priority }));
}

/** @type {(lines: Line[], words: Words, priority: number) => Column} */
function rateColumn(lines, { columns, rate }, priority) {
  const text = (/** @type {RunCase} */ { summary }, /** @type {Row | undefined} */ row) =>
    ifKnown(summary, ({ throughput }) => rate(throughput)) +
    ifKnown(row?.halfInterval, (half) => ` ± ${rate(half)}`);
  return figures(lines, columns.rate, text, priority);
}

/** @type {(lines: Line[], words: Words) => Column} */
function errorsColumn(lines, words) {
  return figures(lines, words.columns.errors, (runCase) => errorsOf(runCase, words));
}

/** @type {(runCase: RunCase, words: Words) => string} */
function errorsOf(runCase, words) {
  const { trials, summary } = runCase;
  if (!summary) {
    const kinds = failuresOf(runCase).map(({ kind }) => plain(kind));
    return kinds.join('; ') || words.tables.notMeasured;
  }
  const failed = sum(trials, ({ failure }) => (failure ? 1 : 0));
  const starts = failed > 0 ? words.tables.startsFailed(failed, trials.length) : '';
  return [plain(errorText(summary.errors, words)), starts].filter(Boolean).join(', ');
}

/** @type {(lines: Line[], layout: Table, words: Words) => Column[]} */
function ratioColumns(lines, { reference, yardstick }, { columns, portion, multiple }) {
  const bounded = (/** @type {Ratio} */ { bound }, /** @type {string} */ text) =>
    bound ? `${bound === 'at least' ? '≥' : '≤'} ${text}` : text;
  const [referenceName, yardstickName] = [reference, yardstick].map((runCase) =>
    plain(runCase?.serverName ?? '', 60),
  );
  const shareText = (/** @type {Line} */ { row }) =>
    row?.toReference ? bounded(row.toReference, portion(row.toReference.value)) : '';
  const ratioText = (/** @type {Line} */ { row }) =>
    row?.toYardstick ? bounded(row.toYardstick, `${multiple(row.toYardstick.value)} ${yardstickName}`) : '';
  return [
    column(lines, columns.shareOf(referenceName ?? ''), shareText, { priority: 7 }),
    column(lines, columns.ratio, ratioText, { priority: 5 }),
  ];
}

/**
 * Names the rate where all latencies are at one.
 * @type {(lines: Line[], headings: Partial<Record<keyof LatencyMs, string>>, layout: Table,
 *   words: Words) => Column[]}
 */
function latencyColumns(lines, headings, { rows }, { milliseconds, atRate }) {
  const rates = new Set(rows.map(({ runCase }) => runCase.load?.rate));
  const [rate] = rates.size === 1 ? rates : [];
  return Object.entries(headings).map(([name, heading]) =>
    figures(
      lines,
      rate !== undefined && name === RATED ? atRate(heading, rate) : heading,
      ({ summary }) => ifKnown(summary?.latencyMs?.[/** @type {keyof LatencyMs} */ (name)], milliseconds),
      LATENCY_PRIORITY[name] ?? 10,
    ),
  );
}

/**
 * Returns "0", or "3 timeouts, 2 wrong answers"; empty where nobody counted.
 * @type {(errors: Partial<Errors> | undefined, words: Words) => string}
 */
export function errorText(errors, words) {
  const counted = Object.entries(errors ?? {});
  if (counted.length === 0) return '';
  const texts = counted.flatMap(([kind, number]) => (number === 0 ? [] : words.tables.error(kind, number)));
  return words.list(texts) || '0';
}
