/**
 * The result of a comparison: a line for each change and each unsure case, and a table of every metric.
 * @import { CaseComparison, MetricComparison, Verdict } from '../../types.js'
 * @import { Words } from '../text/words.js'
 * @import { Block, Column, Item } from './blocks.js'
 * @import { Context } from './document.js'
 */

import { rollup } from 'd3-array';
import { decisiveChange, isQuietControl, worstFirst } from '../../judge/case-verdict.js';
import { isOpenGate } from '../../judge/gate.js';
import { POWER } from '../../judge/power.js';
import { MOST_ROUNDS } from '../../judge/verdicts.js';
import { LEADING, METRICS } from '../../samples/figures.js';
import { quoted } from '../../system/process/shell.js';
import {
  answerText,
  changeText,
  figuresText,
  isOfTime,
  labelOf,
  openText,
  sizeText,
  verdictText,
  whyText,
  withinTexts,
} from '../text/change-words.js';
import { firstOf, ifKnown, isTooWide } from '../text/format.js';
import { plain, strong } from '../text/inline.js';
import { column, list, names, table, text } from './blocks.js';
import { controlItems } from './controls.js';
import { isCounted } from './counted.js';
import { refText, versionNames } from './trust.js';

/** Show at most this many; the table has all. */
const [OPEN_LINES, SAME_LINES] = [8, 10];

/** Nobody waits longer for an answer: other advice comes first. */
const LONGEST_SECONDS = 20 * 60;

/** It has a comparison. @typedef {Context & { comparison: NonNullable<Context['comparison']> }} Compared */

/** The worst first; of a server against itself, the noise floor. @type {(context: Context) => Block[]} */
export function changeBlocks({ comparison, ...facts }) {
  if (!comparison) return [];
  const context = { ...facts, comparison };
  const cases = worstFirst(comparison.cases);
  if (comparison.against === 'self') {
    const failed = cases.filter(({ verdict }) => verdict === 'failed');
    return [...list(failed.flatMap((compared) => changesOf(compared, context))), ...floorBlocks(context)];
  }
  const changes = cases.map((compared) => ({ compared, items: changesOf(compared, context) }));
  const unchanged = changes.flatMap(({ compared, items }) =>
    compared.verdict === 'same' && items.length === 0 && !isQuietControl(compared) ? compared : [],
  );
  return list([
    ...togetherItems(context),
    ...changes.flatMap(({ items }) => items),
    ...openItems(cases, context),
    ...controlItems(context),
    // The title of counts alone says of how many routes nothing changed.
    ...(isCounted(facts.run) ? [] : sameItems(unchanged, context)),
    ...rerunItems(context),
  ]);
}

/**
 * Cases that are unsure for one reason share a line. The intervals are in a file's tables alone.
 * @type {(cases: CaseComparison[], context: Compared) => Item[]}
 */
function openItems(cases, { words, nameOf }) {
  const open = cases.filter(isOpen);
  return /** @type {const} */ (['terminal', 'files']).flatMap((only) => {
    const options = { hasInterval: only === 'terminal' };
    const reasonOf = (/** @type {CaseComparison} */ compared) => {
      const change = decisiveChange(compared);
      if (!change) return words.change.verdicts.unsure;
      return `${labelOf(change, words)} ${openText(change, words, options)}`;
    };
    const namesOf = (/** @type {CaseComparison[]} */ alike) => alike.map(({ id }) => strong(nameOf(id)));
    /** @type {Item[]} */
    const items = [...rollup(open, namesOf, reasonOf)].map(([reason, those]) => {
      const named = words.list(firstOf(those, OPEN_LINES, words.more));
      return { text: `${named}: ${reason}`, verdict: 'unsure', only };
    });
    return firstOf(items, OPEN_LINES, (left) => ({ text: words.changes.moreUnsure(left), only }));
  });
}

/** What all cases say together, which none may say alone. @type {(context: Compared) => Item[]} */
function togetherItems(context) {
  const { together } = context.comparison;
  if (!together) return [];
  const named = { ...context, nameOf: () => context.words.changes.together(together.cases) };
  const all = { id: '', ...together };
  return together.verdict === 'same' ? sameItems([all], named) : changesOf(all, named);
}

/** @param {CaseComparison} compared */
function isOpen(compared) {
  return compared.verdict === 'unsure' && !compared.only && !isQuietControl(compared);
}

/** A terminal's tables have no verdicts. @type {(same: CaseComparison[], context: Compared) => Item[]} */
function sameItems(same, context) {
  const { words } = context;
  const verdict = words.change.verdicts.same;
  /** @type {Item[]} */
  const items = same.map((compared) => {
    const change = decisiveChange(compared);
    const details = change ? [changeText(change, words), whyText(change, words)].filter(Boolean) : [];
    const label = change ? `${labelOf(change, words)} ${verdict}` : verdict;
    const whole = [label, details.join(', ')].filter(Boolean).join(': ');
    return { ...itemOf(compared, whole, context), only: 'terminal' };
  });
  const { alike } = words.terminal;
  return firstOf(items, SAME_LINES, (left) => ({ text: alike(left), verdict: 'same', only: 'terminal' }));
}

