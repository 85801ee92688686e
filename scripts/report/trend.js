/**
 * The trend of stored runs: which cases took a step, at which commits, as Markdown and as a page.
 * @import { Run, Trend, TrendStep } from '../types.js'
 * @import { Block } from './document/blocks.js'
 * @import { Words } from './text/words.js'
 */

import { groups } from 'd3-array';
import { defined } from '../model/defined.js';
import { drawTrend } from './charts/trend.js';
import { column, names, table, text } from './document/blocks.js';
import { caption, contents, figure, legend, section, wholePage } from './page/markup.js';
import { entities } from './render/escape.js';
import { blocksHtml } from './render/html.js';
import { blocksMarkdown } from './render/markdown.js';
import { labelOf } from './text/change.js';
import { code, COMMIT, plain } from './text/inline.js';
import { caseNames } from './text/names.js';
import { wordsIn } from './text/words.js';

/** Runs that one looks at in detail. */
const RECENT = 60;
/** Kinds of machine with a colour of their own. */
const COLOURS = 6;

/** site: the page of the repository; runs: stored runs, the latest first, which know the language and what a case is called */
/** @typedef {{ site?: string, runs?: Run[] }} Options */

/** @param {Trend[]} trends @param {Options} [options] @returns {string} what changed and where, the latest first */
export function renderTrend(trends, options = {}) {
  const words = wordsIn(options.runs?.[0]?.language);
  return `# ${words.trend.title}\n\n${blocksMarkdown(trendBlocks(trends, options, words))}\n`;
}

/** @param {Trend[]} trends @param {Options} [options] @returns {string} one file, no script, nothing from outside */
export function renderTrendPage(trends, options = {}) {
  const words = wordsIn(options.runs?.[0]?.language);
  const title = entities(words.trend.title);
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
  return wholePage(
    { language: words.language, title },
    `<header class="plain">
<h1>${title}</h1>
${blocksHtml(trendBlocks(trends, options, words), words.trend.title, placeOf)}</header>
${sections.length > 1 ? contents(sections, words.page.contents) : ''}
<main>
${[...(kinds.length > 1 ? [machines] : []), ...sections].map(section).join('\n')}
</main>`,
  );
}

/** @param {Trend[]} trends of one case @param {Options & { classOf: Map<string, string> }} options classOf: a kind of machine @param {Words} words */
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
    const whole = from(0, words.trend.spread(trend.spreadPct));
    if (runs.length <= 2 * RECENT) return inRow([drawTrend(whole)]);
    const recent = from(runs.length - RECENT, words.trend.recent(RECENT));
    return inRow([drawTrend(whole), drawTrend(recent)]);
  });
  return `${charts.join('\n')}${caption(words.trend.caption, words.page.hover)}`;
}

/** @param {string[]} drawings */
function inRow(drawings) {
  return `<div class="charts">${drawings.map((svg) => `<div>${figure(svg)}</div>`).join('')}</div>`;
}

/** @param {Trend[]} trends @param {Options} options @param {Words} words @returns {Block[]} */
function trendBlocks(trends, options, words) {
  const { trend: phrases, speeds, columns, percent, interval } = words;
  if (trends.length === 0) return [text(phrases.tooFew)];
  const points = trends.flatMap((trend) => trend.points);
  const times = points.map(({ at }) => at).sort();
  const about = phrases.about({
    runs: new Set(points.map(({ run }) => run)).size,
    cases: new Set(trends.map(({ id }) => id)).size,
    kinds: new Set(points.map(({ fingerprint }) => fingerprint)).size,
    from: dayOf(times[0] ?? ''),
    to: dayOf(times.at(-1) ?? ''),
  });
  const steps = trends
    .flatMap((trend) =>
      trend.steps.map((step) => ({
        trend,
        step,
        time: trend.points[step.at]?.at ?? '',
        range: rangeOf(trend, step),
      })),
    )
    .toSorted((a, b) => b.time.localeCompare(a.time));
  const isShort = (/** @type {Trend} */ { spreadPct }) => spreadPct === undefined;
  const short = groups(trends, ({ id }) => id).filter(([, own]) => own.every(isShort)).length;
  const few = short > 0 ? [text(phrases.few(short))] : [];
  if (trends.every(isShort)) return [text(about), ...few];
  if (steps.length === 0) return [text(about), ...few, text(phrases.none(short > 0))];
  const { heads } = phrases;
  const links = steps.map(({ range }) =>
    options.site && range.includes('...') ? `${options.site}/compare/${range}` : undefined,
  );
  return [
    text(about),
    table([
      names(steps, heads.day, ({ time }) => dayOf(time)),
      names(steps, heads.id, ({ trend }) => caseName(trend.id, options, words), {
        cases: steps.map(({ trend }) => trend.id),
      }),
      names(steps, columns.metric, ({ trend }) => labelOf(trend, words)),
      column(steps, heads.change, ({ step }) => `${percent(step.effectPct)} (${interval(step.ciPct)})`),
      names(steps, columns.verdict, ({ step: { better, everywhere } }) => {
        const speed = speeds[better ? 'improved' : 'regressed'];
        return everywhere ? `${speed}; ${phrases.everywhere}` : speed;
      }),
      names(steps, heads.commits, ({ range }) => code(range), { links }),
    ]),
    ...few,
  ];
}

/** @param {Trend} trend @param {TrendStep} step @returns {string} "0123456789...abcdef0123", the commits between which it lies */
function rangeOf({ points }, { within: [first, last] }) {
  if (points[last]?.sha === undefined) return '';
  const shas = [points[first - 1]?.sha, points[last]?.sha].flatMap((sha) =>
    sha !== undefined && COMMIT.test(sha) ? sha.slice(0, 10) : [],
  );
  return [...new Set(shas)].join('...');
}

/** @param {string} id @param {Options} options @param {Words} words */
function caseName(id, { runs = [] }, words) {
  const run = runs.find(({ cases }) => cases.some((runCase) => runCase.id === id));
  return caseNames({ run }, words)(id);
}

/** @param {string} time ISO 8601 */
function dayOf(time) {
  return plain(time.slice(0, 10));
}
