/**
 * What becomes of what was measured, here or elsewhere: judged, written into the result folder, decided.
 * @import { Comparison, Config, Run } from '../types.js'
 */

import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compare } from '../judge/compare.js';
import { gateFails } from '../judge/gate.js';
import { renderJson } from '../report/json.js';
import { renderReport } from '../report/markdown.js';
import { hasGaps } from '../report/notes.js';
import { renderTerminal } from '../report/terminal.js';
import { writeComparison } from '../store/comparison-file.js';
import { writeRun } from '../store/run-file.js';
import { isSkipped } from '../store/skipped.js';
import { setAside } from './skip.js';

/** Warnings of a run that has not measured all it was asked for. */
const INCOMPLETE = new Set(['cancelled', 'shards-missing']);

/**
 * Judges, leaves the result folder whole and prints the report.
 * @param {{ head: Run, base?: Run }} measured
 * @param {Config} config
 * @param {{ out: string, stdout: NodeJS.WritableStream, json?: boolean }} to out: absolute
 * @returns {Promise<number>} the exit code
 */
export async function conclude({ head: measured, base }, config, { out, stdout, json = false }) {
  const earlier = isSkipped(measured) ? await setAside(out) : undefined;
  await clear(out);
  const comparison = base && compare(base, measured, config);
  const head = comparison ? { ...measured, gate: { failed: failedCases(comparison, config) } } : measured;
  await writeRuns(out, base ? [base, head] : [head]);
  if (comparison) await writeComparison(out, comparison);
  const hint = baselineHint(config);
  const options = { ...(comparison && { comparison }), ...(hint !== undefined && { baselineHint: hint }) };
  await writeFile(join(out, 'report.md'), renderReport(head, options));
  stdout.write(json ? renderJson(head, options) : renderTerminal(head, options));
  if (earlier !== undefined && !json) stdout.write(`\nWhat was measured last is in ${earlier}.\n`);
  return exitCode(head, comparison, config);
}

/**
 * @param {Comparison} comparison
 * @param {Config} config
 * @returns {string[]} ids of the cases that fail the check, each for itself
 */
function failedCases(comparison, config) {
  const { cases } = comparison;
  return cases.filter((of) => gateFails({ ...comparison, cases: [of] }, config)).map(({ id }) => id);
}

/**
 * What an earlier run compared must not be taken for this one's.
 * @param {string} out made where it is missing
 */
export async function clear(out) {
  await mkdir(out, { recursive: true });
  await rm(join(out, 'comparison.json'), { force: true });
  await rm(join(out, 'base', 'run.json'), { force: true });
}

/**
 * @param {string} out
 * @param {Run[]} runs
 */
export async function writeRuns(out, runs) {
  await writeRun(out, /** @type {Run} */ (runs.at(-1)));
  if (runs.length > 1) await writeRun(join(out, 'base'), /** @type {Run} */ (runs[0]));
}

/**
 * @param {Config} config
 * @returns {string | undefined}
 */
function baselineHint({ baseline, against, out }) {
  if (against !== undefined) return undefined;
  const save = `\`perf-action baseline save ${join(out, 'run.json')}\` stores this run as one.`;
  return baseline === undefined
    ? `No baseline to compare with: ${save}`
    : `Not compared: ${baseline} has no run of these cases from this kind of machine. ${save}`;
}

/**
 * @param {Run} head
 * @param {Comparison | undefined} comparison
 * @param {Config} config
 * @returns {number}
 */
function exitCode(head, comparison, config) {
  if (comparison && gateFails(comparison, config)) return 1;
  const failed = comparison?.cases.some(({ verdict }) => verdict === 'failed') || hasGaps(head);
  return failed || head.warnings?.some(({ code }) => INCOMPLETE.has(code)) ? 3 : 0;
}
