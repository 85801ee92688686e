/**
 * Every session ends here, whoever measured: judges runs, writes the result folder, decides the exit code.
 * @import { CaseComparison, Comparison, Config, MachineVerdict, Run, Side } from '../types.js'
 * @import { Rules } from '../config/rules.js'
 * @import { Results } from './results.js'
 * @import { Surroundings } from './experiments/experiment.js'
 * @import { Screen } from '../system/terminal-output.js'
 */

import { join, resolve } from 'node:path';
import { defined } from '../model/defined.js';
import { poolComparisons } from '../history/pooled-base.js';
import { compare, compareMarked } from '../judge/compare.js';
import { failedCases, outcomeOf } from '../judge/gate.js';
import { judgeLimits } from '../judge/judge-limits.js';
import { failWrongAnswers } from '../judge/wrong-answers.js';
import { describeMachine } from '../observe/describe-machine.js';
import { ERRORS, metric } from '../samples/figures.js';
import { renderHtml } from '../report/page/page.js';
import { renderReport } from '../report/render/markdown.js';
import { renderTerminal } from '../report/render/terminal.js';
import { writeText } from '../store/json-file.js';
import { isEmpty, SKIPPED } from '../store/skipped.js';
import { PAGE, SIDES } from '../store/result-files.js';
import { readPresetRuns } from './base.js';
import { clearUnfinished, readResults, setAside, writeResults } from './results.js';

/**
 * @typedef {object} Sides
 * @property {Run} head
 * @property {Run} [base] absent where there is nothing to compare with
 * @property {Results} [earlier] an earlier comparison of the same two commits, whose rounds count, too
 * @property {MachineVerdict[]} [machines] of all kinds of machine that measured these cases, if several did
 * @property {Comparison[]} [claims] by those who measured parts; their profiled functions are taken over
 */

/**
 * code: the exit code; text: the report for a terminal, or for a log; seconds: that measuring took
 * @typedef {Results & { code: number, text: (screen?: Screen) => string, seconds: number,
 *   isCancelled: boolean }} Finished
 */

/**
 * @param {Omit<Sides, 'earlier'> & { seconds?: number, explain?: (comparison: Comparison) =>
 *   Promise<Comparison> }} measured explain: finds the functions that got slower
 * @param {Config} config
 * @param {Pick<Surroundings, 'cwd' | 'signal' | 'earlierFolder'>} surroundings
 * @returns {Promise<Finished>} once the result folder is complete
 */
export async function finish({ explain, seconds = 0, ...sides }, config, { cwd, signal, earlierFolder }) {
  const out = resolve(cwd, config.out);
  const previous = isEmpty(sides.head) ? await setAside(out) : undefined;
  const earlier = earlierFolder === undefined ? undefined : await readResults(earlierFolder);
  const stored = await readPresetRuns(config, sides.head);
  const presetRuns = stored && compare(stored, sides.head, config);
  let results = defined({ ...judge({ ...sides, earlier }, config), presetRuns });
  await writeAll(out, results);
  await clearUnfinished(out);
  // Explaining takes long and may fail: the report is complete without it.
  const explained = results.comparison && (await explain?.(results.comparison));
  if (explained && explained !== results.comparison) {
    results = { ...results, comparison: explained };
    await writeAll(out, results);
  }
  const kept = previous === undefined ? '' : `\nThe previous results are in ${previous}.\n`;
  const options = { ...results, report: join(config.out, PAGE) };
  return {
    ...results,
    seconds,
    isCancelled: signal.aborted,
    code: outcomeOf(results, config),
    text: (screen) => `${renderTerminal(results.run, { ...options, ...screen })}${kept}`,
  };
}

/** @type {(out: string, results: Results) => Promise<void>} */
async function writeAll(out, results) {
  await writeResults(out, results);
  await writeText(join(out, 'report.md'), renderReport(results.run, results));
  await writeText(join(out, PAGE), renderHtml(results.run, { ...results, file: SIDES[0] }));
}

/** The head with limits, and failed cases where compared. @type {(sides: Sides, rules: Rules) => Results} */
export function judge({ claims = [], earlier, machines, ...measured }, rules) {
  const sides =
    measured.base && earlier?.base
      ? poolComparisons({ ...measured, base: measured.base }, { base: earlier.base, head: earlier.run })
      : measured;
  const marked = failWrongAnswers(sides, rules);
  // What its own session judged was judged by the rules of another day.
  const { limits: _, gate: __, ...head } = marked.head;
  const limits = rules.limits?.flatMap((rule) =>
    // A limit of errors is about the very answers that make a case unmeasured.
    judgeLimits(rule.metric === ERRORS.id ? sides.head : head, [rule]),
  );
  const run = { ...head, ...(limits && { limits }) };
  if (!marked.base) return { run };
  const comparison = compareMarked({ base: marked.base, head }, rules);
  return {
    run: { ...run, gate: { failed: failedCases(comparison, rules) } },
    base: sides.base,
    comparison: { ...withFunctions(comparison, claims), ...(machines && { machines }) },
  };
}

/** Where the whole got slower, too. @type {(comparison: Comparison, claims: Comparison[]) => Comparison} */
export function withFunctions(comparison, claims) {
  const profiled = claims.flatMap(({ cases }) => cases).filter(({ functions }) => functions);
  const cases = comparison.cases.map((compared) => {
    const { functions, blamed, sources, calls } = profiled.findLast(({ id }) => id === compared.id) ?? {};
    return isSlower(compared) ? defined({ ...compared, functions, blamed, sources, calls }) : compared;
  });
  return { ...comparison, cases: /** @type {CaseComparison[]} */ (cases) };
}

/**
 * In speed: functions explain neither errors nor memory.
 * @type {(compared: Pick<CaseComparison, 'metrics'>) => boolean}
 */
export function isSlower({ metrics }) {
  return metrics.some(
    (change) => metric(change.metric).judged.role === 'speed' && change.verdict === 'regressed',
  );
}

/**
 * @param {Config} config
 * @param {Side[]} sides
 * @param {Pick<Run, 'session' | 'command'> & { runner: string | undefined,
 *   head: Run['revision'] | undefined }} facts head: overrides the head's own revision
 * @returns {Run} without cases, and with the warning that says why
 */
export function skippedRun(config, sides, { session, command, runner, head }) {
  const [base, own] = [sides[0]?.revision, sides.at(-1)?.revision];
  const isSame = base?.sha !== undefined && base.sha === own?.sha && !own.dirty;
  const since = defined({ since: base?.sha, itself: isSame ? (base.ref ?? base.sha) : undefined });
  const now = new Date().toISOString();
  const { title, language, seed, shard, preset, against } = config;
  // Other machines may measure some cases.
  const cases = config.cases.map(({ id }) => id);
  return {
    schema: 'perf-action/run@1',
    id: session,
    session,
    startedAt: now,
    finishedAt: now,
    ...{ title, seed, language, preset, against },
    ...(shard && { shard: { ...shard, cases } }),
    revision: { ...own, ...head, label: 'head' },
    environment: describeMachine({ runtimes: {}, tools: {}, runner }),
    warnings: [{ code: SKIPPED, ...since }],
    command,
    cases: [],
  };
}
