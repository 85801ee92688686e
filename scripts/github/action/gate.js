/**
 * Whether the job fails, and its annotations: one line per case of a comparison, readable without its context.
 * @import { CaseComparison, Comparison, MetricComparison, Run } from '../../types.js'
 * @import { GateNote } from '../../judge/gate.js'
 * @import { Step } from '../contract/outputs.js'
 */

import { isBarelyMeasured } from '../../judge/failed-starts.js';
import { decisiveChange, isUnmeasured, worstFirst } from '../../judge/case-verdict.js';
import { INCOMPLETE, isOpenGate, outcomeOf } from '../../judge/gate.js';
import { UserError } from '../../model/errors.js';
import { titleOf } from '../../report/document/document.js';
import { limitText } from '../../report/text/limits.js';
import { figuresText, labelOf, openText } from '../../report/text/change.js';
import { unmarked } from '../../report/text/inline.js';
import { caseNames } from '../../report/text/names.js';
import { wordsIn } from '../../report/text/words.js';
import { readResults } from '../../session/results.js';
import { error, notice, warning } from '../log.js';

/** GitHub shows ten of each kind per step; the tenth says how many more there are. https://docs.github.com/en/rest/checks/runs */
const MOST = 9;

/** @typedef {{ title: string, message: string }} Line */

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

/** What was not measured, each failure once. @type {(run: Run, comparison?: Comparison) => Line[]} */
function unmeasuredLines(run, comparison) {
  const words = wordsIn();
  const { notMeasured } = words.tables;
  const nameOf = caseNames({ run }, words);
  const titleIn = (/** @type {string} */ id) => `${notMeasured}: ${nameOf(id)}`;
  const failed = run.cases.filter((runCase) => !comparison || isBarelyMeasured(runCase));
  /** Titles by message. @type {Map<string, string>} */
  const lines = new Map();
  for (const { id, trials } of failed)
    for (const { kind, message } of trials.flatMap(({ failure }) => failure ?? []))
      lines.set(`${nameOf(id)}: ${kind}: ${message}`, titleIn(id));
  if (comparison)
    for (const compared of comparison.cases.filter(isUnmeasured))
      if (failed.every(({ id }) => id !== compared.id))
        lines.set(lineOf(nameOf(compared.id), compared, comparison), titleIn(compared.id));
  for (const warning of run.warnings?.filter(({ code }) => INCOMPLETE.includes(code)) ?? [])
    lines.set(unmarked(words.warning(warning)), notMeasured);
  if (lines.size === 0) lines.set('the run ended before everything was measured', notMeasured);
  return [...lines].map(([message, title]) => ({ title, message }));
}

/**
 * The cases that got worse; where none did, the unsure ones.
 * @type {(run: Run, comparison: Comparison) => Line[]}
 */
export function linesOf(run, comparison) {
  const words = wordsIn();
  const nameOf = caseNames({ run }, words);
  const title = unmarked(titleOf(run, { comparison })).replace(/^\p{Emoji_Presentation}\s*/u, '');
  const isClosed = comparison.warnings.some(({ code }) => code === 'gate-closed');
  const gates = comparison.warnings.flatMap((warning) =>
    warning.code === 'gate-closed' || isOpenGate(warning)
      ? [{ title, message: gateText(warning, comparison, nameOf) }]
      : [],
  );
  const shared = comparison.cases.filter(({ only }) => !only);
  const worse = shared.filter(({ verdict }) => verdict === 'regressed' || verdict === 'failed');
  const unsure = shared.filter(({ verdict }) => verdict === 'unsure');
  const chosen = worse.length > 0 || isClosed ? worse : unsure;
  const lines = chosen.map((compared) => ({
    title,
    message: lineOf(nameOf(compared.id), compared, comparison),
  }));
  return [...lines, ...gates];
}

/** The limits that fail; where none does, the unsure ones. @type {(run: Run) => Line[]} */
function limitLines(run) {
  const words = wordsIn();
  const nameOf = caseNames({ run }, words);
  const limits = worstFirst(run.limits ?? []);
  return limits
    .filter(({ verdict }) => verdict !== 'passes' && verdict === limits[0]?.verdict)
    .map((limit) => ({
      title: `${words.limits.verdicts[limit.verdict]}: ${nameOf(limit.case)}`,
      message: unmarked(limitText(limit, { nameOf, words })),
    }));
}

/**
 * @param {string} name
 * @param {CaseComparison} compared
 * @param {Comparison} comparison
 * @returns {string} "Orders, p99 latency: 12 ms → 35 ms, +191.7 % (+150.0 to +240.0 %)"
 */
function lineOf(name, compared, comparison) {
  const { verdict, metrics } = compared;
  const words = wordsIn();
  const label = (/** @type {MetricComparison} */ change) => words.within(labelOf(change, words));
  const decisive = decisiveChange(compared);
  const changes =
    verdict === 'unsure'
      ? decisive && `${label(decisive)} ${openText(decisive, words)}`
      : metrics
          .filter((change) => change.verdict === verdict)
          .map((change) => `${label(change)}: ${figuresText(change, comparison, words)}`)
          .join('; ');
  return [name, unmarked(changes || verdict)].join(', ');
}

/**
 * @param {GateNote} warning @param {Comparison} comparison @param {(id: string) => string} nameOf
 * @returns {string} "App: CPU until ready: unsure; its own gate (regressed) lets it pass; inconclusive: too few rounds"
 */
function gateText(warning, { cases }, nameOf) {
  const words = wordsIn();
  const name = warning.case === undefined ? '' : `${nameOf(warning.case)}: `;
  const change = cases
    .find(({ id }) => id === warning.case)
    ?.metrics.find(({ metric }) => metric === warning.metric && isOpenGate(warning));
  const open = change ? `; ${openText(change, words)}` : '';
  return unmarked(`${name}${words.warning(warning)}${open}`);
}

/**
 * What was not compared and why, so that a check that is green only for that reason says so.
 * @type {(results: { run: Run, comparison?: Comparison }) => string[]}
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

/** @type {(lines: Line[], level: 'error' | 'warning') => void} */
export function annotate(lines, level) {
  const print = level === 'error' ? error : warning;
  for (const { title, message } of lines.slice(0, MOST)) print(message, { title: `perf-action: ${title}` });
  if (lines.length > MOST) print(`and ${wordsIn().count(lines.length - MOST)} more; see the report`);
}
