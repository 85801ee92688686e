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
import { error, notice, warning } from '../step-log.js';

/** GitHub shows ten of a kind per step; the tenth counts more. https://docs.github.com/en/rest/checks/runs */
const MOST = 9;

/** @typedef {{ title: string, message: string }} Line */
/** @typedef {{ message: string, verdict?: Item['verdict'] }} Shown */

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
  const limits = worstOf(linesIn('limits', run), titleOf(run));
  const { cases = [], together, warnings = [] } = comparison ?? {};
  const isWorse = [...cases, together].some((compared) => compared?.verdict === 'regressed');
  const worse = isWorse || warnings.some(isOpenGate);
  if (rest === 1)
    return { level: 'error', lines: worse || limits.length === 0 ? [...compared, ...limits] : limits };
  return { level: 'warning', lines: [...(worse ? compared : []), ...limits] };
}

/** The headline of the report. @type {(run: Run, comparison?: Comparison) => string} */
function titleOf(run, comparison) {
  return unmarked(documentOf(run, { comparison }).headline).replace(/^\p{Emoji_Presentation}\s*/u, '');
}

/** What a part of the report says. @type {(id: string, run: Run, comparison?: Comparison) => Shown[]} */
function linesIn(id, run, comparison) {
  const { parts } = documentOf(run, { comparison });
  const blocks = parts.flatMap((part) => (part.id === id ? part.blocks : []));
  /** @type {Item[]} */
  const items = blocks.flatMap((block) =>
    block.kind === 'list' ? block.items : block.kind === 'text' ? block : [],
  );
  const shown = items.filter(({ only }) => only !== 'files');
  return shown.map(({ text, verdict }) => ({ message: unmarked(text), verdict }));
}

/** The bad ones; where none is, the unsure ones. @type {(lines: Shown[], title: string) => Line[]} */
function worstOf(lines, title) {
  const bad = lines.filter(({ verdict }) => verdict === 'regressed' || verdict === 'failed');
  const worst = bad.length > 0 ? bad : lines.filter(({ verdict }) => verdict === 'unsure');
  return worst.map(({ message }) => ({ title, message }));
}

/** Each kind of failure of a case appears once. @type {(run: Run, comparison?: Comparison) => Line[]} */
function unmeasuredLines(run, comparison) {
  const { tables, warning: textOf } = wordsIn(run.language);
  const failed = run.cases.filter(({ trials }) => trials.some(({ failure }) => failure));
  const cases = (comparison?.cases ?? []).filter(
    (compared) => isUnmeasured(compared) && failed.every(({ id }) => id !== compared.id),
  );
  const lost = (run.warnings ?? []).filter(({ code }) => INCOMPLETE.includes(code));
  const messages = [
    ...linesIn('failures', run),
    ...(comparison ? linesIn('changes', run, { ...comparison, cases }) : []),
    ...lost.map((each) => ({ message: unmarked(textOf(each)) })),
  ];
  if (messages.length === 0) messages.push({ message: 'the run ended before everything was measured' });
  return messages.map(({ message }) => ({ title: tables.notMeasured, message }));
}

/** Of the worse cases, or else of the unsure ones. @type {(run: Run, comparison: Comparison) => Line[]} */
export function linesOf(run, comparison) {
  const words = wordsIn(run.language);
  const nameOf = caseNames({ run }, words);
  const title = titleOf(run, comparison);
  const gates = comparison.warnings.filter(
    (warning) => warning.code === 'gate-closed' || isOpenGate(warning),
  );
  const shared = comparison.cases.filter(({ only }) => !only);
  const worse = shared.filter(({ verdict }) => verdict === 'regressed' || verdict === 'failed');
  const unsure = shared.filter(({ verdict }) => verdict === 'unsure');
  const cases = worse.length > 0 || gates.some(({ code }) => code === 'gate-closed') ? worse : unsure;
  const lines = [
    ...worstOf(linesIn('changes', run, { ...comparison, cases }), title),
    ...gates.map((warning) => ({
      title,
      message: unmarked(`${nameOf(warning.case ?? '')}: ${words.warning(warning)}`),
    })),
  ];
  return lines.length > 0 ? lines : [{ title, message: title }];
}

/**
 * What was not compared and why, so that a check that is green only for that reason says so.
 * @type {(results: { run: Run, comparison?: Comparison }) => string[]}
 */
export function uncomparedIn({ run, comparison }) {
  const words = wordsIn(run.language);
  const reasons = [...(run.warnings ?? []), ...(comparison?.warnings ?? [])]
    .filter(({ code }) => ['not-compared', 'other-machine', 'looser-than-base'].includes(code))
    .map((warning) => unmarked(words.warning(warning)));
  const stored = comparison?.method === 'stored' ? comparison.cases : [];
  const ids = stored.filter(({ only }) => only === 'head').map(({ id }) => id);
  if (ids.length === 0) return reasons;
  const names = words.list(ids.map(caseNames({ run }, words)));
  return [...reasons, `${names}: ${words.changes.only('head')}`];
}

/** @type {(lines: Line[], level: 'error' | 'warning') => void} */
export function annotate(lines, level) {
  const print = level === 'error' ? error : warning;
  for (const { title, message } of lines.slice(0, MOST)) print(message, { title: `perf-action: ${title}` });
  if (lines.length > MOST) print(`and ${wordsIn().count(lines.length - MOST)} more; see the report`);
}
