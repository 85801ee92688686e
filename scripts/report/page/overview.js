/** All cases in one picture: how they changed, or how fast they are. */
/** @import { Context } from '../document/document.js' */

import { METRICS } from '../../samples/figures.js';
import { drawChanges } from '../charts/beside-margin.js';
import { isQuietControl, worstFirst } from '../../judge/case-verdict.js';
import { shortNames } from '../text/names.js';
import { caption } from './markup.js';
import { changeOf } from './series.js';
import { renderSpeeds } from './speeds.js';

/** Rows that fit in a picture. */
const ROWS = 40;
/** Metrics with at least a tenth of the verdict's risk; the others are drawn with the cases. */
const DRAWN = METRICS.filter(({ judged }) => judged.weight >= 0.1);

/** @type {(context: Context) => string} */
export function renderOverview({ comparison, run, words, nameOf }) {
  if (!comparison) return renderSpeeds(run, words);
  const { cases } = comparison;
  // A case of one side alone is not drawn.
  const compared = run.cases.filter(({ id }) => cases.some((one) => one.id === id));
  const names = shortNames(compared.map(({ id, serverName }) => ({ id, serverName, name: nameOf(id) })));
  const drawn = DRAWN.flatMap(({ id, better, judged: { role } }) => {
    const changes = worstFirst(cases)
      .slice(0, ROWS)
      .flatMap((compared) => {
        const { id: caseId, metrics } = compared;
        const change = metrics.find(({ metric }) => metric === id);
        const drawn = change?.ciPct && changeOf(change, words);
        return drawn
          ? {
              ...drawn,
              ...(isQuietControl(compared) && { verdict: /** @type {const} */ ('control') }),
              better,
              title: drawn.name,
              name: names.get(caseId) ?? nameOf(caseId),
            }
          : [];
      });
    const [first] = changes;
    // Few changes are about the start.
    if (role === 'startup' && !changes.some(({ verdict }) => ['regressed', 'improved'].includes(verdict)))
      return [];
    return first ? `<div>${drawChanges({ title: first.title, better, changes }, words)}</div>` : [];
  });
  return drawn.length > 0
    ? `<figure><div class="charts">${drawn.join('')}</div>${caption(words.page.charts.ofChanges, words.page.hover)}</figure>`
    : '';
}
