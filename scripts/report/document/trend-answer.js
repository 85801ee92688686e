/**
 * The trend of stored runs: which cases took a step, at which commits.
 * @import { Run, Trend, TrendStep } from '../../types.js'
 * @import { Answer, Block } from './blocks.js'
 * @import { Words } from '../text/words.js'
 */

import { groups } from 'd3-array';
import { labelOf } from '../text/change-words.js';
import { code, COMMIT, plain } from '../text/inline.js';
import { caseNames } from '../text/names.js';
import { wordsIn } from '../text/words.js';
import { column, names, table, text } from './blocks.js';

/**
 * site: the page of the repository; runs: the latest first, for the language and what a case is called.
 * @typedef {{ site?: string, runs?: Run[] }} Options
 */

/** What changed and where, the latest first. @type {(trends: Trend[], options?: Options) => Answer} */
export function trendAnswer(trends, options = {}) {
  const words = wordsIn(options.runs?.[0]?.language);
  const { language, trend: phrases, bisection, columns, percent, interval } = words;
  const answer = (/** @type {Block[]} */ ...blocks) => ({ language, title: phrases.title, blocks });
  if (trends.length === 0) return answer(text(phrases.tooFew));
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
  if (trends.every(isShort)) return answer(text(about), ...few);
  if (steps.length === 0) return answer(text(about), ...few, text(phrases.none(short > 0)));
  const { heads } = phrases;
  const links = steps.map(({ range }) =>
    options.site && range.includes('...') ? `${options.site}/compare/${range}` : undefined,
  );
  return answer(
    text(about),
    table([
      names(steps, heads.day, ({ time }) => dayOf(time)),
      names(steps, heads.id, ({ trend }) => caseName(trend.id, options, words), {
        cases: steps.map(({ trend }) => trend.id),
      }),
      names(steps, columns.metric, ({ trend }) => labelOf(trend, words)),
      column(steps, heads.change, ({ step }) => `${percent(step.effectPct)} (${interval(step.ciPct)})`),
      names(steps, columns.verdict, ({ step: { better, everywhere } }) => {
        const speed = bisection.verdicts[better ? 'improved' : 'regressed'];
        return everywhere ? `${speed}; ${phrases.everywhere}` : speed;
      }),
      names(steps, heads.commits, ({ range }) => code(range), { links }),
    ]),
    ...few,
  );
}

/** Returns the ends: "0123456789...abcdef0123". @type {(trend: Trend, step: TrendStep) => string} */
function rangeOf({ points }, { within: [first, last] }) {
  if (points[last]?.sha === undefined) return '';
  const shas = [points[first - 1]?.sha, points[last]?.sha].flatMap((sha) =>
    sha !== undefined && COMMIT.test(sha) ? sha.slice(0, 10) : [],
  );
  return [...new Set(shas)].join('...');
}

/** @type {(id: string, options: Options, words: Words) => string} */
export function caseName(id, { runs = [] }, words) {
  const run = runs.find(({ cases }) => cases.some((runCase) => runCase.id === id));
  return caseNames({ run }, words)(id);
}

/** @param {string} time ISO 8601 */
function dayOf(time) {
  return plain(time.slice(0, 10));
}
