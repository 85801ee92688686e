/**
 * Sentences that rules make of a run's figures; they claim no more than the intervals allow.
 * @import { Run, RunCase } from '../../types.js'
 * @import { Words } from '../text/words.js'
 */

import { greatest, group, sum } from 'd3-array';
import { conditionsOf } from '../../model/dimensions.js';
import { levelOf, NEGLIGIBLE, quotientOf, quotientOfSamples } from '../../judge/ratio.js';
import { figureIn, samplesOf } from '../../samples/samples.js';
import { plain } from '../text/inline.js';
import { tablesOf } from './table-rows.js';
import { isTooWide } from '../text/format.js';
import { goodWindows } from './inside.js';
import { alikeBut, loadText } from '../text/load.js';

/** Two points have no knee. */
const LEAST_STEPS = 3;
/** The share of the cores above which there is no room for more work. */
const FULL = 0.9;
const WORTH = 1 + NEGLIGIBLE;
/** Allocators alone cause smaller differences. */
const MORE_MEMORY = 1.2;

/** @param {Run} run @param {Words} words @returns {string[]} a sentence each */
export function insightsOf(run, words) {
  const { cases, environment } = run;
  return [
    ...alikeBut(cases, 'connections').flatMap((alike) => knee(alike, 'connections', words)),
    ...alikeBut(cases, 'connections').flatMap((alike) => limit(alike, environment.cores, words)),
    ...alikeBut(cases, 'instances').flatMap((alike) => knee(alike, 'instances', words)),
    ...alikeBut(cases, 'keepAlive').flatMap((alike) => keptAlive(alike, words)),
    ...memories(run, words),
    ...yardsticks(run, words),
  ];
}

/**
 * Where throughput stops growing with the connections, or the instances: the first step that no later one exceeds. It is a range of
 * steps where comparisons stay open. Steps that the load tool limits are left out.
 * @param {RunCase[]} cases @param {'connections' | 'instances'} field @param {Words} words
 */
function knee(cases, field, words) {
  const stepOf = (/** @type {RunCase} */ runCase) => conditionsOf(runCase)[field];
  const steps = cases
    .filter(({ summary }) => summary && !summary.clientBound)
    .toSorted((a, b) => stepOf(a) - stepOf(b));
  const [first] = steps;
  if (!first || steps.length < LEAST_STEPS) return [];
  const samples = steps.map(({ trials }) => samplesOf(trials));
  const gainsAfter = (/** @type {number} */ place) =>
    samples.slice(place + 1).map((later) => quotientOfSamples(later, samples[place] ?? []));
  const from = steps.findIndex((_, place) => !gainsAfter(place).some((gain) => gain && gain.low > WORTH));
  const to = steps.findIndex((_, place) => !gainsAfter(place).some((gain) => !gain || gain.high > WORTH));
  const high = /** @type {RunCase} */ (steps[to]);
  return words.insights.knee({
    name: nameOf(first, field, words),
    field,
    first: stepOf(first),
    low: stepOf(steps[from] ?? first),
    high: stepOf(high),
    last: stepOf(steps.at(-1) ?? first),
    gained: to > 0 ? quotientOf(high, first) : undefined,
    further: greatest(gainsAfter(to), (gain) => gain?.high ?? 0),
  });
}

/**
 * The limit of a server at the number of connections where its throughput is highest.
 * @param {RunCase[]} cases @param {number} machine its cores @param {Words} words
 */
function limit(cases, machine, words) {
  const steps = cases.filter(({ summary }) => summary);
  const best = greatest(steps, ({ summary }) => summary?.throughput);
  if (!best || steps.length < LEAST_STEPS || !machine) return [];
  const { clientCores = best.load.threads ?? 1, serverCores = 1 } = best;
  const windows = goodWindows(best);
  const [server, client] = [figureIn('serverCores', windows), figureIn('clientCores', windows)];
  if (server === undefined || client === undefined) return [];
  const beside = (figureIn('proxyCores', windows) ?? 0) + (figureIn('servicesCores', windows) ?? 0);
  const all = server + client + beside + (best.summary?.foreignShare ?? 0) * machine;
  const bound = boundOf({
    isClient: Boolean(best.summary?.clientBound),
    isBusy: server > FULL * serverCores,
    isFull: all > FULL * machine,
  });
  const busy = levelOf(best, 'serverCores');
  const { throughput = 0, bytes } = best.summary ?? {};
  const shareOf = (/** @type {number} */ cores) => cores / serverCores;
  return words.insights.limit({
    name: nameOf(best, 'connections', words),
    connections: best.load.connections,
    bound,
    throughput,
    rates: levelOf(best, 'throughput'),
    share: shareOf(server),
    shares: busy && { value: shareOf(busy.value), low: shareOf(busy.low), high: shareOf(busy.high) },
    serverCores,
    client,
    clientCores,
    all,
    machine,
    bytesPerSecond: bytes === undefined ? undefined : bytes / sum(windows, ({ seconds }) => seconds),
  });
}

