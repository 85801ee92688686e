/**
 * All cases in one picture: how they changed, or how fast they are.
 * @import { Comparison, Run } from '../../types.js'
 * @import { Context } from '../document/document.js'
 * @import { Words } from '../text/words.js'
 */

import { LEADING, METRICS } from '../../samples/figures.js';
import { startsOf } from '../../samples/case-figures.js';
import { figureIn } from '../../samples/window-figures.js';
import { drawBars } from '../charts/bars.js';
import { drawChanges } from '../charts/change.js';
import { drawPercentiles } from '../charts/percentiles.js';
import { tablesOf } from '../document/table-rows.js';
import { worstFirst } from '../../judge/case-verdict.js';
import { shortNames } from '../text/names.js';
import { caption, figure, legend } from './markup.js';
import { changeOf, curvesOf } from './series.js';

/** Curves that the eye can tell apart, and rows that fit in a picture. */
const [CURVES, ROWS] = [6, 40];
/** Metrics with at least a tenth of the verdict's risk; the others are drawn with the cases. */
const DRAWN = METRICS.filter(({ judged }) => judged.weight >= 0.1);

/** @param {Context} context @returns {string} */
export function renderOverview({ comparison, ...context }) {
  return comparison ? changesOf(comparison, context) : speedsOf(context.run, context.words);
}

/** @param {Comparison} comparison @param {Pick<Context, 'run' | 'words' | 'nameOf'>} context */
function changesOf({ cases }, { run, words, nameOf }) {
  // A case of one side alone is not drawn.
  const compared = run.cases.filter(({ id }) => cases.some((one) => one.id === id));
  const names = shortNames(compared.map(({ id, serverName }) => ({ id, serverName, name: nameOf(id) })));
  const drawn = DRAWN.flatMap(({ id, better, judged: { role } }) => {
    const changes = worstFirst(cases)
      .slice(0, ROWS)
      .flatMap(({ id: caseId, metrics }) => {
        const change = metrics.find(({ metric }) => metric === id);
        const drawn = change?.ciPct && changeOf(change, words);
        return drawn
          ? { ...drawn, better, title: drawn.name, name: names.get(caseId) ?? nameOf(caseId) }
          : [];
      });
    const [first] = changes;
    // Few changes are about the start.
    if (role === 'startup' && !changes.some(({ verdict }) => ['regressed', 'improved'].includes(verdict)))
      return [];
    return first ? `<div>${drawChanges({ title: first.title, better, changes }, words)}</div>` : [];
  });
  return drawn.length > 0
    ? `<figure><div class="charts">${drawn.join('')}</div>${caption(words.page.charts.ofChanges)}</figure>`
    : '';
}

/** @param {Run} run @param {Words} words */
function speedsOf(run, words) {
  const { charts } = words.page;
  return tablesOf(run, undefined, words)
    .flatMap(({ title, rows, routes }) => {
      const drawnRows = rows.filter(({ summary }) => Number.isFinite(summary.throughput)).slice(0, ROWS);
      const named = drawnRows.map(({ runCase, load }) => ({
        ...runCase,
        name: load || (routes ? `${runCase.serverName} ${runCase.route}` : runCase.serverName),
      }));
      const names = shortNames(named.filter(({ reference }) => !reference));
      const bars = drawnRows.map(({ runCase, summary }, place) => ({
        name: [
          names.get(runCase.id) ?? named[place]?.name,
          summary.clientBound && '†',
          runCase.reference && words.tables.reference,
        ]
          .filter(Boolean)
          .join(' '),
        label: words.rate(summary.throughput),
        value: summary.throughput,
        starts: startsOf(runCase).flatMap(({ windows }) => figureIn(LEADING.id, windows) ?? []),
        kind: place < CURVES ? `s${place}` : 'aside',
        isReference: runCase.reference === true,
        runCase,
      }));
      if (bars.length < 2) return [];
      const heading = `${charts.throughput}: ${title}`;
      const curves = bars.slice(0, CURVES);
      const drawn = drawPercentiles(curvesOf(curves), words);
      return [
        '<div class="charts">',
        `<div>${figure(drawBars({ title: heading, bars }, words))}</div>`,
        drawn && `<div><figure>${drawn}${legend(curves)}</figure></div>`,
        '</div>',
      ];
    })
    .join('');
}
