/**
 * The trend of stored runs as a page: the answer, and a chart for each case.
 * @import { Trend } from '../../types.js'
 * @import { Options } from '../document/trend-answer.js'
 * @import { Words } from '../text/words.js'
 */

import { groups } from 'd3-array';
import { defined } from '../../model/defined.js';
import { drawTrend } from '../charts/over-runs.js';
import { caseName, trendAnswer } from '../document/trend-answer.js';
import { entities } from '../render/escape.js';
import { blocksHtml } from '../render/html.js';
import { labelOf } from '../text/change-words.js';
import { COMMIT } from '../text/inline.js';
import { wordsIn } from '../text/words.js';
import { caption, figure, legend, wholePage } from './markup.js';

/** Runs that one looks at in detail. */
const RECENT = 60;
/** Kinds of machine with a colour of their own. */
const COLOURS = 6;

/** One file, no script, nothing from outside. @type {(trends: Trend[], options?: Options) => string} */
export function renderTrendPage(trends, options = {}) {
  const words = wordsIn(options.runs?.[0]?.language);
  const answer = trendAnswer(trends, options);
  const kinds = [...new Set(trends.flatMap(({ points }) => points.map(({ fingerprint }) => fingerprint)))];
  const classOf = new Map(kinds.map((kind, nth) => [kind, `s${nth % COLOURS}`]));
  const series = kinds.map((kind) => ({ kind: classOf.get(kind) ?? '', name: kind }));
  const sections = groups(trends, ({ id }) => id).map(([id, own], nth) => ({
    id: `case-${nth + 1}`,
    name: caseName(id, options, words),
    html: renderCase(own, { ...options, classOf }, words),
  }));
  const ids = [...new Set(trends.map(({ id }) => id))];
  const placeOf = (/** @type {string} */ id) =>
    ids.includes(id) ? `#case-${ids.indexOf(id) + 1}` : undefined;
  const machines = { id: 'machines', name: words.trend.machines, html: legend(series) };
  return wholePage({
    title: answer.title,
    top: `<header class="plain">
<h1>${entities(answer.title)}</h1>
${blocksHtml(answer.blocks, answer.title, placeOf)}</header>`,
    sections: [...(kinds.length > 1 ? [machines] : []), ...sections],
    words,
  });
}

/**
 * Draws the trends of one case; classOf: a kind of machine.
 * @type {(trends: Trend[], options: Options & { classOf: Map<string, string> }, words: Words) => string}
 */
function renderCase(trends, { site, classOf }, words) {
  const charts = trends.map((trend) => {
    const steps = new Map(trend.steps.map(({ at, better }) => [at, better ? 'better' : 'worse']));
    const runs = trend.points.map(({ ratio, level, fingerprint, at, sha = '' }, nth) => ({
      value: ratio,
      level,
      kind: classOf.get(fingerprint) ?? '',
      step: /** @type {'better' | 'worse' | undefined} */ (steps.get(nth)),
      at,
      ...(COMMIT.test(sha) && {
        commit: defined({ sha: sha.slice(0, 7), href: site && `${site}/commit/${sha}` }),
      }),
    }));
    const from = (/** @type {number} */ first, /** @type {string} */ label) => ({
      name: labelOf(trend, words),
      label,
      format: words.multiple,
      countOf: words.trend.runs,
      runs: runs.slice(first),
    });
    const drawn = [
      from(0, words.trend.spread(trend.spreadPct)),
      ...(runs.length > 2 * RECENT ? [from(runs.length - RECENT, words.trend.recent(RECENT))] : []),
    ].map((chart) => `<div>${figure(drawTrend(chart))}</div>`);
    return `<div class="charts">${drawn.join('')}</div>`;
  });
  return `${charts.join('\n')}${caption(words.trend.caption, words.page.hover)}`;
}
