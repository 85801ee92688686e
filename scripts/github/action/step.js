/** One step of the composite action: reads the environment, calls the stage, writes the step's outputs. */

import { setOutput } from '@actions/core';
import { cancelOnSignals } from '../../system/cancel.js';
import { endingOf, endOnBugs } from '../../system/exit.js';
import { UserError } from '../../model/errors.js';
import { runContained } from './sandbox.js';
import { error } from '../log.js';

/**
 * @param {string} name
 * @returns {Promise<void>}
 */
export async function runStep(name) {
  endOnBugs(tell);
  try {
    const isOutside = name === 'run' && !process.connected;
    // The engine measures in a process of its own; the one that outlives it needs none of the engine.
    const STEPS = isOutside ? { run: runContained } : (await import('./steps.js')).STEPS;
    const step = Object.hasOwn(STEPS, name) ? STEPS[name] : undefined;
    if (!step) throw new UserError(`there is no step "${name}"; use ${Object.keys(STEPS).join(', ')}`);
    const outputs = await step({ env: process.env, cwd: process.cwd(), signal: cancelOnSignals() });
    if (process.connected) process.send?.(outputs, () => process.disconnect());
    else for (const [output, value] of Object.entries(outputs)) setOutput(output, value);
  } catch (thrown) {
    const ending = endingOf(thrown);
    tell(ending);
    process.exitCode = ending.code;
  }
}

/** @param {{ lines: string[] }} ending */
function tell({ lines }) {
  for (const line of lines) {
    const [, file, number] = /^([^\s:]+\.ya?ml):(\d+): /.exec(line) ?? [];
    error(line, { title: 'perf-action', ...(file !== undefined && { file, startLine: Number(number) }) });
  }
}
