/**
 * A plan in words: its cases, each round's order, and how long it will take.
 * @import { Plan } from '../types.js'
 * @import { Words } from './text/words.js'
 */

import { conditionsOf } from '../model/dimensions.js';
import { markdownTable } from 'markdown-table';
import { loadText } from './text/load.js';
import { wordsIn } from './text/words.js';

/** More rounds than these are shuffled alike and tell a reader nothing new. */
const SHOWN_ROUNDS = 10;
const COLUMNS = 100;

/** @param {Plan} plan @param {string} [language] @returns {string} */
export function renderPlan(plan, language) {
  const { title, sides, cases, order, seed, estimateSeconds, budgetSeconds = Infinity, untilDecided } = plan;
  const words = wordsIn(language);
  const boots = order.flat(2).length;
  const extent = untilDecided
    ? words.plan.untilDecided(roundSize(order), budgetSeconds)
    : estimateSeconds < budgetSeconds
      ? words.plan.whole(boots, estimateSeconds)
      : words.plan.bounded(boots, budgetSeconds);
  return [
    words.plan.title({ title, cases: cases.length, extent, seed }),
    ...aroundIt(plan, words),
    '',
    caseTable(cases, words),
    '',
    ...(sides.length > 1 ? [sides.map(({ label }) => `${label[0]}: ${label}`).join(', ')] : []),
    ...roundLines(plan, words),
    '',
  ].join('\n');
}

/**
 * @param {Plan} plan
 * @param {Words} words
 * @returns {string[]} what happens before the measurement and after it
 */
function aroundIt({ sides, untilDecided }, words) {
  const made = sides.flatMap(({ servers }) =>
    Object.values(servers).filter(({ install, build }) => install !== undefined || build !== undefined),
  );
  return [
    ...(made.length > 0 ? [words.plan.before(made.length)] : []),
    ...(sides.length > 1 && untilDecided ? [words.plan.after] : []),
  ];
}

/** @param {Plan['order']} order @returns {[number, number]} the fewest and the most boots */
function roundSize(order) {
  const sizes = order.map((groups) => groups.flat().length);
  return [Math.min(...sizes), Math.max(...sizes)];
}

/**
 * Values shared by all cases stand below the table, once.
 * @param {Plan['cases']} cases
 * @param {Words} words
 */
function caseTable(cases, words) {
  const heads = words.columns;
  const columns = [
    { head: heads.server, cells: cases.map((of) => nameOf(of, words)) },
    { head: heads.route, cells: cases.map(({ route }) => route) },
    { head: heads.load, cells: cases.map((of) => loadText(conditionsOf(of), words)) },
    { head: heads.time, cells: cases.map(({ load }) => timeText(load, words)) },
  ];
  const isShared = (/** @type {{ cells: string[] }} */ { cells }) =>
    cells.length > 1 && new Set(cells).size === 1;
  const shown = columns.filter((column) => !isShared(column));
  const rows = cases.map((_, index) => [`${index + 1}`, ...shown.map(({ cells }) => cells[index])]);
  const table = markdownTable([['', ...shown.map(({ head }) => head)], ...rows], {
    align: ['r', ...shown.map(() => 'l')],
  });
  const shared = columns.filter(isShared).map(({ cells }) => cells[0] ?? '');
  return shared.length > 0 ? `${table}\n\n${words.plan.all(shared)}` : table;
}

/** @param {Plan['cases'][number]} of @param {Words} words */
function nameOf({ server, reference }, words) {
  return reference ? `${server} ${words.tables.reference}` : server;
}

/** @param {Plan['cases'][number]['load']} load @param {Words} words */
function timeText({ warmupSeconds, durationSeconds, windows = 1 }, words) {
  return words.plan.time({ warmup: warmupSeconds, measured: durationSeconds, windows });
}

/** @param {Pick<Plan, 'sides' | 'order' | 'untilDecided'>} plan @param {Words} words @returns {string[]} */
function roundLines({ sides, order, untilDecided }, { plan: words }) {
  const width = `${Math.min(order.length, SHOWN_ROUNDS)}`.length;
  const lines = order.slice(0, SHOWN_ROUNDS).flatMap((groups, round) => {
    const booted = groups.flatMap((group) => {
      const names = group.map(
        (step) => `${step.case + 1}${sides.length > 1 ? sides[step.side]?.label[0] : ''}`,
      );
      return names.length > 1 ? [`(${names[0]}`, ...names.slice(1, -1), `${names.at(-1)})`] : names;
    });
    return wrapped(words.round(`${round + 1}`.padStart(width)), booted);
  });
  const more = order.length - SHOWN_ROUNDS;
  if (more <= 0) return lines;
  return [...lines, untilDecided ? words.soOn : words.more(more)];
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
