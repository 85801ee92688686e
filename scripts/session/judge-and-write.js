/**
 * Judges runs, measured here or elsewhere, writes the result folder, and decides the exit code.
 * @import { Comparison, Config, Run } from '../types.js'
 * @import { Rules } from '../config/rules.js'
 * @import { Options } from '../report/document/document.js'
 * @import { Results } from './results.js'
 */

import { join, resolve } from 'node:path';
import { compare } from '../judge/compare.js';
import { gateFails } from '../judge/gate.js';
import { renderHtml } from '../report/page/page.js';
import { renderReport } from '../report/render/markdown.js';
import { hasGaps } from '../report/document/failures.js';
import { renderTerminal } from '../report/render/terminal.js';
import { code } from '../report/text/inline.js';
import { writeText } from '../store/json-file.js';
import { isSkipped } from '../store/skipped.js';
import { PAGE, setAside, writeResults } from './results.js';

/** Warnings of an incomplete run. */
const INCOMPLETE = new Set(['cancelled', 'shards-missing']);

/**
 * code: the exit code; text: the report for a terminal, or for a log
 * @typedef {Results & { code: number, text: (screen?: import('../system/output.js').Screen) => string }} Outcome
 */
/** base: absent where there is nothing to compare with; explain: finds the functions that got slower. @typedef {{ head: Run, base?: Run | undefined, explain?: (comparison: Comparison) => Promise<Comparison> }} Measured */

/**
 * @param {Measured} measured
 * @param {Config} config
 * @param {string} cwd
 * @returns {Promise<Outcome>} once the result folder is complete
 */
export async function conclude(measured, config, cwd) {
  const out = resolve(cwd, config.out);
  const earlier = isSkipped(measured.head) ? await setAside(out) : undefined;
  const judged = judgeRun(measured, config);
  await writeResults(out, { ...judged, base: measured.base });
  const results = await explained(judged, measured.explain);
  const { run, comparison } = results;
  if (results !== judged) await writeResults(out, { ...results, base: measured.base });
  const hint = baselineHint(config);
  /** @type {Options} */
  const options = { ...(comparison && { comparison }), ...(hint !== undefined && { baselineHint: hint }) };
  await writeText(join(out, 'report.md'), renderReport(run, options));
  await writeText(join(out, PAGE), renderHtml(run, { ...options, base: measured.base }));
  const kept = earlier === undefined ? '' : `\nThe previous results are in ${earlier}.\n`;
  return {
    ...results,
    code: exitCode(results, config),
    text: (screen) =>
      `${renderTerminal(run, { ...options, ...screen, report: join(config.out, PAGE) })}${kept}`,
  };
}

/** @param {Results} judged @param {Measured['explain']} explain @returns {Promise<Results>} */
async function explained(judged, explain) {
  if (!judged.comparison || !explain) return judged;
  const comparison = await explain(judged.comparison);
  return comparison === judged.comparison ? judged : { ...judged, comparison };
}

/**
 * @param {Measured} measured
 * @param {Rules} rules
 * @returns {Results} the head, with its failed cases where it was compared
 */
export function judgeRun({ head, base }, rules) {
  if (!base) return { run: head };
  const comparison = compare(base, head, rules);
  const failed = comparison.cases.filter((compared) =>
    gateFails({ ...comparison, cases: [compared] }, rules),
  );
  return { run: { ...head, gate: { failed: failed.map(({ id }) => id) } }, comparison };
}

/** @param {Config} config @returns {string | undefined} */
function baselineHint({ against, out }) {
  if (against !== undefined) return undefined;
  return `No baseline to compare with: ${code(`perf-action baseline save ${join(out, 'run.json')}`)} stores this run as one.`;
}

/** @param {Results} results @param {Rules} rules @returns {number} */
function exitCode({ run, comparison }, rules) {
  if (comparison && gateFails(comparison, rules)) return 1;
  const failed = comparison?.cases.some(({ verdict }) => verdict === 'failed') || hasGaps(run);
  return failed || run.warnings?.some(({ code }) => INCOMPLETE.has(code)) ? 3 : 0;
}
