/**
 * The report as one page: charts drawn when it is written, no script, nothing from outside.
 * @import { Comparison, Run, Verdict } from '../../types.js'
 * @import { Document } from '../document/blocks.js'
 * @import { Context, Options } from '../document/document.js'
 * @import { Words } from '../text/words.js'
 */

import { sort } from 'd3-array';
import { isCounted } from '../document/counted.js';
import { documentOf } from '../document/document.js';
import { touchedTable } from '../document/touched-answer.js';
import { entities, inHtml } from '../render/escape.js';
import { blocksHtml, partHtml } from '../render/html.js';
import { caseNames } from '../text/names.js';
import { worstFirst } from '../../judge/case-verdict.js';
import { DOCS } from '../../system/this-project.js';
import { wordsIn } from '../text/words.js';
import { renderCase } from './case-section.js';
import { renderCalls } from './flame.js';
import { wholePage } from './markup.js';
import { renderOverview } from './overview.js';

/** The most bytes of a page. */
const LARGEST = 400 * 1024;
/**
 * The first that fits is drawn: cases with charts, the changed ones first; points of one side in one lane;
 * whether the cases have all their statistics; frames of a flame graph.
 */
const DETAILS = [
  { drawn: 60, most: 160, withBox: true, frames: 160 },
  { drawn: 60, most: 40, withBox: false, frames: 120 },
  { drawn: 60, most: 16, withBox: false, frames: 60 },
  { drawn: 60, most: 8, withBox: false, frames: 40 },
  { drawn: 20, most: 8, withBox: false, frames: 40 },
  { drawn: 5, most: 8, withBox: false, frames: 40 },
];
/** Verdicts of cases that are open at first. @type {(Verdict | undefined)[]} */
const OPEN = ['regressed', 'improved', 'failed'];

/** @type {(run: Run, options?: Options) => string} */
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

/** @type {(document: Document, context: { run: Run, options: Options, detail: Detail }) => string} */
function renderPage(document, { run, options, detail }) {
  const { comparison } = options;
  const words = wordsIn(document.language);
  const { page } = words;
  const base = comparison && options.base?.id === comparison.base.id ? options.base : undefined;
  const context = { run, comparison, words, nameOf: caseNames({ run, base: options.base }, words) };
  const cases = drawnCases(run, comparison);
  const shown = cases.slice(0, detail.drawn);
  const placeOf = (/** @type {string} */ id) => {
    const place = shown.findIndex((runCase) => runCase.id === id);
    return place < 0 ? undefined : `#case-${place + 1}`;
  };
  const partOf = (/** @type {string} */ id) => document.parts.find((part) => part.id === id);
  const sectionOf = (/** @type {string} */ id, drawing = '', blocks = partOf(id)?.blocks) => {
    const name = partOf(id)?.name ?? '';
    return { id, name, html: blocks ? blocksHtml(blocks, name, placeOf) + drawing : '' };
  };
  const notes = partHtml(partOf('notes'));
  const overview = [
    isCounted(run) ? '' : renderOverview(context),
    partHtml(partOf('figures'), placeOf),
    partHtml(partOf('failures')),
    notes && `<div class="notes">${notes}</div>`,
    partHtml(partOf('allFigures'), placeOf),
  ];
  const sections = [
    { id: 'overview', name: page.overview, html: overview.join('\n') },
    sectionOf('functions', renderCalls(comparison, { ...context, most: detail.frames })),
    sectionOf('touched', '', comparison?.touched && touchedTable(comparison.touched, words)),
    sectionOf('insights'),
    {
      id: 'cases',
      name: page.cases,
      html: isCounted(run) ? '' : renderCases(shown, cases.length - shown.length, { context, base, detail }),
    },
    sectionOf('runtimeMetrics'),
    sectionOf('instances'),
    sectionOf('published'),
    sectionOf(
      'conditions',
      options.file === undefined
        ? ''
        : `<p><a href="${entities(options.file)}">${entities(page.file)}</a></p>`,
    ),
    sectionOf('presetRuns'),
  ].filter(({ html }) => html);
  return wholePage({ title: document.title, top: renderTop(document, run, words), sections, words });
}

/** The verdict, what changed, and trust. @type {(document: Document, run: Run, words: Words) => string} */
function renderTop({ title, headline, verdict, parts }, run, { page }) {
  // The page shows the verdict's colour itself.
  const head = headline.replace(/^\p{Emoji_Presentation}\s*/u, '');
  const name =
    run.title !== undefined && head.includes(title) ? '' : `<p class="run">${entities(title)}</p>\n`;
  const html = parts
    .filter(({ id }) => ['differences', 'machines', 'changes', 'limits', 'trust', 'hint'].includes(id))
    .map((part) => partHtml(part));
  const about =
    verdict === 'unsure'
      ? `<p><a href="${DOCS}/verdicts.md#from-rounds-to-a-verdict">${entities(page.unsure)}</a></p>\n`
      : '';
  return `<header class="${verdict ?? 'plain'}">
${name}<h1>${inHtml(head)}</h1>
${about}${html.join('\n')}</header>`;
}

/**
 * The worst verdict comes first; a comparison does not judge the reference.
 * @type {(run: Run, comparison: Comparison | undefined) => Run['cases']}
 */
function drawnCases(run, comparison) {
  const ranks = new Map(worstFirst(comparison?.cases ?? []).map(({ id }, place) => [id, place]));
  const measured = run.cases.filter(({ id, summary }) => summary && (!comparison || ranks.has(id)));
  return sort(measured, ({ id, reference }) => ranks.get(id) ?? Number(reference ?? 0));
}

/**
 * Those that changed, and a case that is alone, are open.
 * @param {Run['cases']} drawn
 * @param {number} left cases that are not drawn
 * @param {{ context: Context, base: Run | undefined, detail: Detail }} how
 */
function renderCases(drawn, left, { context, base, detail }) {
  const { comparison, words } = context;
  if (drawn.length === 0) return '';
  const { how } = words.page.charts;
  const changes = comparison && (comparison.method === 'side-by-side' ? how.rounds : how.runs);
  const reading = [changes, how.course, how.latency].flatMap((text) =>
    text ? `<p>${inHtml(text)}</p>` : [],
  );
  const verdictOf = new Map(comparison?.cases.map(({ id, verdict }) => [id, verdict]));
  return [
    `<details class="notes"><summary>${entities(words.page.reading)}</summary>${reading.join('')}</details>`,
    ...drawn.map((runCase, place) => {
      const open = drawn.length === 1 || OPEN.includes(verdictOf.get(runCase.id));
      return renderCase(runCase, { ...context, ...detail, base, id: `case-${place + 1}`, open });
    }),
    left > 0 ? `<p>${entities(words.page.leftOut(left))}</p>` : '',
  ]
    .filter(Boolean)
    .join('\n');
}
