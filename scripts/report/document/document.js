/**
 * What a report says, in parts: the verdict first, the command that repeats it last. Renderers say it in their own form.
 * @import { Comparison, Run } from '../../types.js'
 * @import { Words } from '../text/words.js'
 * @import { Block, Document, Part } from './blocks.js'
 */

import { isSkipped } from '../../store/skipped.js';
import { plain, sentence } from '../text/inline.js';
import { nameOf } from '../text/names.js';
import { wordsIn } from '../text/words.js';
import { fold, list, text } from './blocks.js';
import { boxBlocks } from './boxes.js';
import { changeBlocks, comparedBlocks } from './changes.js';
import { conditionBlocks } from './conditions.js';
import { failureBlocks, hasGaps } from './failures.js';
import { footnotesOf } from './footnotes.js';
import { functionBlocks } from './functions.js';
import { headline } from './headline.js';
import { insightsOf } from './insights.js';
import { instanceBlocks } from './instances.js';
import { publishedBlocks } from './published.js';
import { runtimeMetrics } from './runtime-metrics.js';
import { barChart } from './bar-chart.js';
import { caseTables } from './tables.js';
import { trust } from './trust.js';

/** What one screen shows of a part before it is unfolded. */
const [ROWS, LINES, FAILURES, NOTES] = [10, 8, 2, 3];

/**
 * @typedef {object} Options
 * @property {Comparison} [comparison]
 * @property {string} [baselineHint] how a baseline is made; told where nothing was compared
 * @property {string} [language] the run's where absent
 */

/** @param {Run} run @param {Options} options @returns {Document} */
export function documentOf(run, options) {
  const { comparison } = options;
  const words = wordsIn(options.language ?? run.language);
  const { marks, texts } = footnotesOf(run, comparison, words);
  const runtime = runtimeMetrics(run, words);
  const context = { comparison, marks, words };
  const compared = comparison ? comparedBlocks(run, comparison, words) : [];
  const insights = insightsOf(run, words);
  const chart = comparison ? undefined : barChart(run, ROWS, words);
  const isFloor = comparison?.against === 'self';
  /** @type {(Omit<Part, 'name' | 'id'> & { id: keyof Words['parts'] })[]} */
  const parts = [
    {
      id: 'changes',
      fold: 'never',
      ...(!isFloor && { most: LINES }),
      blocks: comparison ? changeBlocks(run, comparison, words) : [],
    },
    { id: 'trust', fold: 'never', blocks: comparison ? [text(trust(comparison, words).join(' '))] : [] },
    {
      id: 'figures',
      fold: 'never',
      most: ROWS,
      blocks: caseTables(run, { ...context, columns: 'few' }),
    },
    { id: 'functions', fold: 'never', isTitled: true, blocks: functionBlocks(run, comparison, words) },
    { id: 'hint', fold: 'never', blocks: hintBlocks(run, options) },
    { id: 'failures', fold: 'never', most: FAILURES, blocks: failureBlocks(run, comparison, words).flat() },
    { id: 'notes', fold: 'never', most: NOTES, blocks: texts.map(text) },
    { id: 'chart', fold: 'never', blocks: chart ? [chart] : [] },
    {
      id: 'insights',
      fold: 'brief',
      isTitled: true,
      blocks: insights.length > 0 ? [list(insights)] : [],
    },
    {
      id: 'runtimeMetrics',
      fold: runtime.standsOut ? 'brief' : 'always',
      isTitled: true,
      blocks: runtime.blocks,
    },
    { id: 'instances', fold: 'brief', isTitled: true, blocks: instanceBlocks(run, words) },
    { id: 'published', fold: 'brief', isTitled: true, blocks: publishedBlocks(run, words) },
    {
      id: 'allFigures',
      fold: 'always',
      isTitled: true,
      blocks: caseTables(run, { ...context, columns: 'all' }),
    },
    { id: 'compared', fold: 'always', isTitled: true, blocks: compared },
    { id: 'conditions', fold: 'always', isTitled: true, blocks: conditionBlocks(run, words) },
    { id: 'boxes', fold: 'always', isTitled: true, blocks: foldedBoxes(run, words) },
  ];
  return {
    language: words.language,
    title: plain(run.title ?? 'perf-action', 120),
    headline: sentence(headline(run, comparison, words)),
    ...(comparison && !isSkipped(run) && { verdict: comparison.verdict }),
    parts: parts
      .filter(({ blocks }) => blocks.length > 0)
      .map((part) => ({ ...part, name: words.parts[part.id] })),
  };
}

/**
 * A run with gaps has other needs than something to compare it with.
 * @param {Run} run
 * @param {Options} options
 * @returns {Block[]}
 */
function hintBlocks(run, { comparison, baselineHint }) {
  return comparison || isSkipped(run) || hasGaps(run) || !baselineHint ? [] : [text(baselineHint)];
}

/** @param {Run} run @param {Words} words @returns {Block[]} the statistics of each case */
function foldedBoxes(run, words) {
  return run.cases.flatMap((measured) => {
    const blocks = boxBlocks(measured, words);
    return blocks.length > 0 ? [fold(nameOf(run, measured.id, words), blocks)] : [];
  });
}
