/** What the record shows, from its rows alone. */

import { group, max, median } from 'd3-array';
import jstat from 'jstat';
import { markdownTable } from 'markdown-table';
import { CASES, nameOf } from './cases.js';

/** @import { Row } from './one-report.js' */

const CONFIDENCE = 0.95;
/** What the table of machines counts: the share planted, and its heading. @type {[number, string][]} */
const FINDS = [
  [0.05, '5 % slower, found'],
  [0.02, '2 % slower, found'],
];

/**
 * @param {Row[]} rows
 * @returns {string} Markdown: false alarms and finds by kind of machine
 */
export function machinesTable(rows) {
  const lines = [...group(rows, ({ machine }) => machine)].map(([machine, ofMachine]) => {
    const unchanged = ofMachine.filter(({ planted }) => planted === 0);
    const alarms = unchanged.filter(isAlarm).length;
    const starts = unchanged.filter(({ metrics }) => metrics.startupCpu !== undefined);
    const startAlarms = starts.filter(({ metrics }) => isChange(metrics.startupCpu)).length;
    return [
      machine,
      unchanged.length === 0
        ? ''
        : `${alarms} of ${unchanged.length} reports, at most ${percent(mostOften(alarms, unchanged.length))}`,
      `${startAlarms} of ${starts.length}`,
      ...FINDS.map(([planted]) =>
        finds(ofMachine.filter((row) => row.planted === planted && !isOfStart(row))),
      ),
    ];
  });
  const head = [
    'machine',
    'false alarms',
    'false alarms about the startup',
    ...FINDS.map(([, heading]) => heading),
  ];
  return markdownTable([head, ...lines]);
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

/** @param {import('./cases.js').Case} each @param {Row[]} rows */
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
 * The largest share that so few of so many would still be likely with: the upper end of the exact one-sided interval of
 * Clopper and Pearson (https://en.wikipedia.org/wiki/Binomial_proportion_confidence_interval).
 * @param {number} count @param {number} total more than 0
 * @returns {number} 0 to 1
 */
export function mostOften(count, total) {
  return count === total ? 1 : jstat.beta.inv(CONFIDENCE, count + 1, total - count);
}

/** @param {Row[]} rows */
function finds(rows) {
  if (rows.length === 0) return '';
  const found = rows.filter(({ verdict }) => verdict === 'regressed');
  const missed = rows.filter(({ verdict }) => verdict === 'same').length;
  const after = median(found, ({ seconds }) => seconds);
  return [
    `${found.length} of ${rows.length}`,
    ...(after === undefined ? [] : [`median after ${after.toFixed(0)} s`]),
    ...(missed > 0 ? [`${missed} \`same\``] : []),
  ].join(', ');
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
