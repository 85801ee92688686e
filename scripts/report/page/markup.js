/**
 * The page's own elements.
 * @import { CaseComparison, Comparison } from '../../types.js'
 * @import { Words } from '../text/words.js'
 */

import { isQuietControl } from '../../judge/case-verdict.js';
import { entities } from '../render/escape.js';
import { STYLE } from './style.js';

/** Pages with fewer sections need no table of contents. */
const LEAST_SECTIONS = 3;

/**
 * @param {{ title: string, top: string, sections: Section[], words: Words }} of top: HTML
 * @returns {string} a page that runs nothing and asks for nothing
 */
export function wholePage({ title, top, sections, words: { language, page } }) {
  const items = sections.map(({ id, name }) => `<li><a href="#${id}">${entities(name)}</a></li>`);
  const contents = `<nav aria-label="${entities(page.contents)}"><ul>${items.join('')}</ul></nav>`;
  const bodies = sections.map(
    ({ id, name, html }) => `<section id="${id}"><h2>${entities(name)}</h2>\n${html}\n</section>`,
  );
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${entities(title)}</title>
<style>${STYLE}</style>
</head>
<body>
${top}
${sections.length < LEAST_SECTIONS ? '' : contents}
<main>
${bodies.join('\n')}
</main>
</body>
</html>
`;
}

/** Links go to the id; a name is plain text. @typedef {{ id: string, name: string, html: string }} Section */

/** Returns nothing where there is nothing to draw. @type {(svg: string) => string} */
export function figure(svg) {
  return svg && `<figure>${svg}</figure>`;
}

/** Writes plain text, with a hint for a pointer. @type {(text: string, hint?: string) => string} */
export function caption(text, hint = '') {
  const more = hint && `<span class="pointer">${entities(hint)}</span>`;
  return `<figcaption>${[entities(text), more].filter(Boolean).join(' ')}</figcaption>`;
}

/** Says which line or dot has which name. @type {(series: { kind: string, name: string }[]) => string} */
export function legend(series) {
  const keys = series.map(
    ({ kind, name }) =>
      `<li><svg class="key" viewBox="0 0 30 10" aria-hidden="true"><path class="line thick ${kind}" d="M1 5H29"/><path class="dots ${kind}" d="M15 5h0"/></svg>${entities(name, 60)}</li>`,
  );
  return `<ul class="legend">${keys.join('')}</ul>`;
}

/**
 * @type {(compared: CaseComparison | undefined, comparison: Comparison | undefined, words: Words) => string}
 */
export function verdictPill(compared, comparison, { change: { verdicts } }) {
  if (!compared) return '';
  const { verdict } = compared;
  if (isQuietControl(compared)) return `<span class="pill control">${entities(verdicts.control, 40)}</span>`;
  const differs = comparison?.against === 'self' && (verdict === 'regressed' || verdict === 'improved');
  return `<span class="pill ${differs ? 'unsure' : verdict}">${entities(differs ? verdicts.differs : verdicts[verdict], 40)}</span>`;
}
