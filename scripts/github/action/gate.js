/**
 * Whether the job fails.
 * @import { Comparison, Run } from '../../types.js'
 * @import { Line } from './annotations.js'
 */

import { caseNames } from '../../report/text/names.js';
import { wordsIn } from '../../report/text/words.js';
import { limitLines, linesOf } from './annotations.js';

/**
 * An accepted regression opens the gate; cases that could not be measured still fail the job.
 * @param {number} code the exit code of `run`
 * @param {{ run: Run, comparison?: Comparison }} results
 * @param {boolean} [accepted]
 * @returns {{ level: 'error' | 'warning', lines: Line[] }} error: the job fails; lines: why
 */
export function judgeGate(code, { run, comparison }, accepted = false) {
  const failures = failureLines(run);
  const compared = comparison ? linesOf(run, comparison) : [];
  const limits = limitLines(run);
  const worse = comparison?.cases.some(({ verdict }) => verdict === 'regressed');
  const isJudged = comparison !== undefined || limits.length > 0;
  if (code === 1 && isJudged && !accepted)
    return { level: 'error', lines: worse || limits.length === 0 ? [...compared, ...limits] : limits };
  if (code === 3 || (code === 1 && (!isJudged || failures.length > 0))) {
    const message = 'the run ended before everything was measured';
    const unknown = { title: wordsIn().tables.notMeasured, message };
    return { level: 'error', lines: failures.length > 0 ? failures : [unknown] };
  }
  return { level: 'warning', lines: [...(worse ? compared : []), ...limits] };
}

/** @param {Run} run @returns {Line[]} each failure once */
function failureLines(run) {
  const { cases, warnings = [] } = run;
  const words = wordsIn();
  const { notMeasured } = words.tables;
  const nameOf = caseNames({ run }, words);
  const lines = cases.flatMap(({ id, trials }) => {
    const name = nameOf(id);
    const failures = trials.flatMap(({ failure }) => failure ?? []);
    return failures.map(({ kind, message }) => ({
      title: `${notMeasured}: ${name}`,
      message: `${name}: ${kind}: ${message}`,
    }));
  });
  const lost = warnings
    .filter(({ code }) => code === 'shards-missing')
    .map((warning) => ({ title: notMeasured, message: words.warning(warning) }));
  return [...new Map([...lines, ...lost].map((line) => [line.message, line])).values()];
}
