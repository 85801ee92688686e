/**
 * One case with all its charts: every round, every window, how they are spread, how long requests took, and its figures.
 * @import { CaseComparison, Comparison, MetricComparison, Run, RunCase } from '../../types.js'
 * @import { Words } from '../text/words.js'
 * @import { Side } from './series.js'
 */

import { roundsOf } from '../../judge/mean-estimate.js';
import { METRICS } from '../../samples/figures.js';
import { drawRounds } from '../charts/change.js';
import { drawPercentiles } from '../charts/percentiles.js';
import { drawStrips } from '../charts/strip.js';
import { every } from '../charts/svg.js';
import { drawCourse } from '../charts/time.js';
import { boxBlocks } from '../document/boxes.js';
import { metricBlocks } from '../document/changes.js';
import { entities } from '../render/escape.js';
import { blocksHtml, folded } from '../render/html.js';
import { changeText, decisiveOf, labelOf } from '../text/change.js';
import { nameOf } from '../text/names.js';
import { figure, legend, verdictPill } from './markup.js';
import { courseOf, curvesOf, isDrawn, stripsOf } from './series.js';

/** Less is no part of the verdict's risk worth a chart; the table has it, and memory and the event loop have their lanes. */
const LEAST_WEIGHT = 0.05;

/**
 * run: the head; base: absent where nothing was compared, or only figures of it are left; most: points of a side in a chart
 * @typedef {{ run: Run, base?: Run | undefined, comparison?: Comparison | undefined, most: number, words: Words }} Context
 */

/**
 * @param {RunCase} of
 * @param {Context & { id: string, open: boolean, withBox: boolean }} context id: where a link finds it; withBox: with all statistics
 * @returns {string}
 */
export function renderCase(of, { id, open, withBox, ...context }) {
  const { run, base, comparison, words } = context;
  const compared = comparison?.cases.find((each) => each.id === of.id);
  const other = base?.cases.find((each) => each.id === of.id);
  const sides = sidesOf(of, other, context);
  const change = compared && comparison && decisiveOf(compared, comparison);
  const told = change ? `${labelOf(change, words)} ${changeText(change, words)}` : figuresOf(of, words);
  const verdict = compared && change ? verdictPill(compared, comparison, words) : '';
  const name = nameOf(run, of.id, words);
  const parts = [
    sides.length > 1 ? legend(sides) : '',
    renderFigures(of, { ...context, compared, other, sides }),
    compared ? blocksHtml(metricBlocks(compared, comparison?.against, words), words.page.metrics(name)) : '',
    withBox ? boxOf(of, words) : '',
  ];
  return `<details class="case"${open ? ' open' : ''}><summary><h3>${entities(name, 120)}</h3>${verdict}<span class="told">${entities(told, 160)}</span></summary>
<div id="${id}">
${parts.filter(Boolean).join('\n')}
</div></details>`;
}

/**
 * @param {RunCase} of
 * @param {RunCase | undefined} other
 * @param {Context} context
 * @returns {Side[]} the base first
 */
function sidesOf(of, other, { comparison, words: { columns } }) {
  const [baseName, headName] =
    comparison?.against === 'self' ? [columns.oneSide, columns.otherSide] : [columns.base, columns.head];
  return [
    ...(other ? [{ kind: 'base', name: baseName, of: other }] : []),
    { kind: 'head', name: headName, of },
  ];
}

/**
 * @param {RunCase} of
 * @param {Context & { compared: CaseComparison | undefined, other: RunCase | undefined, sides: Side[] }} context
 */
function renderFigures(of, { compared, other, sides, comparison, most, words }) {
  const { charts } = words.page;
  const isBeside = comparison?.method === 'side-by-side';
  const pair = other && isBeside ? { base: other, head: of } : undefined;
  const strips = METRICS.filter(({ judged }) => judged.weight >= LEAST_WEIGHT).flatMap(({ id, better }) => {
    const change = compared?.metrics.find(({ metric }) => metric === id);
    const rounds = pair ? every(roundsOf(pair, id), 2 * most) : [];
    return change && isDrawn(change) && (change.ciPct || rounds.length > 0)
      ? drawRounds({ ...changeOf(change, words), better, rounds }, words)
      : [];
  });
  const course = courseOf(isBeside || !other ? sides : sides.slice(-1), { most, words });
  const columns = [
    strips.length > 0 && figure(strips.join('')),
    course && figure(drawCourse(course, words)),
    [
      figure(drawPercentiles(curvesOf(sides), words)),
      figure(drawStrips({ name: charts.throughput, strips: stripsOf(sides), format: words.compact }, words)),
    ].join(''),
  ];
  return `<div class="charts">${columns.flatMap((html) => (html ? `<div>${html}</div>` : [])).join('\n')}</div>`;
}

/** @param {MetricComparison} change @param {Words} words */
export function changeOf(change, words) {
  const { effectPct = 0, ciPct, marginPct, verdict } = change;
  return {
    name: labelOf(change, words),
    told: changeText(change, words),
    effectPct,
    ciPct,
    marginPct,
    kind: verdict,
  };
}

/** @param {RunCase} of @param {Words} words */
function boxOf(of, words) {
  const blocks = boxBlocks(of, words);
  const { box } = words.page;
  return blocks.length > 0 ? folded(box, blocksHtml(blocks, box)) : '';
}

/** @param {RunCase} of @param {Words} words @returns {string} plain text */
function figuresOf({ summary }, words) {
  if (!summary) return words.tables.notMeasured;
  const { p99 } = summary.latencyMs ?? {};
  const latency = p99 === undefined ? '' : `, p99 ${words.milliseconds(p99)} ms`;
  return `${words.rate(summary.throughput)} req/s${latency}`;
}
