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

/** The findings that may be a title, the rarer question first. @type {Finding['code'][]} */
const TITLES = ['knee', 'keepAlive', 'memory', 'yardstick'];

/** @param {Run} run @param {Words} words @returns {string | undefined} the answer in a few words; undefined where none is certain, or there are several */
export function answerOf(run, words) {
  const findings = findingsOf(run);
  const own = run.cases.filter(({ reference, summary }) => summary && !reference);
  const servers = new Set(own.map(({ server }) => server)).size;
  const answers = TITLES.flatMap((code) => {
    const [only, ...more] = findings.filter((finding) => finding.code === code);
    if (code === 'keepAlive' && servers === 1) return keepAliveTitle(findings, words);
    if (!only || more.length > 0) return [];
    // Where a title is about a part of the run, it would hide the rest.
    const isWhole =
      only.code === 'yardstick' ? own.every((one) => only.group.cases.includes(one)) : servers === 1;
    return isWhole ? titleText(only, words) : [];
  });
  return answers.find(Boolean);
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

/** @param {Finding} finding @param {Words} words @returns {string} empty where the intervals leave it open */
function titleText(finding, words) {
  const { answers } = words.headline;
  if (finding.code === 'knee') {
    const isOpen = finding.high === finding.last && finding.low < finding.last;
    return isOpen ? '' : answers.knee(finding);
  }
  if (finding.code === 'memory') {
    const {
      more: [most = finding.least],
      least,
    } = finding;
    const [more = '', less = ''] = [most, least].map(({ runCase }) => plain(runCase.route, 80));
    return answers.memory(more, most.level.value / least.level.value, less);
  }
  if (finding.code !== 'yardstick') return '';
  const { yardstick, others, group } = finding;
  const certain = others.filter(({ rank, quotient }) => rank !== 'open' && !isVague(quotient));
  const [best, worst] = [certain[0], certain.at(-1)];
  const name = (/** @type {Yardstick['yardstick']} */ runCase) => serverText(runCase, group, words);
  if (best?.rank === 'faster') return answers.ratio(name(best.runCase), best.quotient.value, name(yardstick));
  return worst ? answers.ratio(name(yardstick), 1 / worst.quotient.value, name(worst.runCase)) : '';
}

/** @param {Yardstick['others'][number]['quotient']} quotient */
const isVague = ({ low, high }) => isTooWide([100 * (low - 1), 100 * (high - 1)]);

/** @param {Yardstick['yardstick']} runCase @param {Yardstick['group']} group @param {Words} words @returns {string} its server, with the load that differs */
function serverText(runCase, { loads }, words) {
  const load = fieldsText(conditionsOf(runCase), loads, words);
  return [plain(runCase.serverName, 120), load].filter(Boolean).join(', ');
}

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
    const server = serverText(runCase, group, words);
    return isVague(quotient) ? server : `${server} ${words.quotient(quotient)}`;
  };
  const ranks = Object.entries(insights.ranks).flatMap(([rank, label]) => {
    const texts = others.filter((other) => other.rank === rank).map(text);
    return texts.length > 0 ? `${label} ${list(texts)}` : [];
  });
  const title = plain(titleOf(group.cases, group, words), 200);
  return insights.yardstick(title, plain(yardstick.serverName, 120), ranks.join('; '));
}
