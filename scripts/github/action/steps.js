/**
 * The steps of the composite action: each reads its environment, loads only what it needs, and returns its
 * outputs. Guard, and the process around `run`, are in run-step.js; `run` here is the contained part.
 * @import { OUTPUTS, Step } from '../contract/outputs.js'
 * @import { Planned } from './plan-step.js'
 */

import { readFileSync, rmSync } from 'node:fs';
import { defined } from '../../model/defined.js';
import { unmarked } from '../../report/text/inline.js';
import { readResults } from '../../session/results.js';
import { isPosted, keyOf, readInputs } from '../contract/inputs.js';
import { print, progress } from '../step-log.js';
import { readComment } from '../event.js';

/** @type {{ [Name in Exclude<keyof typeof OUTPUTS, 'guard'>]: Step<Name> }} */
export const STEPS = {
  plan: async (context) => (await import('./plan-step.js')).plan(context),
  run,
  comment,
  baseline,
  gate: async (context) => (await import('./gate-step.js')).gate(context),
  split: async (context) => (await import('../split-run.js')).splitCases(context),
  merge: async (context) => (await import('../split-run.js')).mergeShards(context),
  receive: async (context) => (await import('../comment/post-artifact.js')).receive(context),
  ask: async (context) => (await import('../commands/slash-command.js')).ask(context),
};

/** Runs contained, succeeds with any result: the gate fails the job after the report. @type {Step<'run'>} */
async function run({ env, signal }) {
  const { PERF_PLAN = '', PERF_OUT = '', RUNNER_ENVIRONMENT: runner } = env;
  /** @type {Planned} */
  const { options, own, ...planned } = JSON.parse(readFileSync(PERF_PLAN, 'utf8'));
  rmSync(PERF_PLAN);
  const surroundings = { ...planned, env, signal, stderr: progress, ...(runner && { runner }) };
  const { askedExperiment } = await import('../../session/experiments/count-only.js');
  const { runSession } = await import('../../session/session.js');
  const outcome = await runSession(askedExperiment(options, planned.cwd, own), surroundings);
  print(outcome.text());
  return (await import('../contract/publish-results.js')).publish(PERF_OUT, outcome);
}

/** PERF_CODE: the exit code of the run. @type {Step<'comment'>} */
async function comment({ env }) {
  const inputs = readInputs(env);
  const { PERF_OUT: dir = '', PERF_CODE, PERF_REPORT_URL: reportUrl } = env;
  const results = { dir, key: keyOf(inputs), env, reportUrl, isPosted: isPosted(inputs) };
  const { findAcceptance, renderAcceptance } = await import('../comment/accept.js');
  const { postResults, urlOf } = await import('../comment/post.js');
  // The event of a comment does not name the commit.
  const { sha } = readComment(env) ? (await readResults(dir)).run.revision : {};
  const acceptance = PERF_CODE === '1' ? await findAcceptance(env, defined({ sha })) : undefined;
  const accepted = acceptance && unmarked(renderAcceptance(acceptance));
  return { 'comment-url': urlOf(await postResults({ ...results, acceptance })), accepted };
}

/** @type {Step<'baseline'>} */
async function baseline({ env }) {
  const { storeRun } = await import('../baselines/stored-baseline.js');
  return storeRun(env, (await readResults(env.PERF_OUT ?? '')).run);
}
