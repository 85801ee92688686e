/**
 * A plan: its cases, each round's order, and how long it will take.
 * @import { Config, Plan, Step } from '../../types.js'
 * @import { Words } from '../text/words.js'
 * @import { Answer, Block } from './blocks.js'
 */

import { conditionsOf } from '../../model/dimensions.js';
import { arePairsGated } from '../../samples/figures.js';
import { plain } from '../text/inline.js';
import { loadText } from '../text/load-words.js';
import { column, list, names, table, text } from './blocks.js';

/** @typedef {Partial<Pick<Config, 'gates' | 'explain'>>} Asked */

/**
 * @param {Plan} plan
 * @param {Words} words
 * @param {Asked & { lacking?: { server: string, why: string }[] }} [context] lacking: servers that this
 *   machine cannot measure
 * @returns {Answer}
 */
export function planAnswer(plan, words, { lacking = [], ...asked } = {}) {
  const { title, sides, seed, estimateSeconds: seconds } = plan;
  const { plan: phrases } = words;
  // It expects no more rounds than these: in a comparison the reference is rare.
  const starts = plan.order.slice(0, plan.rounds).flat(2);
  const cases = plan.cases.filter((planned) => starts.some((step) => step.case === planned));
  const own = sides.length > 1 ? cases.filter(({ reference }) => !reference) : [];
  const made = sides.flatMap(({ servers }) =>
    Object.values(servers).filter(({ install, build }) => install !== undefined || build !== undefined),
  );
  const extent = phrases.extent(starts.length, seconds, seconds >= plan.budgetSeconds);
  const labels = sides.map(({ label }) => `${label[0]}: ${label}`).join(', ');
  return {
    language: words.language,
    title: phrases.title({ title, cases: own.length || cases.length, extent, seed }),
    blocks: [
      ...list([...lacking.map(phrases.lacking), ...(made.length > 0 ? [phrases.made(made.length)] : [])]),
      ...caseTable(cases, plan.timetable, words),
      ...(sides.length > 1 ? [text(labels)] : []),
      ...list([...timeTexts(plan, starts, { phrases, ...asked }), phrases.round(firstRound(plan, cases))]),
    ],
  };
}

/**
 * Values that all share are below the table.
 * @type {(cases: Plan['cases'], timetable: Plan['timetable'], words: Words) => Block[]}
 */
function caseTable(cases, { windows }, words) {
  const { columns: heads, tables, plan: phrases } = words;
  const columns = [
    names(cases, heads.server, ({ server, reference }) =>
      plain(reference ? `${server} ${tables.reference}` : server),
    ),
    names(cases, heads.route, ({ route }) => plain(route)),
    names(cases, heads.load, (planned) => loadText(conditionsOf(planned), words)),
    names(cases, phrases.time, (planned) => phrases.times(planned, /** @type {any} */ (windows[planned.id]))),
  ];
  const isShared = (/** @type {{ cells: string[] }} */ { cells }) =>
    cells.length > 1 && new Set(cells).size === 1;
  const shown = columns.filter((candidate) => !isShared(candidate));
  const numbers = column(cases, '', (planned) => `${cases.indexOf(planned) + 1}`, { priority: 0 });
  const shared = columns.filter(isShared).map(({ cells }) => cells[0]);
  return [table([numbers, ...shown]), ...(shared.length > 0 ? [text(phrases.all(shared.join('; ')))] : [])];
}

/**
 * Why there are so many rounds, and what else the time is for; starts: that it expects.
 * @type {(plan: Plan, starts: Step[], context: Asked & { phrases: Words['plan'] }) => string[]}
 */
function timeTexts(plan, starts, { phrases, gates, explain }) {
  const { cases, sides, rounds, roundsBy, untilDecided, timetable, isScouted } = plan;
  const references = starts.filter((step) => step.case.reference).length;
  const isPart = references > 0 && references < starts.length;
  const isCompared = sides.length > 1;
  const [requests] = cases.flatMap(({ warmupRequests = [] }) => warmupRequests);
  const longest = Math.max(...Object.values(timetable.windows).map(({ mostSeconds }) => mostSeconds));
  return [
    ...(longest > 0 ? [phrases.longer(longest, requests)] : []),
    phrases.rounds(rounds, timetable.roundSeconds, phrases.roundsBy[roundsBy]),
    ...(cases.some(({ sharedSeconds }) => sharedSeconds) ? [phrases.shared] : []),
    ...(isScouted && cases.length > 1 ? [phrases.controls] : []),
    ...(isPart ? [phrases.references(references, starts.length)] : []),
    ...(isCompared && arePairsGated(gates) ? [phrases.reserved(timetable.mostReservedSeconds)] : []),
    ...(isCompared && untilDecided && explain ? [phrases.explains(timetable.explainSeconds)] : []),
  ];
}

/** Returns "(1b 1h) (2b 2h)", numbered from 1. @type {(plan: Plan, shown: Plan['cases']) => string} */
function firstRound({ sides, order }, shown) {
  const nameOf = (/** @type {Step} */ step) =>
    `${shown.indexOf(step.case) + 1}${sides.length > 1 ? step.side.label[0] : ''}`;
  const [groups = []] = order.map((round) => round.map((group) => group.map(nameOf)));
  return groups.map((group) => (group.length > 1 ? `(${group.join(' ')})` : group.join(''))).join(' ');
}
