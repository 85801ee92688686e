/**
 * The result of a search for a commit, in words.
 * @import { Bisection, BisectStep, FinishedBisection, Run } from '../../types.js'
 * @import { Answer, Block } from './blocks.js'
 * @import { Words } from '../text/words.js'
 */

import { namedChange } from '../text/change-words.js';
import { en } from '../text/en.js';
import { plain, sentence, shortSha, unmarked } from '../text/inline.js';
import { caseNames } from '../text/names.js';
import { wordsIn } from '../text/words.js';
import { column, list, names, table, text } from './blocks.js';

/** The most candidates that an answer lists; the file has all. */
const MOST_NAMED = 50;

/** A terminal's line, in English; left: tries, about. @type {(step: BisectStep, left: number) => string} */
export function stepText(step, left) {
  const toGo = left > 0 && `about ${left} to go`;
  const parts = [en.bisection.verdicts[step.verdict], changeOf(step, en), toGo];
  return unmarked(`${shortSha(step.commit)} ${plain(step.subject, 60)}: ${parts.filter(Boolean).join('; ')}`);
}

/**
 * Returns what it rests on, and every try; run: of its last try, which knows what the case is called.
 * @type {(search: FinishedBisection, run?: Run) => Answer}
 */
export function bisectionAnswer(search, run) {
  const { outcome, steps, wanted } = search;
  const words = wordsIn(search.language);
  const { language, bisection: phrases, trust } = words;
  const answer = (/** @type {string} */ title, /** @type {Block[]} */ ...grounds) => ({
    language,
    title,
    blocks: [...grounds, ...tries(search, words)],
  });
  const id = caseNames({ run }, words)(wanted?.id ?? '');
  if (outcome.code === 'nothing-to-find') return answer(phrases.nothing[outcome.verdict]);
  if (outcome.code === 'one-of') {
    const commits = outcome.commits.slice(0, MOST_NAMED).map((sha) => nameOf(sha, search));
    const title = phrases.oneOf(outcome.commits.length, id, search.packages !== undefined);
    return answer(title, ...list(commits));
  }
  const last = steps.findLast(({ commit, base }) => commit === outcome.commit && base === outcome.parent);
  if (!last) return answer('');
  const subject = plain(last.subject, 100);
  const named = search.packages ? subject : phrases.commit(shortSha(outcome.commit), subject);
  const parent = search.packages ? undefined : shortSha(outcome.parent);
  const change = changeOf(last, words);
  const beside = phrases.beside(change, parent);
  if (outcome.code === 'not-confirmed') {
    const title = phrases.notConfirmed({ change: named, id, parent }, last.verdict);
    return change ? answer(title, text(beside)) : answer(title);
  }
  const promise = sentence(trust.promise(last.promise));
  return answer(phrases.found(named, id), text(`${beside} ${promise}`));
}

/** Returns a table of every try. @type {(search: Bisection, words: Words) => Block[]} */
function tries(search, words) {
  const { steps, packages } = search;
  const { heads, verdicts, upTo } = words.bisection;
  if (steps.length === 0) return [];
  return [
    table([
      ...(packages ? [] : [names(steps, heads.commit, (step) => shortSha(step.commit))]),
      names(steps, packages ? upTo : heads.subject, (step) => plain(step.subject, 60)),
      names(steps, heads.base, (step) => nameOf(step.base, search)),
      column(steps, heads.change, (step) => changeOf(step, words)),
      names(steps, words.columns.verdict, (step) => verdicts[step.verdict]),
    ]),
  ];
}

/** A search for a package names what moved in a commit. @type {(sha: string, search: Bisection) => string} */
function nameOf(sha, { packages }) {
  const moved = packages?.[sha];
  return moved === undefined ? shortSha(sha) : plain(moved, 60);
}

/** Returns nothing where nothing could be estimated. @type {(step: BisectStep, words: Words) => string} */
function changeOf({ change }, words) {
  return change ? namedChange(change, words) : '';
}