/**
 * The verdict is that of the change.
 * @type {(of: Pick<CaseComparison, 'id' | 'verdict' | 'only'>, change: string, context: Compared) => Item}
 */
function itemOf({ id, verdict, only }, change, { nameOf }) {
  return { text: `${strong(nameOf(id))}: ${change}`, ...(!only && { verdict }) };
}

/**
 * If something regressed, only improvements of speed are listed.
 * @type {(compared: CaseComparison, context: Compared) => Item[]}
 */
function changesOf(compared, context) {
  const { run, comparison, words } = context;
  if (compared.only) return [itemOf(compared, words.changes.only(compared.only), context)];
  const isRed = comparison.verdict === 'regressed' || comparison.verdict === 'failed';
  const hasOpenGate = (/** @type {MetricComparison} */ { metric }) =>
    comparison.warnings.some(
      (warning) => isOpenGate(warning) && warning.case === compared.id && warning.metric === metric,
    );
  const isFirst = (/** @type {MetricComparison} */ { why }) => why.code === 'wrong-answers';
  const metrics = [...compared.metrics].sort((a, b) => Number(isFirst(b)) - Number(isFirst(a)));
  const item = (/** @type {Verdict} */ verdict, /** @type {string} */ change) =>
    itemOf({ id: compared.id, verdict }, change, context);
  const changed = metrics.flatMap((change) => {
    const { metric, verdict } = change;
    const label = labelOf(change, words);
    if (verdict === 'failed') return item(compared.verdict, failedText(change, compared.id, context));
    // A case of counts alone is the same, whatever they are.
    if (verdict === 'unsure' && isCounted(run))
      return item(verdict, `${label} ${words.change.unsure(figuresText(change, comparison, words))}`);
    // The figure that leaves the whole case unsure is in the lines of `openItems`.
    if (hasOpenGate(change) && (compared.verdict !== 'unsure' || compared.decisive !== metric))
      return item(verdict, `${label} ${openText(change, words)}`);
    if (verdict !== 'regressed' && (verdict !== 'improved' || (isRed && !isOfTime(change)))) return [];
    const what = words.change.changed(metric, label, verdict);
    return item(verdict, `${what}: ${figuresText(change, comparison, words)}`);
  });
  const { answer } = compared;
  // The headline says what a single one is.
  const isListed = answer && comparison.cases.filter((each) => each.answer).length > 1;
  return [
    ...(isQuietControl(compared) ? [] : withinTexts(compared, words)).map((text) => item('same', text)),
    ...changed,
    ...(isListed ? [item('unsure', answerText(answer, words))] : []),
  ];
}

/**
 * Says which side failed, by the name that its user gave it.
 * @type {(change: MetricComparison, id: string, context: Compared) => string}
 */
function failedText(change, id, { run, base: baseRun, comparison, words }) {
  const { base, head, against } = comparison;
  const why = whyText(change, words);
  const isIn = (/** @type {Context['base']} */ side) =>
    side?.cases.some((runCase) => runCase.id === id && runCase.summary) === true;
  const isMeasured = isIn(run);
  const versions = versionNames(run, comparison, words);
  if (versions) {
    const [broken, other] = isMeasured ? [versions.base, versions.head] : [versions.head, versions.base];
    return words.changes.versionFailed(broken, why, isMeasured || isIn(baseRun) ? other : undefined);
  }
  const name = head.ref === undefined ? undefined : plain(head.ref, 80);
  if (!isMeasured) return words.changes.failed(name, why);
  return words.changes.baseFailed(
    refText(base, against ?? 'base', { words, site: run.revision?.site }),
    why,
    name,
  );
}

/**
 * A table, and what it means: of a server against itself, no side is better, and any difference is noise.
 * @type {(context: Compared) => Block[]}
 */
function floorBlocks({ comparison: { cases }, words, nameOf }) {
  const rows = cases.filter(({ only, metrics }) => !only && metrics.some(({ ciPct }) => ciPct));
  if (rows.length === 0) return [];
  const cellOf =
    (/** @type {string} */ id, /** @type {(ciPct: [number, number]) => string} */ format) =>
    (/** @type {CaseComparison} */ { metrics }) => {
      const ciPct = metrics.find(({ metric }) => metric === id)?.ciPct;
      if (!ciPct) return '';
      return isTooWide(ciPct) ? words.change.inconclusive : format(ciPct);
    };
  const halfText = (/** @type {[number, number]} */ [low, high]) => words.unsigned((high - low) / 2);
  const { columns, tables } = words;
  return [
    table([
      names(rows, columns.server, ({ id }) => nameOf(id)),
      column(rows, `Δ ${LEADING.short}`, cellOf(LEADING.id, words.interval)),
      ...METRICS.flatMap(({ id, short }) => (short ? column(rows, `± ${short}`, cellOf(id, halfText)) : [])),
      column(rows, columns.wouldFind, ({ findsPct }) => ifKnown(findsPct, words.unsigned)),
    ]),
    text(tables.floor(POWER)),
  ];
}

/**
 * Every metric of every case, or the metric that decided each.
 * @type {(context: Context, which?: 'every' | 'decisive') => Block[]}
 */
