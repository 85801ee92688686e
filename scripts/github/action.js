/**
 * The composite action's edge: reads the environment of a step, calls the stage, writes the step's outputs.
 * `node scripts/github/action.js plan|run|trend|comment|gate`
 */

import { error, setOutput } from '@actions/core';
import { UserError } from '../errors.js';
import { STEPS } from './steps.js';

const step = STEPS[process.argv[2] ?? ''];
if (!step) throw new Error(`unknown step "${process.argv[2]}"`);

const cancelled = new AbortController();
for (const name of ['SIGINT', 'SIGTERM']) process.on(name, () => cancelled.abort());

try {
  const outputs = await step({ env: process.env, cwd: process.cwd(), signal: cancelled.signal });
  for (const [name, value] of Object.entries(outputs)) setOutput(name, value);
} catch (thrown) {
  if (!(thrown instanceof UserError)) throw thrown;
  for (const line of thrown.message.split('\n')) error(line, { title: 'perf-action' });
  process.exitCode = 2;
}
