/**
 * Cases whose answers were not what the check asked for, as of a rate limiter: what it can do is not known.
 * @import { Config, Failure, LimitRule, Run, RunCase, Window } from '../types.js'
 */

import { sum } from 'd3-array';
import { limitedCases } from '../model/limited-cases.js';
import { totals } from '../model/totals.js';
import { ERRORS } from '../samples/figures.js';
import { errorsIn, startsOf, windowsOf } from '../samples/case-figures.js';

/** Up to this share, wrong answers are errors of a server whose figures count. */
export const MOST_WRONG = 0.01;

/** A message with more statuses than this is unreadable. */
const STATUSES = 3;
/** Statuses of a token that is not valid any more: the check before the load was answered as expected. */
const REFUSED = ['401', '403'];
/** What helps where most wrong answers have this status. @type {Record<string, string>} */
const HELP = {
  429: '; raise its limit of requests while it is measured',
  503: '; fewer connections may be what it can serve',
};

const TOKEN_ENDS = '; the token lives shorter than a start: let it live longer while it is measured';

/**
 * Marks their starts as failed, unless a limit of errors allows them. Where the base is right, wrong answers
 * of the head are errors that it brought; a shard of the head is judged when it is joined.
 * @template {Run | undefined} B
 * @param {{ base?: B, head: Run }} runs
 * @param {{ limits?: Config['limits'] }} rules
 */
export function failWrongAnswers({ base, head }, { limits = [] }) {
  const before = base && { ...base, cases: base.cases.map((runCase) => failing(runCase, base, limits)) };
  const isRight = (/** @type {RunCase} */ { id }) =>
    before?.cases.some((runCase) => runCase.id === id && startsOf(runCase).length > 0);
  const cases = head.cases.map((runCase) =>
    head.shard || isRight(runCase) ? runCase : failing(runCase, head, limits),
  );
  return { base: /** @type {B} */ (before), head: { ...head, cases } };
}

/** @type {(runCase: RunCase, run: Run, limits: LimitRule[]) => RunCase} */
function failing(runCase, run, limits) {
  const failure = wrongAnswersOf(runCase, run, limits);
  if (!failure) return runCase;
  const { summary: _, ...rest } = runCase;
  return {
    ...rest,
    trials: runCase.trials.map((trial) => ({ ...trial, failure: trial.failure ?? failure })),
  };
}

/**
 * Where more answers are wrong than may be.
 * @type {(runCase: RunCase, run: Pick<Run, 'cases'>, limits?: LimitRule[]) => Failure | undefined}
 */
export function wrongAnswersOf(runCase, run, limits = []) {
  const windows = windowsOf(runCase);
  const { non2xx = 0, failed = 0 } = errorsIn({ windows }) ?? {};
  const share = (non2xx + failed) / sum(windows, ({ requests }) => requests);
  const allowed = limits
    .filter((rule) => rule.metric === ERRORS.id && limitedCases(rule, run.cases).includes(runCase))
    .map(({ bound }) => bound);
  if (!(share > Math.max(MOST_WRONG, ...allowed))) return undefined;
  return { kind: 'wrong-answer', message: messageOf(runCase, share, windows) };
}

/**
 * Returns "21 % of the answers were 503, expected 200; fewer connections ...".
 * @type {(runCase: RunCase, share: number, windows: Window[]) => string}
 */
function messageOf({ load, request, trials }, share, windows) {
  const many = `${Math.floor(100 * share)} %`;
  if (load?.script !== undefined) return `${many} of the requests failed, as the script counts them`;
  const checked = trials.flatMap(({ answers = [] }) => answers)[0]?.status;
  const expected = request?.expectedStatus ?? checked ?? 200;
  const all = windows.flatMap(({ wrongStatuses = {} }) => Object.entries(wrongStatuses));
  const counts = [...totals(all)].sort(([, a], [, b]) => b - a);
  if (counts.length === 0) return `${many} of the answers were not ${expected}`;
  const named = counts
    .slice(0, STATUSES)
    .map(([status, count]) => (counts.length === 1 ? status : `${status} (${count} times)`));
  const [most = ''] = counts[0] ?? [];
  const isOfToken = REFUSED.includes(most) && JSON.stringify(request ?? {}).includes('${token}');
  const help = isOfToken ? TOKEN_ENDS : (HELP[most] ?? '');
  return `${many} of the answers were ${named.join(' or ')}, expected ${expected}${help}`;
}
