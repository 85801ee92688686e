/**
 * Judges runs, measured here or elsewhere, writes the result folder, and decides the exit code.
 * @import { Comparison, Config, Run } from '../types.js'
 * @import { Rules } from '../config/rules.js'
 * @import { Results } from './results.js'
 */

import { join, resolve } from 'node:path';
import { compare } from '../judge/compare.js';
import { gateFails } from '../judge/gate.js';
import { judgeLimits, limitsFail } from '../judge/limits.js';
import { withoutWrongAnswers } from '../judge/wrong-answers.js';
import { ERRORS } from '../samples/figures.js';
import { renderHtml } from '../report/page/page.js';
import { renderReport } from '../report/render/markdown.js';
import { isIncomplete } from '../samples/samples.js';
import { renderTerminal } from '../report/render/terminal.js';
import { code } from '../report/text/inline.js';
import { writeText } from '../store/json-file.js';
import { isSkipped } from '../store/skipped.js';
import { PAGE } from '../store/result-files.js';
import { setAside, writeResults } from './results.js';

/** Warnings of an incomplete run. */
const INCOMPLETE = ['cancelled', 'shards-missing'];

/**
 * code: the exit code; text: the report for a terminal, or for a log
 * @typedef {Results & { code: number, text: (screen?: import('../system/output.js').Screen) => string }} Outcome
 */
/**
 * base: absent where there is nothing to compare with; explain: finds the functions that got slower
 * @typedef {{ head: Run, base?: Run | undefined, explain?: (comparison: Comparison) => Promise<Comparison> }} Measured
 */

/**
 * @param {Measured} measured
 * @param {Config} config
 * @param {string} cwd
 * @returns {Promise<Outcome>} once the result folder is complete
 */
export async function conclude({ head, base, explain }, config, cwd) {
  const out = resolve(cwd, config.out);
  const earlier = isSkipped(head) ? await setAside(out) : undefined;
  const judged = judgeRun({ head, base }, config);
  await writeAll(out, { ...judged, base }, config);
  // Explaining takes long and may fail: the report is complete without it.
  const comparison = judged.comparison && explain ? await explain(judged.comparison) : judged.comparison;
  const results = { ...judged, ...(comparison && { comparison }) };
  if (comparison !== judged.comparison) await writeAll(out, { ...results, base }, config);
  const kept = earlier === undefined ? '' : `\nThe previous results are in ${earlier}.\n`;
  const options = { ...optionsOf({ ...results, base }, config), report: join(config.out, PAGE) };
  return {
    ...results,
    code: exitCode(results, config),
    text: (screen) => `${renderTerminal(results.run, { ...options, ...screen })}${kept}`,
  };
}

/** @param {string} out @param {Results} results @param {Config} config */
async function writeAll(out, results, config) {
  await writeResults(out, results);
  const options = optionsOf(results, config);
  await writeText(join(out, 'report.md'), renderReport(results.run, options));
  await writeText(join(out, PAGE), renderHtml(results.run, options));
}

/** @param {Results} results @param {Config} config what reports say besides the run */
function optionsOf({ base, comparison }, { against, out }) {
  const save = code(`perf-action baseline save ${join(out, 'run.json')}`);
  const baselineHint = `No baseline to compare with: ${save} stores this run as one.`;
  return { base, ...(comparison && { comparison }), ...(against === undefined && { baselineHint }) };
}

/**
 * @param {Measured} measured
 * @param {Rules} rules
 * @returns {Results} the head, with its limits, and its failed cases where it was compared
 */
export function judgeRun(measured, rules) {
  const { base, head } = withoutWrongAnswers(measured, rules);
  const limits = rules.limits?.flatMap((rule) =>
    // A limit of errors is about the very answers that make a case unmeasured.
    judgeLimits(rule.metric === ERRORS.id ? measured.head : head, [rule]),
  );
  const run = { ...head, ...(limits && { limits }) };
  if (!base) return { run };
  const comparison = compare(base, head, rules);
  const failed = comparison.cases.filter((compared) =>
    gateFails({ ...comparison, cases: [compared] }, rules),
  );
  return { run: { ...run, gate: { failed: failed.map(({ id }) => id) } }, comparison };
}

/** @param {Results} results @param {Rules} rules */
function exitCode({ run, comparison }, rules) {
  if ((comparison && gateFails(comparison, rules)) || limitsFail(run, rules)) return 1;
  const failed = comparison?.cases.some(({ verdict }) => verdict === 'failed') || isIncomplete(run);
  return failed || run.warnings?.some((warning) => INCOMPLETE.includes(warning.code)) ? 3 : 0;
}
