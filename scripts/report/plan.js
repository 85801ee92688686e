/**
 * A plan in words: its cases, each round's order, and how long it will take.
 * @import { Plan } from '../types.js'
 */

import { markdownTable } from 'markdown-table';
import { count, duration, some } from './format.js';
import { loadText } from './load.js';

/** More rounds than these are shuffled alike and tell a reader nothing new. */
const SHOWN_ROUNDS = 10;
const COLUMNS = 100;

/**
 * @param {Plan} plan
 * @returns {string}
 */
export function renderPlan(plan) {
  const { title, sides, cases, order, seed, estimateSeconds, budgetSeconds = Infinity, untilDecided } = plan;
  const boots = some(order.flat(2).length, 'boot');
  const until = `until every case is decided, at most ${duration(budgetSeconds)}`;
  const told = untilDecided
    ? `rounds of ${roundSize(order)} ${until}`
    : estimateSeconds < budgetSeconds
      ? `${boots}, about ${duration(estimateSeconds)}`
      : `up to ${boots}, at most ${duration(budgetSeconds)}`;
  return [
    `${title}: ${some(cases.length, 'case')}, ${told} (seed ${seed})`,
    '',
    caseTable(cases),
    '',
    ...(sides.length > 1 ? [sides.map(({ label }) => `${label[0]}: ${label}`).join(', ')] : []),
    ...roundLines(plan),
    '',
  ].join('\n');
}

/**
 * @param {Plan['order']} order
 * @returns {string} in boots
 */
function roundSize(order) {
  const sizes = order.map((groups) => groups.flat().length);
  const [least, most] = [Math.min(...sizes), Math.max(...sizes)];
  return `${least < most ? `${count(least)} to ` : ''}${some(most, 'boot')}`;
}

/**
 * What is the same in every case is told below the table, once.
 * @param {Plan['cases']} cases
 */
function caseTable(cases) {
  const columns = [
    { head: 'Server', cells: cases.map((of) => `${of.server}${of.reference ? ' (reference)' : ''}`) },
    { head: 'Route', cells: cases.map(({ route }) => route) },
    { head: 'Load', cells: cases.map(({ load }) => loadText(load)) },
    { head: 'Time', cells: cases.map(({ load }) => timeText(load)) },
  ];
  const isShared = (/** @type {{ cells: string[] }} */ { cells }) =>
    cells.length > 1 && new Set(cells).size === 1;
  const shown = columns.filter((column) => !isShared(column));
  const rows = cases.map((_, index) => [`${index + 1}`, ...shown.map(({ cells }) => cells[index])]);
  const table = markdownTable([['', ...shown.map(({ head }) => head)], ...rows], {
    align: ['r', ...shown.map(() => 'l')],
  });
  const shared = columns.filter(isShared).map(({ cells }) => cells[0]);
  return shared.length > 0 ? `${table}\n\nAll: ${shared.join('; ')}` : table;
}

/** @param {Plan['cases'][number]['load']} load */
function timeText({ warmupSeconds, durationSeconds, windows = 1 }) {
  const warmup = warmupSeconds > 0 ? `${duration(warmupSeconds)} of warm-up, ` : '';
  return `${warmup}${duration(durationSeconds)} measured${windows > 1 ? ` in ${windows} windows` : ''}`;
}

/**
 * @param {Pick<Plan, 'sides' | 'order' | 'untilDecided'>} plan
 * @returns {string[]}
 */
function roundLines({ sides, order, untilDecided }) {
  const width = `${Math.min(order.length, SHOWN_ROUNDS)}`.length;
  const lines = order.slice(0, SHOWN_ROUNDS).flatMap((groups, round) => {
    const booted = groups.flatMap((group) => {
      const names = group.map(
        (step) => `${step.case + 1}${sides.length > 1 ? sides[step.side]?.label[0] : ''}`,
      );
      return names.length > 1 ? [`(${names[0]}`, ...names.slice(1, -1), `${names.at(-1)})`] : names;
    });
    return wrapped(`Round ${`${round + 1}`.padStart(width)}:`, booted);
  });
  const more = order.length - SHOWN_ROUNDS;
  if (more <= 0) return lines;
  return [...lines, `and ${untilDecided ? 'so on' : `${count(more)} more`}, each in an order of its own`];
}

/**
 * @param {string} head
 * @param {string[]} words
 * @returns {string[]} lines, the later ones indented as far as the head is long
 */
function wrapped(head, words) {
  /** @type {string[]} */
  const lines = [];
  let line = head;
  for (const word of words) {
    if (line.length + 1 + word.length > COLUMNS) {
      lines.push(line);
      line = ' '.repeat(head.length);
    }
    line += ` ${word}`;
  }
  return [...lines, line];
}
