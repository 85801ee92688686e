/**
 * Prints whether planted work was found.
 * @import { Proof } from '../session/experiments/prove.js'
 */

import { SPEEDS } from '../samples/figures.js';
import { estimateText } from './text/change.js';
import { slowdownsText } from './power.js';
import { wordsIn } from './text/words.js';

/** @param {Pick<Proof, 'case' | 'by' | 'plantedUs' | 'margin' | 'compared' | 'seconds' | 'foretold' | 'head'>} proof @returns {string} */
export function renderProof({ case: planned, by, plantedUs, margin, compared, seconds, foretold, head }) {
  const words = wordsIn(head.language);
  const { proof } = words;
  const [cpu] = SPEEDS.flatMap(({ id }) => compared.metrics.filter(({ metric }) => metric === id));
  const seen = cpu?.ciPct ? estimateText(cpu, words) : words.change.inconclusive;
  const lines = [
    proof.planted({ id: planned.id, by: words.unsigned(100 * by), us: words.microseconds(plantedUs) }),
    proof.outcome({
      isFound: compared.verdict === 'regressed',
      verdict: words.change.verdicts[compared.verdict],
      seen,
      time: words.duration(seconds),
      margin: words.unsigned(100 * margin),
    }),
    ...(foretold ? [proof.here(slowdownsText(foretold, margin, words))] : []),
  ];
  return `${lines.join('\n')}\n`;
}
