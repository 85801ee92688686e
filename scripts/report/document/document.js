/**
 * A report's parts: the verdict first, the command that repeats it last. Every renderer prints the same ones.
 * @import { Comparison, LimitResult, Run, Verdict } from '../../types.js'
 * @import { Words } from '../text/words.js'
 * @import { Block, Document, Item, Part } from './blocks.js'
 */

import { worstFirst } from '../../judge/case-verdict.js';
import { isIncomplete } from '../../samples/case-figures.js';
import { metric } from '../../samples/figures.js';
import { isSkipped } from '../../store/skipped.js';
import { labelOf, sizeText } from '../text/change-words.js';
import { firstOf, ifKnown } from '../text/format.js';
import { plain, sentence, strong } from '../text/inline.js';
import { caseNames } from '../text/names.js';
import { wordsIn } from '../text/words.js';
import { fold, list, text } from './blocks.js';
import { boxBlocks } from './boxes.js';
import { changeBlocks, comparedBlocks } from './changes.js';
import { conditionBlocks } from './conditions.js';
import { COUNTED_PARTS, countedTable, isCounted } from './counted.js';
import { functionBlocks } from './functions.js';
import { headline } from './headline.js';
import { insightsOf } from './insights.js';
import { machineBlocks } from './by-machine.js';
import { instanceBlocks, runtimeMetrics } from './server-tables.js';
import { failureBlocks, footnotesOf } from './notes.js';
import { publishedBlocks } from './published.js';
import { caseTables } from './tables.js';
import { touchedBlocks, touchedName } from './touched-answer.js';
import { differences, trust } from './trust.js';

/** How much of a part one screen shows before it is unfolded. */
const [ROWS, LINES, FAILURES, NOTES] = [10, 8, 2, 3];
/** What a title would say is plain, unless it is folded. */
const BARE = ['figures', 'touched', 'notes'];
/** Limits that are listed; run.json has all. */
const LIMITS = 12;
/** Their signs in a terminal. @type {Record<LimitResult['verdict'], Verdict>} */
const SIGNS = { fails: 'regressed', unsure: 'unsure', passes: 'improved' };

/**
 * @typedef {object} Options
 * @property {Comparison} [comparison]
 * @property {Comparison} [presetRuns] with the stored runs of the preset: shown last
 * @property {Run} [base] what the comparison's base is of: names its cases that the head lacks
 * @property {string} [file] the run's file, from where the page is
 * @property {string} [baselineHint] how a baseline is made, for a run that was compared with nothing
 */

/**
 * @typedef {object} Context
 * @property {Run} run
 * @property {Run} [base] as of {@link Options}
 * @property {Comparison | undefined} comparison
 * @property {Words} words
 * @property {(id: string) => string} nameOf what a case is called
 */

