/**
 * What a job's own page shows of a comparison: a line for each case, in words that need nothing around them.
 * @import { CaseComparison, Comparison, MetricComparison, Run } from '../../types.js'
 */

import { decisiveOf, figuresText, labelOf, openText } from '../../report/text/change.js';
import { unescaped } from '../../report/render/escape.js';
import { nameOf } from '../../report/document/table-rows.js';
import { wordsIn } from '../../report/text/words.js';
import { error, warning } from '../log.js';

/**
 * A step may leave ten of each kind, and one more line tells the sum.
 * https://docs.github.com/en/rest/checks/runs
 */
const MOST = 9;

/** @typedef {{ title: string, message: string }} Line */

/**
 * @param {Run} run
 * @param {Comparison} comparison
 * @returns {Line[]} of cases that got worse; where none did, of those that nothing can be said of
 */
export function linesOf(run, comparison) {
  const { cases, warnings } = comparison;
  const worse = cases.filter(({ only, verdict }) => !only && ['regressed', 'failed'].includes(verdict));
  const open = cases.filter(({ only, verdict }) => !only && verdict === 'unsure');
  const closed = warnings.filter(({ code }) => code === 'gate-closed');
  const told = closed.map((warning) => {
    const name = nameOf(run, warning.case ?? '', wordsIn());
    return { title: name, message: `${name}: ${wordsIn().warning(warning)}` };
  });
  const chosen = worse.length > 0 || told.length > 0 ? worse : open;
  return [...chosen.map((of) => lineOf(nameOf(run, of.id, wordsIn()), of, comparison)), ...told];
}

/**
 * @param {string} name
 * @param {CaseComparison} of
 * @param {Comparison} comparison
 * @returns {Line} "Orders, p99 latency: 12 ms → 35 ms, +191.7 % (+150.0 to +240.0 %)"
 */
function lineOf(name, of, comparison) {
  const { verdict, metrics } = of;
  const words = wordsIn();
  const label = (/** @type {MetricComparison} */ change) => words.within(labelOf(change, words));
  const decisive = decisiveOf(of, comparison);
  const told =
    verdict === 'unsure'
      ? decisive && `${label(decisive)} ${openText(decisive, words)}`
      : metrics
          .filter((change) => change.verdict === verdict)
          .map((change) => `${label(change)}: ${figuresText(change, comparison.method, words)}`)
          .join('; ');
  return { title: `${verdict}: ${name}`, message: [name, unescaped(told || verdict)].join(', ') };
}

/**
 * @param {{ run: Run, comparison?: Comparison }} results
 * @returns {string[]} what was not compared, and why: a check that is green because of that says so
 */
export function uncomparedIn({ run, comparison }) {
  const words = wordsIn();
  const said = [...(run.warnings ?? []), ...(comparison?.warnings ?? [])]
    .filter(({ code }) => ['not-compared', 'other-machine'].includes(code))
    .map((warning) => words.warning(warning));
  const left = comparison?.method === 'stored' ? comparison.cases.filter(({ only }) => only === 'head') : [];
  const names = left.map(({ id }) => nameOf(run, id, wordsIn()));
  return names.length > 0 ? [...said, words.gate.notStored(names)] : said;
}

/**
 * The toolkit escapes what would end a line or begin another command.
 * @param {Line[]} lines
 * @param {'error' | 'warning'} level
 */
export function annotate(lines, level) {
  const say = level === 'error' ? error : warning;
  for (const { title, message } of lines.slice(0, MOST)) say(message, { title: `perf-action: ${title}` });
  if (lines.length > MOST) say(wordsIn().gate.more(lines.length - MOST), { title: 'perf-action' });
}
