/**
 * One step of the composite action: reads the environment, calls the step, writes its outputs.
 * @import { Step } from '../contract/outputs.js'
 */

import { setOutput } from '@actions/core';
import { readFileSync, writeFileSync } from 'node:fs';
import { cancelOnSignals, endingOf, endOnBugs } from '../../system/exit.js';
import { UserError } from '../../model/errors.js';
import { guard } from './guard.js';
import { runContained } from './sandbox.js';
import { report } from '../step-log.js';

/**
 * Steps whose process loads none of the engine. Of run, this is the outer process: it starts this program
 * again, contained, which measures (STEPS.run), and checks what that one says.
 * @type {{ guard: Step<'guard'>, run: Step<'run'> }}
 */
export const LIGHT = { guard, run: runContained };

/** The file gets the contained process's result. @type {(name: string, file?: string) => Promise<void>} */
export async function runStep(name, file) {
  const leave = (/** @type {{ outputs?: object, lines?: string[] }} */ result) => {
    if (file !== undefined) writeFileSync(file, JSON.stringify(result));
    else if (result.lines) report(result.lines);
    else
      for (const [output, value] of Object.entries(result.outputs ?? {}))
        if (value !== undefined) setOutput(output, value);
  };
  endOnBugs(leave);
  try {
    const isLight = Object.hasOwn(LIGHT, name) && file === undefined;
    /** @type {Record<string, Step<any>>} */
    const STEPS = isLight ? LIGHT : (await import('./steps.js')).STEPS;
    const step = Object.hasOwn(STEPS, name) ? STEPS[name] : undefined;
    if (!step) throw new UserError(`there is no step "${name}"; use ${Object.keys(STEPS).join(', ')}`);
    // The programs that a step starts could read its environment, which the kernel shows as it was at the
    // start.
    const isPassed = process.env.PERF_GITHUB_TOKEN === '-';
    const env = { ...process.env, ...(isPassed && { PERF_GITHUB_TOKEN: readFileSync(0, 'utf8').trim() }) };
    const outputs = await step({ env, cwd: process.cwd(), signal: cancelOnSignals({ once: isLight }) });
    leave({ outputs: outputs ?? {} });
  } catch (thrown) {
    const { code, lines } = endingOf(thrown);
    leave({ lines });
    process.exitCode = code;
  }
}
