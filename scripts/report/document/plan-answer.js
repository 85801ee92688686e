/**
 * A plan: its cases, each round's order, and how long it will take.
 * @import { Plan } from '../../types.js'
 * @import { Words } from '../text/words.js'
 * @import { Answer, Block } from './blocks.js'
 */

import { conditionsOf } from '../../model/dimensions.js';
import { plain } from '../text/inline.js';
import { loadText } from '../text/load-words.js';
import { column, list, names, table, text } from './blocks.js';

/** More rounds than these are shuffled alike and tell a reader nothing new. */
const SHOWN_ROUNDS = 10;

/**
 * @param {Plan} plan
 * @param {Words} words
 * @param {{ server: string, why: string }[]} [lacking] servers that this machine cannot measure
 * @returns {Answer}
 */
export function planAnswer(plan, words, lacking = []) {
  const { title, sides, seed, untilDecided } = plan;
  const { plan: phrases } = words;
  const cases = measuredIn(plan);
  const own = sides.length > 1 ? cases.filter(({ reference }) => !reference) : [];
  const made = sides.flatMap(({ servers }) =>
    Object.values(servers).filter(({ install, build }) => install !== undefined || build !== undefined),
  );
  const extent = extentText(plan, words);
  const labels = sides.map(({ label }) => `${label[0]}: ${label}`).join(', ');
  return {
    language: words.language,
    title: phrases.title({ title, cases: own.length || cases.length, extent, seed }),
    blocks: [
      ...list([
        ...lacking.map(phrases.lacking),
        ...(made.length > 0 ? [phrases.made(made.length)] : []),
        ...(sides.length > 1 && untilDecided ? [phrases.explains] : []),
      ]),
      ...caseTable(cases, words),
      ...(sides.length > 1 ? [text(labels)] : []),
      ...list(roundTexts(plan, cases, words)),
    ],
  };
}

/** @param {Plan} plan @returns {Plan['cases']} those of the rounds that it expects: in a comparison the reference is rare */
function measuredIn({ cases, order, rounds }) {
  const steps = order.slice(0, rounds).flat(2);
  return cases.filter((planned) => steps.some((step) => step.case === planned));
}

/** @param {Plan} plan @param {Words} words @returns {string} its starts, and the time that they take */
function extentText({ order, rounds, estimateSeconds, budgetSeconds, untilDecided }, words) {
  if (untilDecided) {
    const sizes = order.slice(0, rounds).map((groups) => groups.flat().length);
    return words.plan.untilDecided(rounds, [Math.min(...sizes), Math.max(...sizes)], budgetSeconds);
  }
  const starts = order.flat(2).length;
  return estimateSeconds < budgetSeconds
    ? words.plan.about(starts, estimateSeconds)
    : words.plan.atMost(starts, budgetSeconds);
}

/** @param {Plan['cases']} cases @param {Words} words @returns {Block[]} values that all share are below the table */
function caseTable(cases, words) {
  const { columns: heads, tables, plan: phrases } = words;
  const columns = [
    names(cases, heads.server, ({ server, reference }) =>
      plain(reference ? `${server} ${tables.reference}` : server),
    ),
    names(cases, heads.route, ({ route }) => plain(route)),
    names(cases, heads.load, (planned) => loadText(conditionsOf(planned), words)),
    names(cases, phrases.time, ({ load }) => phrases.times(load)),
  ];
  const isShared = (/** @type {{ cells: string[] }} */ { cells }) =>
    cells.length > 1 && new Set(cells).size === 1;
  const shown = columns.filter((candidate) => !isShared(candidate));
  const numbers = column(cases, '', (planned) => `${cases.indexOf(planned) + 1}`, { priority: 0 });
  const shared = columns.filter(isShared).map(({ cells }) => cells[0]);
  return [table([numbers, ...shown]), ...(shared.length > 0 ? [text(phrases.all(shared.join('; ')))] : [])];
}

/** @param {Plan} plan @param {Plan['cases']} shown numbered from 1 @param {Words} words @returns {string[]} "Round 1: (1b 1h) (2b 2h)" */
function roundTexts({ sides, order, rounds, untilDecided }, shown, { plan: phrases }) {
  const listed = Math.min(rounds, SHOWN_ROUNDS);
  const lines = order.slice(0, listed).map((groups, round) => {
    const started = groups.map((group) => {
      const steps = group.map(
        (step) => `${shown.indexOf(step.case) + 1}${sides.length > 1 ? step.side.label[0] : ''}`,
      );
      return steps.length > 1 ? `(${steps.join(' ')})` : steps.join('');
    });
    return phrases.round(round + 1, started.join(' '));
  });
  const more = (untilDecided ? order.length : rounds) - listed;
  return more > 0 ? [...lines, phrases.more(untilDecided ? undefined : more)] : lines;
}
