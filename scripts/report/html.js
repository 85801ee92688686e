/**
 * The report as one page that needs nothing from outside.
 * @import { Comparison, Run } from '../types.js'
 */

import { marked } from 'marked';
import { rate } from './format.js';
import { renderReport } from './markdown.js';

const STYLE = `
:root { color-scheme: light dark; --line: light-dark(#d8dee4, #3d444d); --bar: light-dark(#0969da, #4493f8); --soft: light-dark(#f6f8fa, #151b23); }
body { font: 14px/1.5 system-ui, sans-serif; max-width: 84rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; display: block; overflow-x: auto; }
th, td { border: 1px solid var(--line); padding: .25rem .5rem; white-space: nowrap; }
th, pre, summary { background: var(--soft); }
pre { padding: .6rem; overflow-x: auto; }
details { margin: .6rem 0; border: 1px solid var(--line); padding: 0 .6rem .3rem; }
summary { cursor: pointer; margin: 0 -.6rem; padding: .3rem .6rem; }
svg { width: 100%; height: auto; max-width: 50rem; }
svg text { font: 13px system-ui, sans-serif; fill: currentColor; }
svg rect { fill: var(--bar); }
`;

/**
 * @param {Run} run
 * @param {{ comparison?: Comparison, baselineHint?: string }} [options]
 * @returns {string}
 */
export function renderHtml(run, options = {}) {
  const body = marked.parse(renderReport(run, options), { async: false });
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${entities(run.title ?? 'perf-action')}</title>
<style>${STYLE}</style>
<body>
${chart(run)}
${body}
</body>
</html>
`;
}

const ROW = 28;
const LABEL = 180;
const WIDTH = 800;

/** @param {Run} run */
function chart({ cases }) {
  const shown = cases
    .flatMap(({ id, serverName, summary }) =>
      summary && !summary.clientBound ? [{ id, serverName, summary }] : [],
    )
    .toSorted((a, b) => b.summary.throughput - a.summary.throughput);
  const most = Math.max(1, ...shown.map(({ summary }) => summary.throughput));
  const bars = shown.map(({ serverName, summary }, index) => {
    const width = Math.round((summary.throughput / most) * (WIDTH - LABEL - 90));
    const middle = index * ROW + ROW / 2 + 5;
    return [
      `<text x="${LABEL - 8}" y="${middle}" text-anchor="end">${entities(serverName)}</text>`,
      `<rect x="${LABEL}" y="${index * ROW + 4}" width="${width}" height="${ROW - 8}" rx="2"/>`,
      `<text x="${LABEL + width + 6}" y="${middle}">${rate(summary.throughput)}</text>`,
    ].join('');
  });
  return `<svg viewBox="0 0 ${WIDTH} ${shown.length * ROW}" role="img" aria-label="Requests a second">${bars.join('\n')}</svg>`;
}

/** @param {string} text */
function entities(text) {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;');
}
