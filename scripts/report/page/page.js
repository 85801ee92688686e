/**
 * The report as one page: charts drawn when it is written, no script, nothing from outside.
 * @import { CaseComparison, Comparison, Run, RunCase } from '../../types.js'
 * @import { Words } from '../text/words.js'
 */

import { isSkipped } from '../../store/skipped.js';
import { renderChanges } from '../document/changes.js';
import { howMeasured } from '../document/conditions.js';
import { entities } from '../render/escape.js';
import { nameOf } from '../document/table-rows.js';
import { renderFelt } from '../document/runtime-metrics.js';
import { renderFunctions } from '../document/functions.js';
import { insightsOf } from '../document/insights.js';
import { renderInstances } from '../document/instances.js';
import { footnotesOf, hintOf, renderFailures } from '../document/notes.js';
import { renderCase } from './case.js';
import { renderCalls } from './calls.js';
import { renderEnvironments } from './environments.js';
import { rendered, section, verdictPill, wholePage } from './markup.js';
import { renderOverview } from './overview.js';
import { renderPublished } from '../document/published.js';
import { renderTables } from '../document/tables.js';
import { headline, trust } from '../document/headline.js';
import { wordsIn } from '../text/words.js';

/** As large as the page may get, in bytes. */
const LARGEST = 300 * 1024;
/**
 * How much is drawn, the most that fits: cases with charts, the changed ones first; points of one side in one lane; whether the
 * cases have all their statistics; frames of a flame graph.
 */
const DETAILS = [
  { drawn: 60, most: 160, withBox: true, frames: 160 },
  { drawn: 60, most: 40, withBox: false, frames: 120 },
  { drawn: 60, most: 16, withBox: false, frames: 60 },
  { drawn: 60, most: 8, withBox: false, frames: 40 },
  { drawn: 20, most: 8, withBox: false, frames: 40 },
  { drawn: 5, most: 8, withBox: false, frames: 40 },
];
/** As many cases are open at once. */
const OPEN = 3;

/** base: what the comparison's base is of, so that both sides are drawn @typedef {{ comparison?: Comparison, base?: Run | undefined, baselineHint?: string, language?: string }} Options */

/**
 * @param {Run} run
 * @param {Options} [options]
 * @returns {string}
 */
export function renderHtml(run, options = {}) {
  let page = '';
  for (const detail of DETAILS) {
    page = renderPage(run, options, detail);
    if (new TextEncoder().encode(page).length <= LARGEST) break;
  }
  return page;
}

/** One of DETAILS @typedef {(typeof DETAILS)[number]} Detail */

/**
 * @param {Run} run
 * @param {Options} options
 * @param {Detail} detail
 */
function renderPage(run, options, detail) {
  const { comparison } = options;
  const words = wordsIn(options.language ?? run.language);
  const { page, parts } = words;
  const base = comparison && options.base?.id === comparison.base.id ? options.base : undefined;
  const insights = insightsOf(run, words).map((sentence) => `- ${sentence}`);
  const felt = renderFelt(run, words)?.table ?? '';
  const tables = renderTables(run, words, { comparison });
  const few = comparison ? renderTables(run, words, { comparison, columns: 'few' }) : tables;
  const all = comparison
    ? `<details class="more"><summary>${entities(parts.allFigures)}</summary>${rendered(tables.join('\n\n'), parts.allFigures)}</details>`
    : '';
  const notes = footnotesOf(run, comparison, words).texts.join('\n\n');
  const title = entities(run.title ?? 'perf-action', 120);
  return wholePage(
    { language: words.language, title },
    `${renderTop(run, options, words)}
<main>
${[
  section(
    page.overview,
    [
      renderOverview(run, comparison, words),
      rendered(few.join('\n\n'), page.overview),
      rendered(renderFailures(run, comparison, words).join('\n\n'), page.log),
      notes && `<div class="notes">${rendered(notes, page.log)}</div>`,
      all,
    ].join('\n'),
  ),
  section(
    words.functions.title,
    rendered(renderFunctions(run, comparison, words), words.functions.title) +
      renderCalls(run, comparison, { words, most: detail.frames }),
  ),
  section(parts.insights, rendered(insights.join('\n'), parts.insights)),
  section(page.cases, renderCases(run, { comparison, base, detail }, words)),
  section(parts.felt, rendered(felt, parts.felt)),
  section(parts.instances, rendered(renderInstances(run, words) ?? '', parts.instances)),
  section(parts.published, rendered(renderPublished(run, words) ?? '', parts.published)),
  section(page.environments, renderEnvironments(run, base, words)),
  section(parts.howMeasured, rendered(howMeasured(run, words), parts.howMeasured)),
]
  .filter(Boolean)
  .join('\n')}
</main>`,
  );
}

