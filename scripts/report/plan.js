/**
 * A plan as text: its cases, each round's order, and how long it will take.
 * @import { Plan } from '../types.js'
 * @import { Words } from './text/words.js'
 */

import { conditionsOf } from '../model/dimensions.js';
import { column, names, table } from './document/blocks.js';
import { styler } from './render/styles.js';
import { fitTable, wrapped } from './render/terminal-table.js';
import { plain } from './text/inline.js';
import { loadText } from './text/load.js';
import { wordsIn } from './text/words.js';

/** More rounds than these are shuffled alike and tell a reader nothing new. */
const SHOWN_ROUNDS = 10;
const COLUMNS = 100;

/** @param {Plan} plan @param {{ width?: number, language?: string }} [options] width: in columns; absent: no limit @returns {string} */
export function renderPlan(plan, { width = Number.POSITIVE_INFINITY, language } = {}) {
  const { title, sides, cases, order, seed, estimateSeconds, budgetSeconds = Infinity, untilDecided } = plan;
  const words = wordsIn(language);
  const starts = order.flat(2).length;
  const made = sides.flatMap(({ servers }) =>
    Object.values(servers).filter(({ install, build }) => install !== undefined || build !== undefined),
  );
  const sizes = order.map((groups) => groups.flat().length);
  const extent = untilDecided
    ? words.plan.untilDecided([Math.min(...sizes), Math.max(...sizes)], budgetSeconds)
    : estimateSeconds < budgetSeconds
      ? words.plan.whole(starts, estimateSeconds)
      : words.plan.bounded(starts, budgetSeconds);
  const text = [
    words.plan.title({ title, cases: cases.length, extent, seed }),
    ...(made.length > 0 ? [words.plan.before(made.length)] : []),
    ...(sides.length > 1 && untilDecided ? [words.plan.after] : []),
  ];
  return [
    ...text.map((line) => wrapped(line, width)),
    '',
    caseTable(cases, { width, words }),
    '',
    ...(sides.length > 1 ? [sides.map(({ label }) => `${label[0]}: ${label}`).join(', ')] : []),
    ...roundLines(plan, Math.min(width, COLUMNS), words),
    '',
  ].join('\n');
}

/**
 * Values shared by all cases stand below the table, once.
 * @param {Plan['cases']} cases @param {{ width: number, words: Words }} screen
 */
function caseTable(cases, { width, words }) {
  const { columns: heads, tables, plan } = words;
  const rows = cases.map((planned, index) => ({ planned, number: `${index + 1}` }));
  const columns = [
    names(rows, heads.server, ({ planned: { server, reference } }) =>
      plain(reference ? `${server} ${tables.reference}` : server),
    ),
    names(rows, heads.route, ({ planned }) => plain(planned.route)),
    names(rows, heads.load, ({ planned }) => loadText(conditionsOf(planned), words)),
    names(rows, heads.time, ({ planned: { load } }) =>
      plan.time({
        warmup: load.warmupSeconds,
        measured: load.durationSeconds,
        windows: load.windows ?? 1,
      }),
    ),
  ];
  const isShared = (/** @type {{ cells: string[] }} */ { cells }) =>
    cells.length > 1 && new Set(cells).size === 1;
  const shown = columns.filter((candidate) => !isShared(candidate));
  const numbers = column(rows, '', ({ number }) => number, { priority: 0 });
  const fitted = fitTable(table([numbers, ...shown]), { width, styles: styler(false), words });
  const shared = columns.filter(isShared).map(({ cells }) => cells[0] ?? '');
  return shared.length > 0 ? `${fitted}\n\n${wrapped(plan.all(shared), width)}` : fitted;
}

/** @param {Plan} plan @param {number} width in columns @param {Words} words @returns {string[]} */
function roundLines({ sides, order, untilDecided }, width, { plan: words }) {
  const digits = `${Math.min(order.length, SHOWN_ROUNDS)}`.length;
  const lines = order.slice(0, SHOWN_ROUNDS).map((groups, round) => {
    const started = groups.map((group) => {
      const steps = group.map(
        (step) => `${step.case + 1}${sides.length > 1 ? sides[step.side]?.label[0] : ''}`,
      );
      return steps.length > 1 ? `(${steps.join(' ')})` : steps.join('');
    });
    const head = words.round(`${round + 1}`.padStart(digits));
    return wrapped([head, ...started].join(' '), width, ' '.repeat(head.length + 1));
  });
  const more = order.length - SHOWN_ROUNDS;
  if (more <= 0) return lines;
  return [...lines, untilDecided ? words.soOn : words.more(more)];
}
