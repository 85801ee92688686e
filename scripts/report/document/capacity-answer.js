/**
 * The capacity of a server, the highest rate that keeps its limit, and how it changed.
 * @import { Capacity } from '../../judge/capacity.js'
 * @import { Found } from '../../session/experiments/capacity-search.js'
 * @import { Answer } from './blocks.js'
 */

import { estimateText } from '../text/change-words.js';
import { wordsIn } from '../text/words.js';
import { text } from './blocks.js';

/** @type {(found: Found) => Answer} */
export function capacityAnswer({ case: planned, limit, head, base, compared, isDisturbed, run }) {
  const words = wordsIn(run.language);
  const { capacity } = words;
  const rateText = (/** @type {Capacity} */ { rate, interval, isBelow }) => {
    if (isBelow) return capacity.below(words.rate(rate));
    const ends = interval ? ` (${words.between(interval.map(words.rate))})` : '';
    return `${words.rate(rate)} req/s${ends}`;
  };
  const changeText = (/** @type {[number, number]} */ ciPct) =>
    (head.isBelow ?? base?.isBelow) && compared?.verdict !== 'unsure'
      ? capacity.byAtLeast(Math.min(...ciPct.map(Math.abs)))
      : estimateText({ ...compared, ciPct }, words);
  const { cores, cpuModel: model } = run.environment;
  const lines = [
    base && capacity.base(rateText(base)),
    compared &&
      capacity.change({
        verdict: compared.verdict,
        word: words.change.verdicts[compared.verdict],
        change: compared.ciPct && changeText(compared.ciPct),
      }),
    capacity.here({ rounds: head.rounds, cores, model }),
    isDisturbed && capacity.disturbed,
  ];
  return {
    language: words.language,
    title: capacity.head({ id: planned.id, limit: words.milliseconds(limit.bound), rate: rateText(head) }),
    blocks: lines.flatMap((line) => (line ? [text(line)] : [])),
  };
}
