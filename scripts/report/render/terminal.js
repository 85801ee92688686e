/**
 * The report for a terminal: the verdict, a line a case, tables as wide as the terminal, what went wrong. report.md has the whole.
 * @import { CaseComparison, Comparison, Run } from '../../types.js'
 * @import { Words } from '../text/words.js'
 */

import stringWidth from 'string-width';
import { changeText, decisiveOf, labelOf, openText, whyText, worstFirst } from '../text/change.js';
import { changesOf, renderChanges } from '../document/changes.js';
import { measuredWith } from '../document/conditions.js';
import { escaped, unescaped } from './escape.js';
import { nameOf } from '../document/table-rows.js';
import { renderFelt } from '../document/runtime-metrics.js';
import { fitTable, wrapped } from './terminal-table.js';
import { listFunctions } from '../document/functions.js';
import { insightsOf } from '../document/insights.js';
import { renderInstances } from '../document/instances.js';
import { footnotesOf, hintOf, listFailures } from '../document/notes.js';
import { renderPublished } from '../document/published.js';
import { settlingText } from '../document/rerun-hint.js';
import { styler } from './styles.js';
import { layTables } from '../document/tables.js';
import { headline, trust } from '../document/headline.js';
import { wordsIn } from '../text/words.js';

/** @typedef {ReturnType<typeof styler>} Styles */
/** width: in columns, absent where there is no limit; report: where the whole one is @typedef {{ comparison?: Comparison, baselineHint?: string, language?: string, width?: number, colours?: boolean, report?: string }} Options */

/** Cases without a change that are told one by one. */
const ALIKE = 10;

/**
 * @param {Run} run
 * @param {Options} options
 * @returns {string}
 */
export function renderTerminal(run, options) {
  const { comparison, width = Number.POSITIVE_INFINITY, colours = false, report } = options;
  const words = wordsIn(options.language);
  const styles = styler(colours);
  const felt = renderFelt(run, words);
  const instances = renderInstances(run, words);
  const functions = listFunctions(run, comparison, words);
  const tables = layTables(run, words, { comparison, columns: comparison ? 'few' : 'all' });
  const wide = (/** @type {string} */ title, /** @type {string} */ text) =>
    fits(text, width) ? text : words.terminal.elsewhere(title);
  const parts = [
    styles.bold(styles.toned(unescaped(headline(run, comparison, words)), comparison?.verdict)),
    ...(comparison
      ? [verdictLines(run, comparison, { words, styles }).join('\n'), plain(trust(comparison, words))]
      : []),
    ...tables.map((table) => fitTable(table, { width, styles, words })),
    functions && `${words.functions.title}\n\n${functions}`,
    felt?.standsOut ? wide(words.parts.felt, `${words.parts.felt}\n\n${unescaped(felt.table)}`) : '',
    instances === undefined
      ? ''
      : wide(words.parts.instances, `${words.parts.instances}\n\n${unescaped(instances)}`),
    unescaped(insightsOf(run, words).join('\n')),
    wide(words.parts.published, unescaped(renderPublished(run, words) ?? '')),
    ...listFailures(run, comparison, words),
    ...footnotesOf(run, comparison, words).texts.map(unescaped),
    run.cases.length > 0 ? styles.dim(plain(measuredWith(run, words))) : '',
    hintOf(run, options),
    report === undefined ? '' : words.terminal.report(report),
  ];
  return `${wrapped(parts.filter(Boolean).join('\n\n'), width)}\n`;
}

/**
 * @param {Run} run
 * @param {Comparison} comparison
 * @param {{ words: Words, styles: Styles }} how
 * @returns {string[]} a line a verdict
 */
function verdictLines(run, comparison, { words, styles }) {
  if (comparison.against === 'self') return [plain(renderChanges(run, comparison, words))];
  const told = worstFirst(comparison.cases).map((of) => ({
    of,
    texts: textsOf(of, { run, comparison, words }),
  }));
  const alike = told.filter(({ of }) => of.verdict === 'same');
  const hidden = alike.slice(ALIKE);
  const lines = told
    .filter((each) => !hidden.includes(each))
    .flatMap(({ of, texts }) =>
      texts.map(
        (text) =>
          `${styles.mark(of.verdict)} ${styles.bold(unescaped(escaped(nameOf(run, of.id, words), 200)))}: ${unescaped(text)}`,
      ),
    );
  const settling = settlingText(run, comparison, words);
  return [
    ...lines,
    ...(hidden.length > 0 ? [`${styles.mark('same')} ${words.terminal.alike(hidden.length)}`] : []),
    ...(settling === undefined ? [] : [unescaped(settling)]),
  ];
}

/**
 * @param {CaseComparison} of
 * @param {{ run: Run, comparison: Comparison, words: Words }} context
 * @returns {string[]} as Markdown
 */
function textsOf(of, context) {
  const { comparison, words } = context;
  const changes = changesOf(of, context);
  if (changes.length > 0) return changes;
  const change = decisiveOf(of, comparison);
  if (!change) return [words.change.verdicts[of.verdict]];
  const label = labelOf(change, words);
  if (of.verdict === 'unsure') return [`${label} ${openText(change, words)}`];
  const said = [changeText(change, words), whyText(change, words)].filter(Boolean).join(', ');
  return [`${label} ${words.change.verdicts[of.verdict]}: ${said}`];
}

/**
 * @param {string} text
 * @param {number} width
 */
function fits(text, width) {
  return text.split('\n').every((line) => stringWidth(line) <= width || !line.startsWith('|'));
}

/** @param {string[]} lines */
function plain(lines) {
  return unescaped(lines.join('\n'));
}
