/**
 * The report as one page: charts drawn when it is written, no script, nothing from outside.
 * @import { Comparison, Run, RunCase } from '../../types.js'
 * @import { Document } from '../document/blocks.js'
 * @import { Context, Options } from '../document/document.js'
 * @import { Words } from '../text/words.js'
 */

import { documentOf } from '../document/document.js';
import { entities, inHtml } from '../render/escape.js';
import { blocksHtml, partHtml } from '../render/html.js';
import { caseNames } from '../text/names.js';
import { rankOf } from '../../judge/case-verdict.js';
import { wordsIn } from '../text/words.js';
import { renderCase } from './case.js';
import { renderCalls } from './flame.js';
import { renderEnvironments, section, verdictPill, wholePage } from './markup.js';
import { renderOverview } from './overview.js';

/** The most bytes of a page. */
const LARGEST = 300 * 1024;
/**
 * The first that fits is drawn: cases with charts, the changed ones first; points of one side in one lane; whether the cases have
 * all their statistics; frames of a flame graph.
 */
const DETAILS = [
  { drawn: 60, most: 160, withBox: true, frames: 160 },
  { drawn: 60, most: 40, withBox: false, frames: 120 },
  { drawn: 60, most: 16, withBox: false, frames: 60 },
  { drawn: 60, most: 8, withBox: false, frames: 40 },
  { drawn: 20, most: 8, withBox: false, frames: 40 },
  { drawn: 5, most: 8, withBox: false, frames: 40 },
];
/** Cases that are open at first. */
const OPEN = 3;

/** @param {Run} run @param {Options} [options] @returns {string} */
export function renderHtml(run, options = {}) {
  const document = documentOf(run, options);
  let page = '';
  for (const detail of DETAILS) {
    page = renderPage(document, { run, options, detail });
    if (new TextEncoder().encode(page).length <= LARGEST) break;
  }
  return page;
}

/** @typedef {(typeof DETAILS)[number]} Detail */

/** @param {Document} document @param {{ run: Run, options: Options, detail: Detail }} context */
function renderPage(document, { run, options, detail }) {
  const { comparison } = options;
  const words = wordsIn(document.language);
  const { page } = words;
  const base = comparison && options.base?.id === comparison.base.id ? options.base : undefined;
  const context = { run, comparison, words, nameOf: caseNames({ run, base: options.base }, words) };
  const partOf = (/** @type {string} */ id) => document.parts.find((part) => part.id === id);
  const sectionOf = (/** @type {string} */ id, drawing = '') => {
    const part = partOf(id);
    return part ? section(part.name, blocksHtml(part.blocks, part.name) + drawing) : '';
  };
  const notes = partHtml(partOf('notes'));
  const sections = [
    section(
      page.overview,
      [
        renderOverview(context),
        partHtml(partOf('figures')),
        partHtml(partOf('failures')),
        notes && `<div class="notes">${notes}</div>`,
        partHtml(partOf('allFigures')),
      ].join('\n'),
    ),
    sectionOf('functions', renderCalls(comparison, { ...context, most: detail.frames })),
    sectionOf('insights'),
    section(page.cases, renderCases(context, base, detail)),
    sectionOf('runtimeMetrics'),
    sectionOf('instances'),
    sectionOf('published'),
    section(page.environments, renderEnvironments(run, base, words)),
    sectionOf('conditions'),
  ];
  return wholePage(
    { language: document.language, title: entities(document.title) },
    `${renderTop(document, run)}\n<main>\n${sections.filter(Boolean).join('\n')}\n</main>`,
  );
}

/** @param {Document} document @param {Run} run @returns {string} the verdict, what changed, how far to trust it */
function renderTop({ title, headline, verdict, parts }, run) {
  // The page shows the verdict's colour itself.
  const head = headline.replace(/^\p{Emoji_Presentation}\s*/u, '');
  const name =
    run.title !== undefined && head.includes(title) ? '' : `<p class="run">${entities(title)}</p>\n`;
  const html = parts
    .filter(({ id }) => ['differences', 'changes', 'limits', 'trust', 'hint'].includes(id))
    .map(partHtml);
  return `<header class="${verdict ?? 'plain'}">
${name}<h1>${inHtml(head)}</h1>
${html.join('\n')}</header>`;
}

/** @param {Context} context @param {Run | undefined} base @param {Detail} detail */
function renderCases(context, base, detail) {
  const { run, comparison, words, nameOf } = context;
  const compared = new Map(comparison?.cases.map((judged) => [judged.id, judged]));
  // A comparison does not judge the reference.
  const measured = run.cases.filter(({ id, summary }) => summary && (!comparison || compared.has(id)));
  const rank = (/** @type {RunCase} */ { id, reference }) =>
    reference ? Infinity : rankOf(compared.get(id)?.verdict ?? 'same');
  const drawn = measured.toSorted((a, b) => rank(a) - rank(b)).slice(0, detail.drawn);
  if (drawn.length === 0) return '';
  const links = drawn.map(({ id }, place) => {
    const pill = verdictPill(compared.get(id), comparison, words);
    return `<li><a href="#case-${place + 1}">${entities(nameOf(id))}</a>${pill}</li>`;
  });
  const nav = `<nav aria-label="${entities(words.page.cases)}"><ul>${links.join('')}</ul></nav>`;
  const left = measured.length - drawn.length;
  return [
    drawn.length > OPEN ? nav : '',
    renderReading(comparison, words),
    ...drawn.map((runCase, place) =>
      renderCase(runCase, { ...context, ...detail, base, id: `case-${place + 1}`, open: place < OPEN }),
    ),
    left > 0 ? `<p>${entities(words.page.leftOut(left))}</p>` : '',
  ]
    .filter(Boolean)
    .join('\n');
}

/** @param {Comparison | undefined} comparison @param {Words} words @returns {string} how the charts of all cases are read */
function renderReading(comparison, words) {
  const { how } = words.page.charts;
  const changes = comparison && (comparison.method === 'side-by-side' ? how.rounds : how.runs);
  const texts = [...(changes ? [changes] : []), how.course, how.latency, how.density];
  const html = texts.map((text) => `<p>${inHtml(text)}</p>`).join('');
  return `<details class="notes"><summary>${entities(words.page.reading)}</summary>${html}</details>`;
}
