/**
 * Prints the capacity of a server, and how it changed.
 * @import { Found } from '../session/capacity.js'
 * @import { Capacity } from '../judge/capacity.js'
 */

import { estimateText } from './text/change.js';
import { wordsIn } from './text/words.js';

/** @param {Pick<Found, 'case' | 'limit' | 'head' | 'base' | 'compared' | 'isDisturbed' | 'run'>} found @returns {string} */
export function renderCapacity({ case: planned, limit, head, base, compared, isDisturbed, run }) {
  const words = wordsIn(run.language);
  const { capacity } = words;
  const text = (/** @type {Capacity} */ { rate, interval }) => {
    const ends = interval ? ` (${words.between(interval.map(words.rate))})` : '';
    return `${words.rate(rate)} req/s${ends}`;
  };
  const { cores, cpuModel: model } = run.environment;
  const lines = [
    capacity.head({ id: planned.id, limit: words.milliseconds(limit.bound), rate: text(head) }),
    ...(base ? [capacity.base(text(base))] : []),
    ...(compared
      ? [
          capacity.change({
            verdict: compared.verdict,
            word: words.change.verdicts[compared.verdict],
            change: compared.ciPct && estimateText({ ...compared, ciPct: compared.ciPct }, words),
          }),
        ]
      : []),
    capacity.here({ rounds: head.rounds, cores, model }),
    ...(isDisturbed ? [capacity.disturbed] : []),
  ];
  return `${lines.join('\n')}\n`;
}
