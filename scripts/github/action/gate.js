/**
 * Whether the job fails, and its annotations: lines of the report, readable without their context.
 * @import { Comparison, Run } from '../../types.js'
 * @import { Item } from '../../report/document/blocks.js'
 * @import { Step } from '../contract/outputs.js'
 */

import { isUnmeasured } from '../../judge/case-verdict.js';
import { INCOMPLETE, isOpenGate, outcomeOf } from '../../judge/gate.js';
import { UserError } from '../../model/errors.js';
import { documentOf } from '../../report/document/document.js';
import { unmarked } from '../../report/text/inline.js';
import { caseNames } from '../../report/text/names.js';
import { wordsIn } from '../../report/text/words.js';
import { readResults } from '../../session/results.js';
import { error, notice, warning } from '../log.js';

/** GitHub shows ten of each kind per step; the tenth says how many more there are. https://docs.github.com/en/rest/checks/runs */
const MOST = 9;

/** @typedef {{ title: string, message: string }} Line */
/** @typedef {Line & Pick<Item, 'verdict'>} Shown */

/** Throws where the job must fail. @type {Step<'gate'>} */
export async function gate({ env }) {
  const results = await readResults(env.PERF_RESULTS ?? '');
  const { level, lines } = judgeGate(Number(env.PERF_CODE), results, !!env.PERF_ACCEPTED);
  annotate(lines, level);
  for (const text of uncomparedIn(results)) notice(text);
  if (env.PERF_ACCEPTED) notice(env.PERF_ACCEPTED);
  if (level === 'error')
    throw new UserError('the performance check failed; see the annotations and the job summary');
  return undefined;
}

/**
 * An accepted regression opens the gate; what could not be measured still fails the job.
 * @param {number} code the exit code of `run`
 * @param {{ run: Run, comparison?: Comparison }} results
 * @param {boolean} [accepted]
 * @returns {{ level: 'error' | 'warning', lines: Line[] }} error: the job fails; lines: why
 */
export function judgeGate(code, { run, comparison }, accepted = false) {
  const rest = code === 1 && accepted ? outcomeOf({ run, comparison }, { failOn: 'never' }) : code;
  if (rest === 3) return { level: 'error', lines: unmeasuredLines(run, comparison) };
  const compared = comparison ? linesOf(run, comparison) : [];
  const limits = limitLines(run);
  const worse =
    comparison?.cases.some(({ verdict }) => verdict === 'regressed') || comparison?.warnings.some(isOpenGate);
  if (rest === 1)
    return { level: 'error', lines: worse || limits.length === 0 ? [...compared, ...limits] : limits };
  return { level: 'warning', lines: [...(worse ? compared : []), ...limits] };
}

/**
 * @param {Run} run @param {Comparison} [comparison]
 * @returns {{ title: string, linesIn: (id: string) => Shown[] }} the headline, and what a part of the report says
 */
function reportOf(run, comparison) {
  const { headline, parts } = documentOf(run, { comparison });
  const title = unmarked(headline).replace(/^\p{Emoji_Presentation}\s*/u, '');
  const linesIn = (/** @type {string} */ id) => {
    const blocks = parts.flatMap((part) => (part.id === id ? part.blocks : []));
    /** @type {Item[]} */
    const items = blocks.flatMap((block) =>
      block.kind === 'list' ? block.items : block.kind === 'text' ? block : [],
    );
    const shown = items.filter(({ only }) => only !== 'files');
    return shown.map(({ text, verdict }) => ({ title, message: unmarked(text), verdict }));
  };
  return { title, linesIn };
}

/** @param {Shown[]} lines @returns {Line[]} the bad ones; where none is, the unsure ones */
function worstOf(lines) {
  const bad = lines.filter(({ verdict }) => verdict === 'regressed' || verdict === 'failed');
  return bad.length > 0 ? bad : lines.filter(({ verdict }) => verdict === 'unsure');
}

/** @param {Run} run @param {Comparison} [comparison] @returns {Line[]} what was not measured, each kind of failure of a case once */
function unmeasuredLines(run, comparison) {
  const { tables, warning: textOf } = wordsIn(run.language);
  const failed = run.cases.filter(({ trials }) => trials.some(({ failure }) => failure));
  const cases = (comparison?.cases ?? []).filter(
    (compared) => isUnmeasured(compared) && failed.every(({ id }) => id !== compared.id),
  );
  const lost = (run.warnings ?? []).filter(({ code }) => INCOMPLETE.includes(code));
  const messages = [
    ...reportOf(run).linesIn('failures'),
    ...(comparison ? reportOf(run, { ...comparison, cases }).linesIn('changes') : []),
    ...lost.map((each) => ({ message: unmarked(textOf(each)) })),
  ];
  const unknown = { message: 'the run ended before everything was measured' };
  return (messages.length > 0 ? messages : [unknown]).map(({ message }) => ({
    title: tables.notMeasured,
    message,
  }));
}

/** @param {Run} run @param {Comparison} comparison @returns {Line[]} what got worse, else what is unsure; and gates of single figures */
export function linesOf(run, comparison) {
  const words = wordsIn(run.language);
  const nameOf = caseNames({ run }, words);
  const { title, linesIn } = reportOf(run, comparison);
  const gates = comparison.warnings.filter(
    (warning) => warning.code === 'gate-closed' || isOpenGate(warning),
  );
  const lines = gates.map((warning) => ({
    title,
    message: unmarked(`${nameOf(warning.case ?? '')}: ${words.warning(warning)}`),
  }));
  const all = [...worstOf(linesIn('changes')), ...lines];
  return all.length > 0 ? all : [{ title, message: title }];
}

/** @param {Run} run @returns {Line[]} the limits that fail; where none does, the unsure ones */
function limitLines(run) {
  return worstOf(reportOf(run).linesIn('limits'));
}

/**
 * @param {{ run: Run, comparison?: Comparison }} results
 * @returns {string[]} what was not compared and why, so that a check that is green only for that reason says so
 */
export function uncomparedIn({ run, comparison }) {
  const words = wordsIn();
  const reasons = [...(run.warnings ?? []), ...(comparison?.warnings ?? [])]
    .filter(({ code }) => ['not-compared', 'other-machine', 'looser-than-base'].includes(code))
    .map((warning) => unmarked(words.warning(warning)));
  const stored = comparison?.method === 'stored' ? comparison.cases : [];
  const ids = stored.filter(({ only }) => only === 'head').map(({ id }) => id);
  if (ids.length === 0) return reasons;
  const names = words.list(ids.map(caseNames({ run }, words)));
  return [...reasons, `not compared, since the stored run lacks it: ${names}`];
}

/** @param {Line[]} lines @param {'error' | 'warning'} level */
export function annotate(lines, level) {
  const print = level === 'error' ? error : warning;
  for (const { title, message } of lines.slice(0, MOST)) print(message, { title: `perf-action: ${title}` });
  if (lines.length > MOST) print(`and ${wordsIn().count(lines.length - MOST)} more; see the report`);
}
