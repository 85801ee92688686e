/**
 * What the judge finds in a run's figures, a sentence each.
 * @import { Run } from '../../types.js'
 * @import { Finding, Knee } from '../../judge/findings.js'
 * @import { Words } from '../text/words.js'
 */

import { findingsOf } from '../../judge/findings.js';
import { conditionsOf } from '../../model/dimensions.js';
import { plain } from '../text/inline.js';
import { loadText } from '../text/load.js';

/** @param {Run} run @param {Words} words @returns {string[]} */
export const insightsOf = (run, words) => findingsOf(run).map((finding) => sentenceOf(finding, words));

/**
 * @param {Run} run
 * @param {Words} words
 * @returns {string | undefined} the answer in a few words, the rarer question's first; undefined where none is certain, or there are several
 */
export function answerOf(run, words) {
  const findings = findingsOf(run);
  const own = run.cases.filter(({ reference, summary }) => summary && !reference);
  // A title about a part of the run would hide the rest.
  if (new Set(own.map(({ server }) => server)).size !== 1) return undefined;
  const [knee, ...more] = findings.flatMap((finding) => (finding.code === 'knee' ? finding : []));
  const answers = [knee && more.length === 0 ? kneeTitle(knee, words) : '', keepAliveTitle(findings, words)];
  return answers.find(Boolean);
}

/** @param {Knee} finding @param {Words} words @returns {string} empty where the intervals leave it open */
function kneeTitle(finding, { headline }) {
  const isOpen = finding.high === finding.last && finding.low < finding.last;
  return isOpen ? '' : headline.answers.knee(finding);
}

/** Each load tool finds its own factor. @param {Finding[]} findings @param {Words} words @returns {string} empty where one of them is open */
function keepAliveTitle(findings, words) {
  const found = findings.flatMap((finding) => (finding.code === 'keepAlive' ? finding : []));
  const factors = found.flatMap(({ factor, limited }) =>
    factor && factor.low > 1 && !limited.some(Boolean) ? factor.value : [],
  );
  const isCertain = factors.length > 0 && factors.length === found.length;
  return isCertain ? words.headline.answers.keepAlive(factors.sort((a, b) => a - b)) : '';
}

/** @param {Finding} finding @param {Words} words @returns {string} */
function sentenceOf(finding, words) {
  const { insights } = words;
  const { serverName, route } = finding.runCase;
  // The sentence names the field itself.
  const load = loadText(conditionsOf(finding.runCase), words, [finding.field]);
  const name = plain(`${serverName} ${route}, ${load}`, 200);
  const say = /** @type {(facts: object) => string} */ (insights[finding.code]);
  return say({ ...finding, name });
}
