/**
 * Which slowdowns a run can find, and whether planted work was found.
 * @import { Foretold } from '../../judge/power.js'
 * @import { Proof } from '../../session/experiments/prove.js'
 * @import { Words } from '../text/words.js'
 * @import { Answer, Block } from './blocks.js'
 */

import { POWER } from '../../judge/power.js';
import { MOST_ROUNDS } from '../../judge/verdicts.js';
import { SPEEDS } from '../../samples/figures.js';
import { estimateText } from '../text/change-words.js';
import { wordsIn } from '../text/words.js';
import { list, text } from './blocks.js';

/**
 * @param {Foretold[]} foretold
 * @param {{ rounds: number, margin: number, source?: string }} plan margin: a share; source: what the
 *   spread was read from; absent: all cases are assumed to be alike
 * @param {Words} words
 * @returns {Block[]} none where nothing is known
 */
export function powerBlocks(foretold, { rounds, margin, source }, words) {
  const { power } = words;
  const [first] = foretold;
  if (!first) return [];
  const detected = (/** @type {Foretold} */ { finds, roundsForMargin }) =>
    power.detected({
      rounds,
      finds: finds < 1 ? Math.max(finds, margin) : undefined,
      margin,
      takes: power.rounds(roundsForMargin),
    });
  if (source === undefined) return [text(power.assumed(detected(first)))];
  return [
    text(power.estimated(POWER, source)),
    ...list(foretold.map((each) => power.row(each.id, detected(each), slowdownsText(each, margin, words)))),
  ];
}

/**
 * @param {Pick<Proof, 'case' | 'by' | 'plantedUs' | 'margin' | 'compared' | 'seconds' | 'foretold' | 'head'>}
 *   proof
 * @returns {Answer}
 */
export function proofAnswer({ case: planned, by, plantedUs, margin, compared, seconds, foretold, head }) {
  const words = wordsIn(head.language);
  const { proof } = words;
  const [cpu] = SPEEDS.flatMap(({ id }) => compared.metrics.filter(({ metric }) => metric === id));
  const seen = cpu?.ciPct ? estimateText(cpu, words) : words.change.inconclusive;
  return {
    language: words.language,
    title: proof.outcome({
      isFound: compared.verdict === 'regressed',
      verdict: words.change.verdicts[compared.verdict],
      seen,
      time: words.duration(seconds),
      margin: words.unsigned(100 * margin),
    }),
    blocks: [
      text(
        proof.planted({ id: planned.id, by: words.unsigned(100 * by), us: words.microseconds(plantedUs) }),
      ),
      ...(foretold ? [text(proof.here(slowdownsText(foretold, margin, words)))] : []),
    ],
  };
}

/**
 * How long each slowdown takes; the margin is a share.
 * @type {(foretold: Pick<Foretold, 'table'>, margin: number, words: Words) => string}
 */
function slowdownsText({ table }, margin, words) {
  const { duration, power } = words;
  const texts = table.map(({ share, rounds, seconds }) => {
    const hasTime = rounds < MOST_ROUNDS && seconds !== undefined;
    return power.slowdown(share, hasTime ? duration(seconds) : power.rounds(rounds), share < margin);
  });
  return words.list(texts);
}
