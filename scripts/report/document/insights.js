/**
 * What the judge finds in a run's figures, a sentence each.
 * @import { Run } from '../../types.js'
 * @import { Finding, Memory, Yardstick } from '../../judge/findings.js'
 * @import { Words } from '../text/words.js'
 */

import { findingsOf } from '../../judge/findings.js';
import { conditionsOf } from '../../model/dimensions.js';
import { isTooWide } from '../text/format.js';
import { plain } from '../text/inline.js';
import { fieldsText, loadText } from '../text/load.js';
import { titleOf } from './table-rows.js';

/** @param {Run} run @param {Words} words @returns {string[]} */
export const insightsOf = (run, words) => findingsOf(run).map((finding) => sentenceOf(finding, words));

/** @param {Finding} finding @param {Words} words @returns {string} */
function sentenceOf(finding, words) {
  const { insights } = words;
  if (finding.code === 'memory') return memoryText(finding, words);
  if (finding.code === 'yardstick') return yardstickText(finding, words);
  const { serverName, route } = finding.runCase;
  // The sentence names the field itself.
  const load = loadText(conditionsOf(finding.runCase), words, [finding.field]);
  const name = plain(`${serverName} ${route}, ${load}`, 200);
  const say = /** @type {(facts: object) => string} */ (insights[finding.code]);
  return say({ ...finding, name });
}

/** @param {Memory} finding @param {Words} words */
function memoryText({ more, least }, words) {
  const { ends, megabytes } = words;
  const text = (/** @type {Memory['least']} */ { runCase, level }) =>
    `${plain(runCase.route, 120)} ${megabytes(level.value)} MB${ends(level, megabytes)}`;
  const { serverName } = least.runCase;
  const name = plain(`${serverName}, ${loadText(conditionsOf(least.runCase), words)}`, 200);
  return words.insights.memory(name, words.list(more.map(text)), text(least));
}

/** @param {Yardstick} finding @param {Words} words */
function yardstickText({ group, yardstick, others }, words) {
  const { insights, list } = words;
  const text = (/** @type {Yardstick['others'][number]} */ { runCase, quotient }) => {
    const load = fieldsText(conditionsOf(runCase), group.loads, words);
    const server = [plain(runCase.serverName, 120), load].filter(Boolean).join(', ');
    const { low, high } = quotient;
    return isTooWide([100 * (low - 1), 100 * (high - 1)]) ? server : `${server} ${words.quotient(quotient)}`;
  };
  const ranks = Object.entries(insights.ranks).flatMap(([rank, label]) => {
    const texts = others.filter((other) => other.rank === rank).map(text);
    return texts.length > 0 ? `${label} ${list(texts)}` : [];
  });
  const title = plain(titleOf(group.cases, group, words), 200);
  return insights.yardstick(title, plain(yardstick.serverName, 120), ranks.join('; '));
}
