/**
 * What a search for a commit found, in words.
 * @import { Bisection, BisectStep } from '../types.js'
 * @import { Words } from './text/words.js'
 */

import { markdownTable } from 'markdown-table';
import { changeText, labelOf } from './text/change.js';
import { linkTo } from './render/comment.js';
import { escaped, fenced, shortSha, unescaped } from './render/escape.js';
import { folded } from './render/markdown.js';
import { wordsIn } from './text/words.js';

/** Of the commits that one of is it: the rest are in the file. */
const MOST_NAMED = 50;

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
 * @param {Bisection} found
 * @param {Words} words
 * @returns {string} as Markdown: the answer, what it rests on, and every try
 */
export function renderBisection(found, words) {
  return `${[...answerOf(found, words), tableOf(found, words)].join('\n\n')}\n`;
}

/**
 * @param {Bisection} found
 * @param {{ resume: string[], origin?: string, reportUrl?: string | undefined }} told resume: the commands that finish it
 *   elsewhere; origin: where it was searched, as Markdown; reportUrl: where the results of its last try are
 * @returns {string} for a comment, without the marker: the answer, with the tries folded
 */
export function renderSearchComment(found, { resume, origin, reportUrl }) {
  const words = wordsIn(found.language);
  const [answer = '', ...grounds] = answerOf(found, words);
  const parts = [
    `### ${answer}`,
    origin,
    ...grounds,
    found.outcome ? undefined : `${words.bisection.resume}\n\n${fenced(resume)}`,
    found.steps.length > 0
      ? folded(words.bisection.tries(found.steps.length), tableOf(found, words))
      : undefined,
    linkTo(reportUrl, words),
  ];
  return parts.filter((part) => part !== undefined).join('\n\n');
}

/**
 * @param {Bisection} found
 * @param {Words} words
 * @returns {string} every try, as Markdown
 */
function tableOf({ steps }, words) {
  const { heads, verdicts } = words.bisection;
  const rows = steps.map((step) => [
    shortSha(step.commit),
    escaped(step.subject, 60),
    shortSha(step.base),
    changeOf(step, words),
    verdicts[step.verdict],
  ]);
  return markdownTable([[...heads], ...rows]);
}

/**
 * @param {Bisection} found
 * @param {Words} words
 * @returns {string[]} paragraphs
 */
function answerOf(found, words) {
  const { outcome, steps, wanted } = found;
  const { bisection: told, trust } = words;
  const id = escaped(wanted?.id ?? '');
  if (!outcome) return [told.unfinished(steps.length), told.between(rangeOf(found))];
  if (outcome.code === 'nothing-to-find') return [told.nothing[outcome.verdict]];
  if (outcome.code === 'one-of') {
    const names = outcome.commits.slice(0, MOST_NAMED).map((commit) => `- ${shortSha(commit)}`);
    return [told.oneOf(outcome.commits.length, id), names.join('\n')];
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
 * @param {Bisection} found
 * @returns {{ good: string, bad: string }} what it has come down to
 */
function rangeOf({ good, bad, steps }) {
  const tried = steps.filter(({ base }) => base === good);
  const last = (/** @type {BisectStep['verdict'][]} */ ...verdicts) =>
    tried.findLast(({ verdict }) => verdicts.includes(verdict))?.commit;
  return {
    good: shortSha(last('same', 'improved') ?? good),
    bad: shortSha(last('regressed') ?? bad),
  };
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