export function comparedBlocks({ comparison, words, nameOf }, which = 'every') {
  const rows = worstFirst(comparison?.cases ?? []).flatMap((compared) => {
    const changes = which === 'every' ? compared.metrics : (decisiveChange(compared) ?? []);
    return [changes].flat().map((change) => ({ compared, change }));
  });
  if (rows.length === 0) return [];
  const nameColumn = names(rows, words.columns.server, ({ compared: { id } }) => nameOf(id));
  return [table([nameColumn, ...metricColumns(rows, comparison?.against, words)])];
}

/**
 * The metrics that this version knows, in their order.
 * @type {(compared: CaseComparison, against: string | undefined, words: Words) => Block[]}
 */
export function metricBlocks(compared, against, words) {
  const rows = METRICS.flatMap(({ id }) =>
    compared.metrics.flatMap((change) => (change.metric === id ? { compared, change } : [])),
  );
  return rows.length > 0 ? [table(metricColumns(rows, against, words))] : [];
}

/**
 * Nobody wants to know what would decide a control.
 * @typedef {{ compared: CaseComparison, change: MetricComparison }} MetricRow
 * @type {(rows: MetricRow[], against: string | undefined, words: Words) => Column[]}
 */
function metricColumns(rows, against, words) {
  const { columns } = words;
  const isFloor = against === 'self';
  // A cell of a failure shows only its kind.
  const whyOf = (/** @type {MetricRow} */ { change }) =>
    change.why.code === 'failed' ? plain(change.why.kind) : whyText(change, words);
  const isLeftOpen = (/** @type {MetricRow} */ { compared, change }) =>
    change.verdict === 'unsure' && isQuietControl(compared);
  const verdictOf = (/** @type {MetricRow} */ row) =>
    isLeftOpen(row) ? words.change.verdicts.control : verdictText(row.change, against, words);
  return [
    names(rows, columns.metric, ({ change }) => labelOf(change, words)),
    names(rows, columns.verdict, verdictOf, {
      verdicts: rows.map((row) => (isLeftOpen(row) ? undefined : row.change.verdict)),
    }),
    column(rows, columns.change, ({ change }) => changeText(change, words)),
    column(rows, isFloor ? columns.oneSide : columns.base, ({ change }) => sizeText(change, 'base', words)),
    column(rows, isFloor ? columns.otherSide : columns.head, ({ change }) => sizeText(change, 'head', words)),
    column(rows, columns.noise, ({ change: { noisePct } }) => ifKnown(noisePct, words.noise), {
      priority: 2,
    }),
    names(rows, columns.why, (row) => (isLeftOpen(row) ? '' : whyOf(row)), { priority: 2 }),
  ];
}

/** Says what settles unsure cases, the cheapest first. @type {(context: Compared) => Item[]} */
function rerunItems({ run, comparison, words }) {
  const { changes } = words;
  const open = comparison.cases.filter(isOpen);
  const more = open.flatMap((compared) => {
    const why = decisiveChange(compared)?.why;
    return why && 'moreRounds' in why ? (why.moreRounds ?? []) : [];
  });
  if (comparison.method !== 'side-by-side' || more.length === 0) return [];
  const trials = run.cases.flatMap((runCase) => runCase.trials);
  const rounds = Math.max(0, ...trials.map(({ round }) => round + 1));
  const windows = trials.flatMap((trial) => trial.windows);
  // A budget that ended is longer than its windows: the next round did not fit.
  const ended = (run.warnings ?? []).flatMap((each) => (each.code === 'budget-ended' ? each.seconds : []));
  const spent = Math.max(0, ...ended, ...windows.map(({ at = 0, seconds }) => at + seconds));
  const secondsOf = (/** @type {number} */ extra) => (spent / rounds) * (rounds + extra);
  const within = more.filter((extra) => extra <= MOST_ROUNDS && secondsOf(extra) <= LONGEST_SECONDS);
  const most = Math.max(...within);
  // A run with a fixed number of rounds gets more rounds.
  const isBudgeted = run.looks || ended.length > 0;
  const option = isBudgeted ? `--budget ${Math.ceil(secondsOf(most) / 60)}m` : `--rounds ${rounds + most}`;
  const longer = within.length > 0 ? changes.longer(option, within.length, more.length) : changes.wider;
  return [{ text: changes.settle([...fewerRoutes(run, open, words), changes.quieter, longer]) }];
}

/**
 * Names the unsure ones, none of which is a control.
 * @type {(run: Context['run'], open: CaseComparison[], words: Words) => string[]}
 */
function fewerRoutes({ cases }, open, { changes }) {
  const routesOf = (/** @type {typeof cases} */ those) => [...new Set(those.map(({ route }) => route))];
  const own = routesOf(cases.filter(({ reference }) => !reference));
  const unsure = routesOf(cases.filter((runCase) => open.some(({ id }) => id === runCase.id)));
  if (own.length < 2) return [];
  return [
    changes.fewer(unsure.length < own.length ? plain(`--routes ${quoted(unsure.join(','))}`) : undefined),
  ];
}
