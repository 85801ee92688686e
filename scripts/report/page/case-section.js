/**
 * One case with all its charts and figures.
 * @import { CaseComparison, Run, RunCase } from '../../types.js'
 * @import { Words } from '../text/words.js'
 * @import { Course } from '../charts/over-time.js'
 * @import { Side } from './series.js'
 */

import { range } from 'd3-array';
import { decisiveChange } from '../../judge/case-verdict.js';
import { roundsOf } from '../../judge/mean-estimate.js';
import { METRICS } from '../../samples/figures.js';
import { drawRounds } from '../charts/beside-margin.js';
import { drawPercentiles } from '../charts/percentiles.js';
import { every } from '../charts/svg.js';
import { drawCourse } from '../charts/over-time.js';
import { boxBlocks } from '../document/boxes.js';
import { metricBlocks } from '../document/changes.js';
import { entities } from '../render/escape.js';
import { blocksHtml, folded } from '../render/html.js';
import { changeText, labelOf } from '../text/change-words.js';
import { figure, legend, verdictPill } from './markup.js';
import { changeOf, courseOf, curvesOf } from './series.js';

/** Of many cases, rounds have no values on hover. */
const FEW = 40;
/** More lanes in one column are much higher than what is beside them. */
const LANES = 3;
/** Metrics with a smaller part of the verdict's risk have no chart of their rounds. */
const LEAST_WEIGHT = 0.05;

/**
 * base: absent where nothing was compared, or only figures of it are left; most: points of a side in a chart
 * @typedef {import('../document/document.js').Context & { base: Run | undefined, most: number }} Context
 */

/**
 * @param {RunCase} runCase
 * @param {Context & { id: string, open: boolean, withBox: boolean }} context id: of the link's target;
 *   withBox: with all statistics
 * @returns {string}
 */
export function renderCase(runCase, { id, open, withBox, ...context }) {
  const { base, comparison, words, nameOf } = context;
  const isSame = (/** @type {{ id: string }} */ candidate) => candidate.id === runCase.id;
  const compared = comparison?.cases.find(isSame);
  const baseCase = base?.cases.find(isSame);
  const change = compared && decisiveChange(compared);
  const summary = change
    ? `${labelOf(change, words)} ${changeText(change, words)}`
    : figuresOf(runCase, words);
  const name = nameOf(runCase.id);
  const isSelf = comparison?.against === 'self';
  const { columns, page } = words;
  const head = { kind: 'head', name: isSelf ? columns.otherSide : columns.head, runCase };
  const sides = baseCase
    ? [{ kind: 'base', name: isSelf ? columns.oneSide : columns.base, runCase: baseCase }, head]
    : [head];
  const box = withBox ? boxBlocks(runCase, words) : [];
  const parts = [
    sides.length > 1 ? legend(sides) : '',
    renderFigures(sides, compared, context),
    compared ? blocksHtml(metricBlocks(compared, comparison?.against, words), page.metrics(name)) : '',
    box.length > 0 ? folded(page.box, blocksHtml(box, page.box)) : '',
  ];
  return `<details class="case"${open ? ' open' : ''}><summary><h3>${entities(name, 120)}</h3>${verdictPill(change && compared, comparison, words)}<span class="figures">${entities(summary, 160)}</span></summary>
<div id="${id}">
${parts.filter(Boolean).join('\n')}
</div></details>`;
}

/**
 * The head is the last side.
 * @type {(sides: Side[], compared: CaseComparison | undefined, context: Context) => string}
 */
function renderFigures(sides, compared, { comparison, most, words }) {
  const isBeside = comparison?.method === 'side-by-side';
  const [base, head] = sides.map(({ runCase }) => runCase);
  const pair = base && head && isBeside ? { base, head } : undefined;
  const changes = METRICS.filter(({ judged }) => judged.weight >= LEAST_WEIGHT).flatMap(({ id, better }) => {
    const change = compared?.metrics.find(({ metric }) => metric === id);
    const rounds = pair ? every(roundsOf(pair, id), 2 * most) : [];
    const drawn = change && changeOf(change, words);
    return drawn && (drawn.ciPct || rounds.length > 0)
      ? drawRounds({ ...drawn, better, rounds, isBrief: most < FEW }, words)
      : [];
  });
  const course = courseOf(isBeside ? sides : sides.slice(-1), { most, words });
  const columns = [
    figure(changes.join('')),
    ...inColumns(course, changes.length === 0).map((part) => figure(drawCourse(part, words))),
    figure(drawPercentiles(curvesOf(sides), words)),
  ];
  return `<div class="charts">${columns.flatMap((html) => (html ? `<div>${html}</div>` : [])).join('\n')}</div>`;
}

/** A long one makes two, given room. @type {(course: Course | undefined, hasRoom: boolean) => Course[]} */
function inColumns(course, hasRoom) {
  if (!course) return [];
  const { lanes } = course;
  const height = hasRoom && lanes.length > LANES ? Math.ceil(lanes.length / 2) : lanes.length;
  return range(0, lanes.length, height).map((at) => ({ ...course, lanes: lanes.slice(at, at + height) }));
}

/** Returns plain text. @type {(runCase: RunCase, words: Words) => string} */
function figuresOf({ summary }, words) {
  if (!summary) return words.tables.notMeasured;
  const { p99 } = summary.latencyMs ?? {};
  const latency = p99 === undefined ? '' : `, p99 ${words.milliseconds(p99)} ms`;
  return `${words.rate(summary.throughput)} req/s${latency}`;
}