/** @type {(run: Run, options: Options) => Document} */
export function documentOf(run, { comparison, presetRuns, base, baselineHint }) {
  const words = wordsIn(run.language);
  const context = { run, base, comparison, words, nameOf: caseNames({ run, base }, words) };
  const { marks, texts } = footnotesOf(context);
  const runtime = runtimeMetrics(context);
  // An incomplete run needs something other than a baseline.
  const isWhole = !comparison && !isSkipped(run) && !isIncomplete(run);
  const isAlone = isCounted(run);
  const top = headline(context);
  const touched = comparison?.touched;
  // Who reads that nothing changed wants no figures.
  const unlessSame = top.isUnchanged ? 'brief' : 'never';
  const boxes = run.cases.map((runCase) => fold(context.nameOf(runCase.id), boxBlocks(runCase, words)));
  /**
   * A part is not folded unless it says so, and has the name of its id.
   * @type {(Pick<Part, 'most' | 'blocks'> & Partial<Pick<Part, 'name' | 'fold'>> & {
   *   id: keyof Words['parts'] })[]}
   */
  const parts = [
    { id: 'differences', blocks: comparison ? differences(comparison, words).map(text) : [] },
    { id: 'machines', blocks: machineBlocks(context) },
    { id: 'changes', ...(comparison?.against !== 'self' && { most: LINES }), blocks: changeBlocks(context) },
    { id: 'limits', blocks: limitBlocks(context) },
    { id: 'trust', blocks: comparison ? [text(trust(comparison, run, words).join(' '))] : [] },
    {
      id: 'figures',
      most: ROWS,
      fold: unlessSame,
      blocks: isAlone ? countedTable(context, marks) : caseTables(context, { columns: 'few', marks }),
    },
    { id: 'functions', blocks: functionBlocks(context) },
    {
      id: 'touched',
      fold: 'always',
      ...(touched && { name: touchedName(touched, words) }),
      blocks: touched ? touchedBlocks(touched, words, { only: 'files' }) : [],
    },
    { id: 'hint', blocks: isWhole && baselineHint ? [text(baselineHint)] : [] },
    { id: 'failures', most: FAILURES, blocks: failureBlocks(context) },
    { id: 'notes', most: NOTES, fold: unlessSame, blocks: texts.map(text) },
    { id: 'insights', fold: 'brief', blocks: list(insightsOf(run, words)) },
    { id: 'runtimeMetrics', fold: runtime.standsOut ? 'brief' : 'always', blocks: runtime.blocks },
    { id: 'instances', fold: 'brief', blocks: instanceBlocks(run, words) },
    { id: 'published', fold: 'brief', blocks: publishedBlocks(run, words) },
    { id: 'allFigures', fold: 'always', blocks: caseTables(context, { columns: 'all', marks }) },
    { id: 'compared', fold: 'always', blocks: comparedBlocks(context) },
    { id: 'conditions', fold: 'always', blocks: conditionBlocks(run, words) },
    { id: 'boxes', fold: 'always', blocks: boxes.filter(({ blocks }) => blocks.length > 0) },
    {
      id: 'presetRuns',
      fold: 'brief',
      blocks: presetRuns
        ? [
            ...comparedBlocks({ ...context, comparison: presetRuns }, 'decisive'),
            text([...trust(presetRuns, run, words), ...differences(presetRuns, words)].join(' ')),
          ]
        : [],
    },
  ];
  return {
    language: words.language,
    title: plain(run.title ?? 'perf-action', 120),
    ...top,
    parts: parts
      .filter(({ id, blocks }) => blocks.length > 0 && (!isAlone || COUNTED_PARTS.includes(id)))
      .map(({ fold: folded = 'never', ...part }) => ({
        name: words.parts[part.id],
        ...part,
        fold: folded,
        isTitled: part.id === 'functions' || (folded !== 'never' && !BARE.includes(part.id)),
      })),
  };
}

/** Limits, the worst first, and the machine that judges them. @type {(context: Context) => Block[]} */
function limitBlocks({ run, words, nameOf }) {
  const limits = worstFirst(run.limits ?? []);
  const { limits: phrases } = words;
  if (limits.length === 0) return [];
  /** @type {Item[]} */
  const items = limits.map((limit) => {
    const { case: id, metric: name, bound, value, interval, verdict, why } = limit;
    const sizeOf = (/** @type {number} */ size) => sizeText({ metric: name, head: size }, 'head', words);
    const label = words.within(labelOf(limit, words));
    const size = ifKnown(value, (known) => ` ${sizeOf(known)}`);
    const ends = ifKnown(interval, (known) => ` (${words.between(known.map(sizeOf))})`);
    const allowed = phrases.bound(sizeOf(bound), metric(name).better === 'more');
    const reason = ifKnown(why, (known) => `, ${phrases.why(known)}`);
    // "Shop /items: p99 latency at 500 req/s 31 ms (30 ms to 32 ms), limit at most 50 ms: passes"
    const found = `${label}${size}${ends}, ${allowed}: ${phrases.verdicts[verdict]}${reason}`;
    return { text: `${strong(nameOf(id))}: ${found}`, verdict: SIGNS[verdict] };
  });
  const { cpuModel, cores } = run.environment;
  const machine = phrases.machine({ cores, model: plain(cpuModel) });
  return [...list(firstOf(items, LIMITS, (left) => ({ text: words.more(left) }))), text(sentence(machine))];
}
