/**
 * What controls measured, the cases that execute the same code on both sides.
 * @import { CaseComparison, MetricComparison } from '../../types.js'
 * @import { Words } from '../text/words.js'
 * @import { Item } from './blocks.js'
 * @import { Compared } from './changes.js'
 */

import { groups, max, min } from 'd3-array';
import { decisiveChange, isQuietControl } from '../../judge/case-verdict.js';
import { labelOf } from '../text/change-words.js';
import { firstOf, isTooWide, USUAL } from '../text/format.js';
import { strong } from '../text/inline.js';

/** Controls that the line names; the list of routes has all. */
const NAMED = 3;

/** One line for the quiet ones; of each other, that it is one. @type {(context: Compared) => Item[]} */
export function controlItems({ comparison, words, nameOf }) {
  const { control: phrases } = words;
  const controls = comparison.cases.filter(({ role }) => role === 'control');
  const items = controls.flatMap((compared) => {
    const said = compared.promoted ? phrases.promoted : phrases.measured;
    return isQuietControl(compared) ? [] : { text: `${strong(nameOf(compared.id))}: ${said}` };
  });
  const quiet = controls.filter(isQuietControl);
  if (quiet.length === 0) return items;
  const results = groups(quiet, (compared) => kindOf(compared, words)).map(([kind, alike]) => {
    const text = [kind, rangeOf(alike, words)].filter(Boolean).join(' ');
    return alike.length < quiet.length ? phrases.some(text, alike.length) : text;
  });
  const names = quiet.map(({ id }) => nameOf(id));
  const shown = firstOf(names, NAMED, words.more);
  return [...items, { text: phrases.quiet(words.list(shown), quiet.length, results.join('; ')) }];
}

/** Its figure, or why it has no interval. @type {(of: CaseComparison, words: Words) => string} */
function kindOf(compared, words) {
  const change = decisiveChange(compared);
  if (!change) return words.tables.notMeasured;
  if (change.ciPct) return hasInterval(change) ? labelOf(change, words) : words.change.inconclusive;
  return words.control.none(words.reason(change.why));
}

/**
 * What holds all of their intervals, at their lowest confidence.
 * @type {(alike: CaseComparison[], words: Words) => string}
 */
function rangeOf(alike, words) {
  const changes = alike.flatMap((compared) => decisiveChange(compared) ?? []).filter(hasInterval);
  const low = min(changes, ({ ciPct }) => ciPct?.[0]);
  const high = max(changes, ({ ciPct }) => ciPct?.[1]);
  if (low === undefined || high === undefined) return '';
  const level = min(changes, ({ ciLevelPct = USUAL }) => ciLevelPct);
  const range = words.interval([low, high], level);
  return changes.length > 1 ? words.control.atMost(range) : range;
}

/** @param {MetricComparison} change */
function hasInterval({ ciPct }) {
  return ciPct !== undefined && !isTooWide(ciPct);
}
