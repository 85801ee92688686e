/**
 * What a search for a commit found, in words.
 * @import { Bisection, BisectStep } from '../types.js'
 * @import { Words } from './words.js'
 */

import { markdownTable } from 'markdown-table';
import { changeText, labelOf } from './change.js';
import { escaped, shortSha, unescaped } from './escape.js';

/**
 * @param {BisectStep} step
 * @param {number} left how many tries are left, about
 * @param {Words} words
 * @returns {string} a line for a terminal
 */
export function renderStep(step, left, words) {
  const { verdicts, left: toGo } = words.bisection;
  const told = [verdicts[step.verdict], changeOf(step, words), toGo(left)].filter(Boolean).join('; ');
  return unescaped(`${shortSha(step.commit)} ${escaped(step.subject, 60)}: ${told}`);
}

/**
 * @param {Bisection} found with its outcome
 * @param {Words} words
 * @returns {string} as Markdown: the answer, what it rests on, and every try
 */
export function renderBisection(found, words) {
  const { heads, verdicts } = words.bisection;
  const rows = found.steps.map((step) => [
    shortSha(step.commit),
    escaped(step.subject, 60),
    shortSha(step.base),
    changeOf(step, words),
    verdicts[step.verdict],
  ]);
  const parts = [...answerOf(found, words), markdownTable([[...heads], ...rows])];
  return `${parts.join('\n\n')}\n`;
}

/**
 * @param {Bisection} found
 * @param {Words} words
 * @returns {string[]} paragraphs
 */
function answerOf({ outcome, steps, wanted }, words) {
  const { bisection: told, trust } = words;
  const id = escaped(wanted?.id ?? '');
  if (!outcome) return [];
  if (outcome.code === 'nothing-to-find') return [told.nothing[outcome.verdict]];
  if (outcome.code === 'one-of') {
    const names = outcome.commits.map((commit) => `- ${shortSha(commit)}`);
    return [told.oneOf(names.length, id), names.join('\n')];
  }
  const last = steps.find(({ commit, base }) => commit === outcome.commit && base === outcome.parent);
  if (!last) return [];
  const named = { commit: shortSha(outcome.commit), subject: escaped(last.subject, 100), id };
  if (outcome.code === 'not-confirmed') return [told.notConfirmed(named)];
  return [
    told.found(named),
    `${told.beside(changeOf(last, words), shortSha(outcome.parent))} ${escaped(trust.promise(last.promise))}`,
  ];
}

/**
 * @param {BisectStep} step
 * @param {Words} words
 * @returns {string} "CPU per request +5.2 % (+4.1 to +6.4 %)", as Markdown; empty where nothing could be estimated
 */
function changeOf({ change }, words) {
  const text = change && changeText(change, words);
  return change && text ? `${labelOf(change, words)} ${text}` : '';
}