/** @param {{ isClient: boolean, isBusy: boolean, isFull: boolean }} limits load tool, server or machine have no CPU left */
function boundOf({ isClient, isBusy, isFull }) {
  if (isClient) return 'client';
  if (isBusy) return isFull ? 'server' : 'processes';
  return isFull ? 'machine' : 'waiting';
}

/** The cost of a new connection for every request. @param {RunCase[]} cases @param {Words} words */
function keptAlive(cases, words) {
  const [on, off] = [true, false].map((kept) => cases.find(({ load }) => load.keepAlive === kept));
  if (!on?.summary || !off?.summary) return [];
  return words.insights.keepAlive({
    name: nameOf(on, 'keepAlive', words),
    on: on.summary.throughput,
    off: off.summary.throughput,
    limited: [on, off].map(({ summary }) => summary?.clientBound === true),
    factor: quotientOf(on, off),
  });
}

/**
 * Which route of a server holds more memory than another, over the whole time under load.
 * @param {Run} run @param {Words} words
 */
function memories(run, words) {
  const { ends, list, megabytes } = words;
  const groups = group(run.cases, (runCase) =>
    plain(`${runCase.serverName}, ${loadText(conditionsOf(runCase), words)}`, 200),
  );
  return [...groups].flatMap(([name, cases]) => {
    const levels = cases.flatMap((runCase) => {
      const level = levelOf(runCase, 'meanMemory');
      if (!level) return [];
      const size = `${megabytes(level.value)} MB${ends(level, megabytes)}`;
      return { level, text: `${plain(runCase.route, 120)} ${size}` };
    });
    const [least, ...others] = levels.toSorted((a, b) => a.level.value - b.level.value);
    const more = others.filter(({ level }) => least && level.low > MORE_MEMORY * least.level.high);
    if (!least || more.length === 0) return [];
    const texts = more.toReversed().map(({ text }) => text);
    return words.insights.memory(name, list(texts), least.text);
  });
}

/**
 * Servers that are faster or slower than the one that ratios refer to, and those that cannot be distinguished from it.
 * @param {Run} run @param {Words} words
 */
function yardsticks(run, words) {
  const { insights, list } = words;
  return tablesOf(run, undefined, words).flatMap(({ title, rows, yardstick }) => {
    if (!yardstick || yardstick.summary?.clientBound) return [];
    const others = rows.flatMap(({ runCase, load }) => {
      const isRanked = runCase !== yardstick && !runCase.reference && !runCase.summary?.clientBound;
      const quotient = isRanked ? quotientOf(runCase, yardstick) : undefined;
      if (!quotient) return [];
      const { low, high } = quotient;
      const server = [plain(runCase.serverName, 120), load].filter(Boolean).join(', ');
      const saysNothing = isTooWide([100 * (low - 1), 100 * (high - 1)]);
      return {
        rank: low > 1 ? 'faster' : high < 1 ? 'slower' : 'open',
        text: saysNothing ? server : `${server} ${words.quotient(quotient)}`,
      };
    });
    const ranks = Object.entries(insights.ranks).flatMap(([rank, label]) => {
      const texts = others.filter((other) => other.rank === rank).map(({ text }) => text);
      return texts.length > 0 ? `${label} ${list(texts)}` : [];
    });
    if (ranks.length === 0) return [];
    return insights.yardstick(plain(title, 200), plain(yardstick.serverName, 120), ranks.join('; '));
  });
}

/**
 * @param {RunCase} runCase
 * @param {'connections' | 'instances' | 'keepAlive'} field that the sentence names itself
 * @param {Words} words
 */
function nameOf(runCase, field, words) {
  const { serverName, route } = runCase;
  return plain(`${serverName} ${route}, ${loadText(conditionsOf(runCase), words, [field])}`, 200);
}
