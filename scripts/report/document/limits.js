/**
 * Whether the cases keep their limits: a line each, the worst first, and on which machine.
 * @import { LimitResult, Verdict } from '../../types.js'
 * @import { Block } from './blocks.js'
 * @import { Context } from './document.js'
 */

import { plain, sentence } from '../text/inline.js';
import { limitText, worstLimits } from '../text/limits.js';
import { list, text } from './blocks.js';

/** Show at most this many; run.json has all. */
const LINES = 12;

/** Their signs in a terminal. @type {Record<LimitResult['verdict'], Verdict>} */
const SIGNS = { fails: 'regressed', unsure: 'unsure', passes: 'improved' };

/** @param {Context} context @returns {Block[]} */
export function limitBlocks({ run, words, nameOf }) {
  const limits = worstLimits(run);
  if (limits.length === 0) return [];
  const items = limits.slice(0, LINES).map((limit) => ({
    text: limitText(limit, { nameOf, words }),
    verdict: SIGNS[limit.verdict],
  }));
  const { cpuModel, cores } = run.environment;
  const machine = words.limits.machine({ cores, model: plain(cpuModel) });
  return [
    ...list([...items, ...(limits.length > LINES ? [{ text: words.more(limits.length - LINES) }] : [])]),
    text(sentence(machine)),
  ];
}
