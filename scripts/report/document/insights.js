/**
 * What the judge finds in a run's figures, a sentence each, and the answer that is a run's title.
 * @import { Run, RunCase } from '../../types.js'
 * @import { Finding } from '../../judge/findings.js'
 * @import { Words } from '../text/words.js'
 */

import { sort } from 'd3-array';
import { findingsOf } from '../../judge/findings.js';
import { differing, groupsOf } from '../../judge/case-groups.js';
import { quotientOf } from '../../judge/ratio.js';
import { conditionsOf } from '../../model/dimensions.js';
import { levelOf } from '../../samples/case-figures.js';
import { isTooWide } from '../text/format.js';
import { plain } from '../text/inline.js';
import { fieldsText, loadText } from '../text/load-words.js';

/** Allocators alone cause smaller differences. */
const MORE_MEMORY = 1.2;

/** @type {(run: Run, words: Words) => string[]} */
export function insightsOf(run, words) {
  return findingsOf(run).map((finding) => {
    const { serverName, route } = finding.runCase;
    // The sentence names the field itself.
    const load = loadText(conditionsOf(finding.runCase), words, [finding.field]);
    const name = plain(`${serverName} ${route}, ${load}`, 200);
    const say = /** @type {(facts: object) => string} */ (words.insights[finding.code]);
    return say({ ...finding, name });
  });
}

/**
 * A short answer, the rarer question's first; undefined where none is certain, or there are several.
 * @type {(run: Run, words: Words) => string | undefined}
 */
export function answerOf(run, words) {
  const findings = findingsOf(run);
  const own = run.cases.filter(({ reference, summary }) => summary && !reference);
  // A title about a part of the run would hide the rest.
  if (new Set(own.map(({ server }) => server)).size !== 1) return ratioTitle(run, own, words) || undefined;
  const [knee, ...more] = findings.flatMap((finding) => (finding.code === 'knee' ? finding : []));
  const isOpen = knee && knee.high === knee.last && knee.low < knee.last;
  const answers = [
    knee && more.length === 0 && !isOpen ? words.headline.answers.knee(knee) : '',
    keepAliveTitle(findings, words),
    memoryTitle(own, words),
    ratioTitle(run, own, words),
  ];
  return answers.find(Boolean);
}

/**
 * The server that `relativeTo` names beside the best one, or where none is better the worst one; empty where
 * the run has several tables, or no difference is certain.
 * @type {(run: Run, own: RunCase[], words: Words) => string}
 */
function ratioTitle(run, own, words) {
  const group = groupsOf(run).find(({ cases }) => own.every((runCase) => cases.includes(runCase)));
  const { yardstick, loads = [] } = group ?? {};
  if (!yardstick || yardstick.summary?.clientBound) return '';
  const certain = own.flatMap((runCase) => {
    const isRanked = runCase !== yardstick && !runCase.summary?.clientBound;
    const { value = 1, low = 1, high = 1 } = (isRanked && quotientOf(runCase, yardstick)) || {};
    return (low > 1 || high < 1) && !isTooWide([100 * (low - 1), 100 * (high - 1)]) ? { runCase, value } : [];
  });
  const ranked = sort(certain, ({ value }) => -value);
  const [best, worst] = [ranked[0], ranked.at(-1)];
  const nameOf = (/** @type {RunCase} */ one) =>
    [plain(one.serverName, 120), fieldsText(conditionsOf(one), loads, words)].filter(Boolean).join(', ');
  if (!best || !worst) return '';
  const { ratio } = words.headline.answers;
  return best.value > 1
    ? ratio(nameOf(best.runCase), best.value, nameOf(yardstick))
    : ratio(nameOf(yardstick), 1 / worst.value, nameOf(worst.runCase));
}

/** Empty where routes hold about as much or loads differ. @type {(own: RunCase[], words: Words) => string} */
function memoryTitle(own, { headline }) {
  if (differing(own.map(conditionsOf)).length > 0) return '';
  const held = own.flatMap(({ route, ...runCase }) => {
    const level = levelOf(runCase, 'meanMemory');
    return level?.high === undefined ? [] : { route: plain(route, 80), ...level };
  });
  const ranked = sort(held, ({ value }) => value);
  const [least, most] = [ranked[0], ranked.at(-1)];
  const isCertain = least && most && (most.low ?? 0) > MORE_MEMORY * (least.high ?? Infinity);
  return isCertain ? headline.answers.memory(most.route, most.value / least.value, least.route) : '';
}

/** Each tool has its factor; empty if one is open. @type {(findings: Finding[], words: Words) => string} */
function keepAliveTitle(findings, words) {
  const found = findings.flatMap((finding) => (finding.code === 'keepAlive' ? finding : []));
  const factors = found.flatMap(({ factor, limited }) =>
    factor && factor.low > 1 && !limited.some(Boolean) ? factor.value : [],
  );
  const isCertain = factors.length > 0 && factors.length === found.length;
  return isCertain ? words.headline.answers.keepAlive(factors.sort((a, b) => a - b)) : '';
}