/**
 * @param {Run} run
 * @param {Options} options
 * @param {Words} words
 * @returns {string} the verdict in words, what changed, how far to believe it
 */
function renderTop(run, options, words) {
  const { comparison } = options;
  const kind = comparison && !isSkipped(run) ? comparison.verdict : 'plain';
  const told = comparison
    ? [renderChanges(run, comparison, words).join('\n'), trust(comparison, words).join(' ')]
    : [hintOf(run, options)];
  // The verdict has a sign of its own, which needs no font.
  const head = headline(run, comparison, words).replace(/^\p{Emoji_Presentation}\s*/u, '');
  return `<header class="${kind}">
<p class="of">${entities(run.title ?? 'perf-action', 120)}</p>
${rendered(`# ${head}`, words.page.overview).trim()}
${rendered(told.filter(Boolean).join('\n\n'), words.page.changes)}</header>`;
}

/**
 * @param {Run} run
 * @param {{ comparison: Comparison | undefined, base: Run | undefined, detail: Detail }} of
 * @param {Words} words
 */
function renderCases(run, { comparison, base, detail }, words) {
  const compared = new Map(comparison?.cases.map((of) => [of.id, of]));
  // The reference is not judged; what it moved by is told above.
  const measured = run.cases.filter(({ id, summary }) => summary && (!comparison || compared.has(id)));
  const drawn = measured.toSorted((a, b) => rank(a, compared) - rank(b, compared)).slice(0, detail.drawn);
  if (drawn.length === 0) return '';
  const links = drawn.map(({ id }, place) => {
    const of = compared.get(id);
    const told = of ? verdictPill(of, comparison, words) : '';
    return `<li><a href="#case-${place + 1}">${entities(nameOf(run, id, words), 120)}</a>${told}</li>`;
  });
  const nav =
    drawn.length > OPEN
      ? `<nav aria-label="${entities(words.page.cases)}"><ul>${links.join('')}</ul></nav>`
      : '';
  const left = measured.length - drawn.length;
  return [
    nav,
    renderReading(comparison, words),
    ...drawn.map((of, place) =>
      renderCase(of, {
        ...{ run, base, comparison, words, id: `case-${place + 1}` },
        ...detail,
        open: place < OPEN,
      }),
    ),
    left > 0 ? `<p>${entities(words.page.leftOut(left))}</p>` : '',
  ]
    .filter(Boolean)
    .join('\n');
}

/**
 * @param {RunCase} of
 * @param {Map<string, CaseComparison>} compared
 * @returns {number} what is news comes first, the reference last
 */
function rank({ id, reference }, compared) {
  const verdict = compared.get(id)?.verdict ?? 'same';
  return verdict !== 'same' ? 0 : reference ? 2 : 1;
}

/**
 * @param {Comparison | undefined} comparison
 * @param {Words} words
 * @returns {string} how the charts are read, once for all cases
 */
function renderReading(comparison, words) {
  const { how } = words.page.charts;
  const changes = comparison && (comparison.method === 'side-by-side' ? how.rounds : how.runs);
  const rows = [...(changes ? [changes] : []), how.course, how.latency, how.density].map(
    ([name, text]) => `<dt>${entities(name)}</dt><dd>${entities(text)}</dd>`,
  );
  return `<details class="more"><summary>${entities(words.page.reading)}</summary><dl>${rows.join('')}</dl></details>`;
}
