/**
 * A plan as text, in English: its cases, each round's order, and how long it will take.
 * @import { Load, Plan } from '../types.js'
 */

import { conditionsOf } from '../model/dimensions.js';
import { column, names, table, text } from './document/blocks.js';
import { blocksTerminal } from './render/terminal.js';
import { wrapped } from './render/terminal-table.js';
import { en, some } from './text/en.js';
import { plain } from './text/inline.js';
import { loadText } from './text/load.js';

/** More rounds than these are shuffled alike and tell a reader nothing new. */
const SHOWN_ROUNDS = 10;
const COLUMNS = 100;

/**
 * @param {Plan} plan
 * @param {{ width?: number, lacking?: { server: string, why: string }[] }} [options] width: in columns; absent: no limit; lacking:
 *   servers that this machine cannot measure
 * @returns {string}
 */
export function renderPlan(plan, { width = Number.POSITIVE_INFINITY, lacking = [] } = {}) {
  const { title, sides, seed, untilDecided } = plan;
  const cases = measuredIn(plan);
  const own = sides.length > 1 ? cases.filter(({ reference }) => !reference) : [];
  const made = sides.flatMap(({ servers }) =>
    Object.values(servers).filter(({ install, build }) => install !== undefined || build !== undefined),
  );
  const lines = [
    `${title}: ${some(own.length || cases.length, 'case')}, ${extentText(plan)} (seed ${seed})`,
    ...lacking.map(({ server, why }) => `Left out, server "${server}": ${why}`),
    made.length > 0 && `Not included: installing and building ${some(made.length, 'server')}`,
    sides.length > 1 &&
      untilDecided &&
      'If something gets slower, the time that is left profiles it to name the functions',
  ];
  return [
    ...lines.flatMap((line) => (line ? wrapped(line, width) : [])),
    '',
    caseTable(cases, width),
    ...(sides.length > 1 ? [sides.map(({ label }) => `${label[0]}: ${label}`).join(', ')] : []),
    ...roundLines(plan, cases, Math.min(width, COLUMNS)),
    '',
  ].join('\n');
}

/** @param {Plan} plan @returns {Plan['cases']} those of the rounds that it expects: in a comparison the reference is rare */
function measuredIn({ cases, order, rounds }) {
  const steps = order.slice(0, rounds).flat(2);
  const places = new Set(steps.map((step) => step.case));
  return cases.filter((_, place) => places.has(place));
}

/** @param {Plan} plan @returns {string} its starts, and the time that they take */
function extentText({ order, rounds, estimateSeconds, budgetSeconds = Infinity, untilDecided }) {
  if (untilDecided) {
    const sizes = order.slice(0, rounds).map((groups) => groups.flat().length);
    const [least, most] = [Math.min(...sizes), Math.max(...sizes)];
    const starts = `${least < most ? `${en.count(least)} to ` : ''}${some(most, 'start')}`;
    return `about ${some(rounds, 'round')} of ${starts}, fewer if every case is decided before, at most ${en.duration(budgetSeconds)}`;
  }
  const starts = some(order.flat(2).length, 'start');
  return estimateSeconds < budgetSeconds
    ? `${starts}, about ${en.duration(estimateSeconds)}`
    : `up to ${starts}, at most ${en.duration(budgetSeconds)}`;
}

/** Values that all cases share are printed once, below the table. @param {Plan['cases']} cases @param {number} width */
function caseTable(cases, width) {
  const { columns: heads, tables } = en;
  const columns = [
    names(cases, heads.server, ({ server, reference }) =>
      plain(reference ? `${server} ${tables.reference}` : server),
    ),
    names(cases, heads.route, ({ route }) => plain(route)),
    names(cases, heads.load, (planned) => loadText(conditionsOf(planned), en)),
    names(cases, 'Time', ({ load }) => timeText(load)),
  ];
  const isShared = (/** @type {{ cells: string[] }} */ { cells }) =>
    cells.length > 1 && new Set(cells).size === 1;
  const shown = columns.filter((candidate) => !isShared(candidate));
  const numbers = column(cases, '', (planned) => `${cases.indexOf(planned) + 1}`, { priority: 0 });
  const shared = columns.filter(isShared).map(({ cells }) => cells[0]);
  const all = shared.length > 0 ? [text(`All: ${shared.join('; ')}`)] : [];
  return blocksTerminal([table([numbers, ...shown]), ...all], en, width);
}

/** @param {Load} load @returns {string} "2 s of warm-up, 10 s measured" */
function timeText({ warmupSeconds, durationSeconds, windows = 1 }) {
  const warmup = warmupSeconds > 0 ? `${en.duration(warmupSeconds)} of warm-up, ` : '';
  const split = windows > 1 ? ` in ${windows} windows` : '';
  return `${warmup}${en.duration(durationSeconds)} measured${split}`;
}

/** @param {Plan} plan @param {Plan['cases']} shown numbered from 1 @param {number} width in columns @returns {string[]} */
function roundLines({ sides, cases, order, rounds, untilDecided }, shown, width) {
  const numbers = cases.map((planned) => shown.indexOf(planned) + 1);
  const listed = Math.min(rounds, SHOWN_ROUNDS);
  const lines = order.slice(0, listed).map((groups, round) => {
    const started = groups.map((group) => {
      const steps = group.map(
        (step) => `${numbers[step.case]}${sides.length > 1 ? sides[step.side]?.label[0] : ''}`,
      );
      return steps.length > 1 ? `(${steps.join(' ')})` : steps.join('');
    });
    const head = `Round ${`${round + 1}`.padStart(`${listed}`.length)}:`;
    return wrapped([head, ...started].join(' '), width, ' '.repeat(head.length + 1));
  });
  const more = (untilDecided ? order.length : rounds) - listed;
  if (more <= 0) return lines;
  const rest = untilDecided ? '...' : `and ${en.count(more)} more`;
  return [...lines, `${rest}, reshuffled every round`];
}
