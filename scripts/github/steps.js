/**
 * The steps of the composite action: each is given its environment and gives its outputs.
 */

import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { readRunConfig } from '../cli/run.js';
import { notice } from '@actions/core';
import { UserError } from '../errors.js';
import { renderBenchmarkAction } from '../report/benchmark-action.js';
import { ask } from './ask.js';
import { callCli } from './call-cli.js';
import { failureOf } from './gate.js';
import { directoryOf, inputsToArgv, readOptions } from './inputs.js';
import { findBase } from './merge-base.js';
import { needsOf } from './needs.js';
import { postResults, writeSummary } from './post.js';
import { receive } from './receive.js';
import { readResults, resultOutputs } from './results.js';
import { deal, joinShards } from './shards.js';

/**
 * @typedef {{ env: NodeJS.ProcessEnv, cwd: string, signal: AbortSignal }} Context
 * @typedef {Record<string, string>} Outputs an output that has no value is left out
 */

/** @type {Record<string, (context: Context) => Promise<Outputs>>} */
export const STEPS = { plan, run, trend, comment, gate, deal, join: joinShards, receive, ask };

/**
 * @param {Context} context
 * @returns {Promise<Outputs>} what the later steps need to know
 * @throws {UserError} with every mistake, before anything is installed
 */
async function plan({ env, cwd, signal }) {
  const directory = directoryOf(env, cwd);
  const config = readRunConfig(readOptions(env), directory);
  const argv = [...inputsToArgv(env), ...(await againstOf(config, env, directory))];
  await callCli(['plan', ...argv.slice(1)], { env, cwd: directory, signal });
  const { java, packages } = needsOf(config, env);
  return {
    directory,
    out: resolve(directory, config.out),
    arguments: JSON.stringify(argv),
    java: String(java),
    ...(packages.length > 0 && { packages: packages.join(' ') }),
  };
}

/**
 * @param {import('../types.js').Config} config
 * @param {NodeJS.ProcessEnv} env
 * @param {string} directory
 * @returns {Promise<string[]>} what says which commit `base` is, where it was asked for
 */
async function againstOf({ against }, env, directory) {
  if (against !== 'base') return [];
  const base = await findBase(env, directory);
  if ('sha' in base) return [`--against=${base.sha}`];
  notice(`Measured alone, against nothing: ${base.none}`);
  return ['--against=off'];
}

/**
 * Ends well where there is a result, good or bad, so that it is told before the gate closes.
 * @param {Context} context
 * @returns {Promise<Outputs>}
 */
async function run({ env, signal }) {
  const { PERF_ARGUMENTS = '', PERF_DIRECTORY = '', PERF_OUT = '' } = env;
  const started = new Date().toISOString();
  const code = await callCli(JSON.parse(PERF_ARGUMENTS), { env, cwd: PERF_DIRECTORY, signal });
  const results = existsSync(join(PERF_OUT, 'run.json')) ? await readResults(PERF_OUT) : undefined;
  // What an earlier job left in the same folder is no result of this one.
  if (!results || results.run.startedAt < started) return { code: String(code) };
  return resultOutputs(code, PERF_OUT, results.comparison);
}

/**
 * @param {Context} context
 * @returns {Promise<Outputs>} the files that github-action-benchmark reads; none where nothing was measured
 */
async function trend({ env }) {
  const { PERF_OUT = '' } = env;
  const charts = renderBenchmarkAction((await readResults(PERF_OUT)).run);
  const written = Object.entries(charts)
    .filter(([, points]) => points.length > 0)
    .map(([name, points]) => ({ name, points, file: join(PERF_OUT, `trend-${name}.json`) }));
  for (const { points, file } of written) await writeFile(file, JSON.stringify(points, null, 2));
  return Object.fromEntries(written.map(({ name, file }) => [name, file]));
}

/**
 * @param {Context} context
 * @returns {Promise<Outputs>}
 */
async function comment({ env }) {
  const results = {
    ...{ dir: env.PERF_OUT ?? '', key: env.PERF_COMMENT_KEY || 'perf', env },
    reportUrl: env.PERF_REPORT_URL,
  };
  if (env.PERF_COMMENT === 'false') {
    await writeSummary(results);
    return {};
  }
  const posted = await postResults(results);
  return 'url' in posted ? { 'comment-url': posted.url } : {};
}

/**
 * @param {Context} context
 * @returns {Promise<Outputs>}
 * @throws {UserError} where the job has to fail
 */
async function gate({ env }) {
  const results = env.PERF_RESULTS ? await readResults(env.PERF_RESULTS) : undefined;
  const failure = failureOf(Number(env.PERF_CODE), results);
  if (failure !== undefined) throw new UserError(failure);
  return {};
}
