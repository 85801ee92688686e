/**
 * A limit in words, and the capacity: the highest rate that keeps one.
 * @import { LimitResult } from '../../types.js'
 * @import { Capacity } from '../../judge/capacity.js'
 * @import { Found } from '../../session/experiments/capacity.js'
 * @import { Words } from './words.js'
 */

import { metric } from '../../samples/figures.js';
import { estimateText, labelOf, sizeText } from './change.js';
import { ifKnown } from './format.js';
import { strong } from './inline.js';
import { wordsIn } from './words.js';

/**
 * @param {LimitResult} limit @param {{ nameOf: (id: string) => string, words: Words }} context
 * @returns {string} "Shop /items: p99 latency at 500 req/s 31 ms (30 ms to 32 ms), limit at most 50 ms: passes"
 */
export function limitText(limit, { nameOf, words }) {
  const { case: id, metric: name, bound, value, interval, verdict, why } = limit;
  const { limits } = words;
  const sizeOf = (/** @type {number} */ size) => sizeText({ metric: name, head: size }, 'head', words);
  const label = words.within(labelOf(limit, words));
  const size = ifKnown(value, (known) => ` ${sizeOf(known)}`);
  const ends = ifKnown(interval, (known) => ` (${words.between(known.map(sizeOf))})`);
  const allowed = limits.bound(sizeOf(bound), metric(name).better === 'more');
  const reason = ifKnown(why, (known) => `, ${limits.why(known)}`);
  return `${strong(nameOf(id))}: ${label}${size}${ends}, ${allowed}: ${limits.verdicts[verdict]}${reason}`;
}

/**
 * The capacity of a server, and how it changed.
 * @param {Pick<Found, 'case' | 'limit' | 'head' | 'base' | 'compared' | 'isDisturbed' | 'run'>} found @returns {string} lines
 */
export function capacityText({ case: planned, limit, head, base, compared, isDisturbed, run }) {
  const words = wordsIn(run.language);
  const { capacity } = words;
  const text = (/** @type {Capacity} */ { rate, interval, isBelow }) => {
    if (isBelow) return capacity.below(words.rate(rate));
    const ends = interval ? ` (${words.between(interval.map(words.rate))})` : '';
    return `${words.rate(rate)} req/s${ends}`;
  };
  const changeText = (/** @type {[number, number]} */ ciPct) =>
    (head.isBelow ?? base?.isBelow) && compared?.verdict !== 'unsure'
      ? capacity.byAtLeast(Math.min(...ciPct.map(Math.abs)))
      : estimateText({ ...compared, ciPct }, words);
  const { cores, cpuModel: model } = run.environment;
  const change = compared && {
    verdict: compared.verdict,
    word: words.change.verdicts[compared.verdict],
    change: compared.ciPct && changeText(compared.ciPct),
  };
  const lines = [
    capacity.head({ id: planned.id, limit: words.milliseconds(limit.bound), rate: text(head) }),
    base && capacity.base(text(base)),
    change && capacity.change(change),
    capacity.here({ rounds: head.rounds, cores, model }),
    isDisturbed && capacity.disturbed,
  ];
  return `${lines.filter(Boolean).join('\n')}\n`;
}
