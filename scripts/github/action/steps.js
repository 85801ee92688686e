/**
 * The steps of the composite action: each reads its environment and returns its outputs.
 * @import { OUTPUTS, Step } from './outputs.js'
 * @import { Planned } from './plan.js'
 */

import { readFileSync, rmSync } from 'node:fs';
import { defined } from '../../model/defined.js';
import { UserError } from '../../model/errors.js';
import { unmarked } from '../../report/text/inline.js';
import { asConfigured } from '../../session/experiments/experiment.js';
import { readResults } from '../../session/results.js';
import { runSession } from '../../session/session.js';
import { findAcceptance, renderAcceptance } from '../comment/accept.js';
import { ask } from '../commands/slash-command.js';
import { storeRun } from '../baselines/baseline.js';
import { postSearch, searchCommit } from '../commands/bisect.js';
import { annotate, judgeGate, uncomparedIn } from './gate.js';
import { isPosted, keyOf, readInputs } from './inputs.js';
import { plan } from './plan.js';
import { postResults, urlOf } from '../comment/post.js';
import { receive } from '../comment/post-artifact.js';
import { publish } from './results.js';
import { notice, print, progress } from '../log.js';
import { readComment } from '../event.js';
import { splitCases, mergeShards } from '../shards.js';

/** @type {{ [Name in Exclude<keyof typeof OUTPUTS, 'guard'>]: Step<Name> }} */
export const STEPS = {
  plan,
  run,
  comment,
  baseline,
  gate,
  split: splitCases,
  merge: mergeShards,
  receive,
  ask,
};

/** Runs in the contained process. It succeeds with any result: the gate fails the job after the results are reported. @type {Step<'run'>} */
async function run({ env, signal }) {
  const { PERF_PLAN = '', PERF_OUT = '', RUNNER_ENVIRONMENT: runner } = env;
  /** @type {Planned} */
  const { config, state, ...planned } = JSON.parse(readFileSync(PERF_PLAN, 'utf8'));
  // Its headers may hold secrets, which measured code could read.
  rmSync(PERF_PLAN);
  const surroundings = { ...planned, env, signal, stderr: progress, ...(runner && { runner }) };
  if (state) return searchCommit({ state, config }, surroundings);
  const outcome = await runSession(asConfigured(config), surroundings);
  print(outcome.text());
  return publish(PERF_OUT, outcome);
}

/** PERF_CODE: the exit code of the run. @type {Step<'comment'>} */
async function comment({ env }) {
  const inputs = readInputs(env);
  const { PERF_OUT: dir = '', PERF_CODE, PERF_REPORT_URL: reportUrl } = env;
  const results = { dir, key: keyOf(inputs), env, reportUrl, isPosted: isPosted(inputs) };
  if (inputs.bisect !== undefined) return { 'comment-url': await postSearch(results), accepted: undefined };
  // The event of a comment does not name the commit.
  const { sha } = readComment(env) ? (await readResults(dir)).run.revision : {};
  const acceptance = PERF_CODE === '1' ? await findAcceptance(env, defined({ sha })) : undefined;
  const accepted = acceptance && unmarked(renderAcceptance(acceptance));
  return { 'comment-url': urlOf(await postResults({ ...results, acceptance })), accepted };
}

/** @type {Step<'baseline'>} */
async function baseline({ env }) {
  return storeRun(env, (await readResults(env.PERF_OUT ?? '')).run);
}

/** Throws where the job must fail. @type {Step<'gate'>} */
async function gate({ env }) {
  const results = await readResults(env.PERF_RESULTS ?? '');
  const { level, lines } = judgeGate(Number(env.PERF_CODE), results, !!env.PERF_ACCEPTED);
  annotate(lines, level);
  for (const text of uncomparedIn(results)) notice(text);
  if (env.PERF_ACCEPTED) notice(env.PERF_ACCEPTED);
  if (level === 'error')
    throw new UserError('the performance check failed; see the annotations and the job summary');
  return undefined;
}
