/** What the record shows, from its rows alone. */

import { group, max, median } from 'd3-array';
import jstat from 'jstat';
import { markdownTable } from 'markdown-table';
import { CASES, nameOf } from './cases.js';

/** @import { Row } from './one-report.js' */

const CONFIDENCE = 0.95;
/**
 * The shares that are planted in requests, as the table of machines calls them.
 * @type {[number, string][]}
 */
const PLANTED = [
  [0, 'nothing'],
  [0.055, '5.5 %'],
  [0.05, '5 %'],
  [0.025, '2.5 %'],
  [0.02, '2 %'],
];

/**
 * @param {Row[]} rows
 * @returns {string} Markdown: verdicts by kind of machine and by what was planted, one fact a cell; of an
 *   unchanged server, the startup counts as well
 */
export function machinesTable(rows) {
  const lines = [...group(rows, ({ machine }) => machine)].flatMap(([machine, ofMachine]) => {
    const starts = ofMachine.filter(({ planted, metrics }) => planted === 0 && metrics.startupCpu);
    return [
      ...PLANTED.map(([share, name]) => {
        const made = ofMachine.filter((row) => row.planted === share && (share === 0 || !isOfStart(row)));
        return cellsOf(name, made, share === 0 ? isAlarm : ({ verdict }) => verdict === 'regressed');
      }),
      cellsOf('nothing, startup judged', starts, ({ metrics }) => isChange(metrics.startupCpu)),
    ].flatMap((cells) => (cells.length > 0 ? [[machine, ...cells]] : []));
  });
  const head = ['machine', 'slower by', 'reports', 'called a change', 'at most', 'missed', 'median s'];
  return markdownTable([head, ...lines], { align: ['l', 'l', 'r', 'r', 'r', 'r', 'r'] });
}

/** None without rows. @type {(name: string, rows: Row[], isCalled: (row: Row) => boolean) => string[]} */
function cellsOf(name, rows, isCalled) {
  if (rows.length === 0) return [];
  const called = rows.filter(isCalled);
  const counts = [name, String(rows.length), String(called.length)];
  if (name.startsWith('nothing')) return [...counts, percent(mostOften(called.length, rows.length)), '', ''];
  const missed = rows.filter(({ verdict }) => verdict === 'same').length;
  return [...counts, '', String(missed), median(called, ({ seconds }) => seconds)?.toFixed(0) ?? ''];
}

/**
 * @param {Row[]} rows
 * @returns {string} Markdown: the verdicts of each case on each kind of machine, beside its goal
 */
export function casesTable(rows) {
  const lines = [...group(rows, ({ machine }) => machine)].flatMap(([machine, ofMachine]) =>
    CASES.flatMap((each) => {
      const made = ofMachine.filter(({ name }) => name === nameOf(each));
      return made.length > 0 ? [[...caseCells(each, made), machine]] : [];
    }),
  );
  const head = [
    'case',
    'margin',
    'slower',
    'same',
    'unsure',
    'faster',
    'in time',
    'median s',
    'longest s',
    'measured, median',
  ];
  return markdownTable([[...head, 'machine'], ...lines], {
    align: ['l', ...head.slice(1).map(() => 'r'), 'l'],
  });
}

/** A sentence: whether the budgets that reports advised then decided. @type {(rows: Row[]) => string} */
export function adviceText(rows) {
  const followed = rows.flatMap(({ advised }) => (advised?.verdict === undefined ? [] : [advised.verdict]));
  const decided = followed.filter((verdict) => verdict !== 'unsure').length;
  return `${decided} of ${followed.length} advised budgets decided what was unsure.`;
}

/**
 * @param {import('./cases.js').Case} each
 * @param {Row[]} rows
 */
function caseCells(each, rows) {
  const wanted = each.planted === 0 ? 'same' : 'regressed';
  const verdicts = rows.map(verdictOf);
  const count = (/** @type {string} */ verdict) => verdicts.filter((made) => made === verdict).length;
  const inTime = rows.filter(
    (row) =>
      verdictOf(row) === wanted &&
      row.others.every((verdict) => verdict === 'same') &&
      row.seconds <= each.within,
  );
  return [
    nameOf(each),
    each.margin,
    ...['regressed', 'same', 'unsure', 'improved'].map((verdict) => String(count(verdict))),
    `${inTime.length} of ${rows.length} in ${each.within} s`,
    median(rows, ({ seconds }) => seconds)?.toFixed(0),
    max(rows, ({ seconds }) => seconds)?.toFixed(0),
    `${median(rows, ({ changePct }) => changePct)?.toFixed(1)} %`,
  ];
}

/**
 * The largest share that so few of so many would still be likely with: the upper end of the exact one-sided
 * interval of Clopper and Pearson (https://en.wikipedia.org/wiki/Binomial_proportion_confidence_interval).
 * @param {number} count
 * @param {number} total more than 0
 * @returns {number} 0 to 1
 */
export function mostOften(count, total) {
  return count === total ? 1 : jstat.beta.inv(CONFIDENCE, count + 1, total - count);
}

/** @param {Row} row */
function isAlarm({ verdict, others }) {
  return [verdict, ...others].some(isChange);
}

/** @param {string | undefined} verdict */
function isChange(verdict) {
  return verdict === 'regressed' || verdict === 'improved';
}

/** @param {Row} row */
function isOfStart({ name }) {
  return name.startsWith('start of');
}

/** @param {Row} row */
function verdictOf(row) {
  return isOfStart(row) ? (row.metrics.startupCpu ?? 'unsure') : row.verdict;
}

/** @param {number} share */
function percent(share) {
  return `${(100 * share).toFixed(1)} %`;
}
