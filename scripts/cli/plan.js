/**
 * `perf-action plan`: what a run would do, without doing it.
 * @import { Config, Plan, Run } from '../types.js'
 * @import { Arguments } from './verbs.js'
 * @import { Io } from '../cli.js'
 */

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { resolveRef } from '../boot/trees.js';
import { foretell } from '../judge/power.js';
import { describeMachine } from '../observe/machine.js';
import { renderPlan } from '../report/plan.js';
import { renderPower } from '../report/power.js';
import { readRun } from '../store/run-file.js';
import { readBaseline } from './base.js';
import { planOf, readRunConfig } from './run.js';
import { sidesHere } from './sides.js';

/**
 * @param {Arguments} args
 * @param {Io} io
 * @returns {Promise<number>}
 */
export async function plan({ values }, io) {
  const config = readRunConfig(values, io.cwd);
  if (config.against !== undefined && config.against !== 'same') await resolveRef(config.against, io.cwd);
  const planned = planOf(config, sidesHere(config));
  const power = await foretold(config, planned, io.cwd);
  if (values.json) io.stdout.write(`${JSON.stringify({ ...planned, foretold: power.cases }, null, 2)}\n`);
  else io.stdout.write(`${renderPlan(planned)}${power.text}`);
  return 0;
}

/**
 * What rounds can find, from how neighbours differed in the run whose results are still there, or in the baseline.
 * @param {Config} config
 * @param {Plan} plan
 * @param {string} cwd
 */
async function foretold(config, { cases, rounds }, cwd) {
  const { baseline, out, margin } = config;
  const { fingerprint } = describeMachine({ runtimes: {}, tools: {} });
  const stored = await readBaseline(config, { cwd, fingerprint, cases });
  const head = stored.base ?? (await readIfThere(resolve(cwd, out, 'run.json')));
  if (head === undefined) return { cases: [], text: '' };
  const base = stored.base ? undefined : await readIfThere(resolve(cwd, out, 'base', 'run.json'));
  const source = stored.base && baseline !== undefined ? baseline : join(out, 'run.json');
  const ids = cases.filter(({ reference }) => !reference).map(({ id }) => id);
  const found = foretell({ head, base }, { ids, rounds, margin });
  return { cases: found, text: renderPower(found, { rounds, margin, source }) };
}

/**
 * @param {string} file
 * @returns {Promise<Run | undefined>}
 */
async function readIfThere(file) {
  return existsSync(file) ? readRun(file) : undefined;
}
