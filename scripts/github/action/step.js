/** One step of the composite action: reads the environment, calls the step, writes its outputs. */

import { readFileSync } from 'node:fs';
import { setOutput } from '@actions/core';
import { cancelOnSignals, endingOf, endOnBugs } from '../../system/exit.js';
import { UserError } from '../../model/errors.js';
import { guard } from './guard.js';
import { runContained } from './sandbox.js';
import { error } from '../log.js';

/** They load none of the engine. A separate process measures; the first, which outlives it, does not. @type {typeof import('./steps.js').STEPS} */
export const LIGHT = { guard, run: runContained };

/** @param {string} name of the step @returns {Promise<void>} */
export async function runStep(name) {
  endOnBugs(report);
  try {
    const isLight = Object.hasOwn(LIGHT, name) && !process.connected;
    const STEPS = isLight ? LIGHT : (await import('./steps.js')).STEPS;
    const step = Object.hasOwn(STEPS, name) ? STEPS[name] : undefined;
    if (!step) throw new UserError(`there is no step "${name}"; use ${Object.keys(STEPS).join(', ')}`);
    const outputs = await step({ env: environment(), cwd: process.cwd(), signal: cancelOnSignals() });
    if (process.connected) process.send?.(outputs, () => process.disconnect());
    else for (const [output, value] of Object.entries(outputs)) setOutput(output, value);
  } catch (thrown) {
    const ending = endingOf(thrown);
    report(ending);
    process.exitCode = ending.code;
  }
}

/**
 * With `-` as its token, a step reads it from its standard input: the programs that it starts could read it in its environment, which
 * the kernel shows as it was at the start.
 */
function environment() {
  const isPassed = process.env.PERF_GITHUB_TOKEN === '-';
  return { ...process.env, ...(isPassed && { PERF_GITHUB_TOKEN: readFileSync(0, 'utf8').trim() }) };
}

/** @param {{ lines: string[] }} ending */
function report({ lines }) {
  for (const line of lines) {
    const [, file, number] = /^([^\s:]+\.ya?ml):(\d+): /.exec(line) ?? [];
    error(line, { title: 'perf-action', ...(file !== undefined && { file, startLine: Number(number) }) });
  }
}
