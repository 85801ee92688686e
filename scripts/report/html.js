/**
 * The report as one page that needs nothing from outside.
 * @import { Comparison, Run } from '../types.js'
 * @import { Chart } from './charts.js'
 * @import { Words } from './words.js'
 */

import { marked } from 'marked';
import { chartsOf } from './charts.js';
import { clipped, entities } from './escape.js';
import { renderFigures, renderVerdict } from './markdown.js';
import { wordsIn } from './words.js';

const STYLE = `
:root { color-scheme: light dark; --line: #d8dee4; --bar: #0969da; --soft: #f6f8fa; }
@media (prefers-color-scheme: dark) { :root { --line: #3d444d; --bar: #4493f8; --soft: #151b23; } }
body { font: 14px/1.5 system-ui, sans-serif; max-width: 100rem; margin: 2rem auto; padding: 0 1rem; }
table { margin: .6rem 0; border-collapse: collapse; font-variant-numeric: tabular-nums; display: block; overflow-x: auto; }
th, td { border: 1px solid var(--line); padding: .25rem .5rem; white-space: nowrap; }
td[align=left]:last-child { min-width: 20rem; white-space: normal; }
th, pre, summary { background: var(--soft); }
pre { padding: .6rem; overflow-x: auto; }
details { margin: .6rem 0; border: 1px solid var(--line); padding: 0 .6rem .3rem; }
summary { cursor: pointer; margin: 0 -.6rem; padding: .3rem .6rem; }
figure { margin: 1rem 0; max-width: 50rem; }
svg { width: 100%; height: auto; }
svg text { font: 13px system-ui, sans-serif; fill: currentColor; }
svg rect { fill: var(--bar); }
`;

/**
 * @param {Run} run
 * @param {{ comparison?: Comparison, baselineHint?: string, language?: string }} [options]
 * @returns {string}
 */
export function renderHtml(run, options = {}) {
  const words = wordsIn(options.language);
  return `<!doctype html>
<html lang="${words.language}">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${entities(run.title ?? 'perf-action', 120)}</title>
<style>${STYLE}</style>
<body>
${marked.parse(renderVerdict(run, options), { async: false })}
${chartsOf(run, words)
  .map((chart) => renderSvg(chart, words))
  .join('\n')}
${marked.parse(renderFigures(run, options), { async: false })}
</body>
</html>
`;
}

const ROW = 28;
const LABEL = 200;
const WIDTH = 800;
/** Room for the figure at the bar's end. */
const FIGURE = 90;
/** What fits left of the bars, in characters. */
const LETTERS = 26;

/**
 * @param {Chart} chart
 * @param {Words} words
 */
function renderSvg({ title, bars }, words) {
  const most = Math.max(1, ...bars.map(({ value }) => value));
  const drawn = bars.map(({ label, value }, index) => {
    const width = Math.round((value / most) * (WIDTH - LABEL - FIGURE));
    const middle = index * ROW + ROW / 2 + 5;
    return [
      `<text x="${LABEL - 8}" y="${middle}" text-anchor="end">${entities(clipped(label, LETTERS))}</text>`,
      `<rect x="${LABEL}" y="${index * ROW + 4}" width="${width}" height="${ROW - 8}" rx="2"/>`,
      `<text x="${LABEL + width + 6}" y="${middle}">${words.rate(value)}</text>`,
    ].join('');
  });
  const name = entities(words.tables.chart(title), 200);
  return `<figure><figcaption>${name}</figcaption>
<svg viewBox="0 0 ${WIDTH} ${bars.length * ROW}" role="img" aria-label="${name}">
${drawn.join('\n')}
</svg></figure>`;
}
