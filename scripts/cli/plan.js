/**
 * `perf-action plan`: what a run would do, without doing it.
 * @import { Config, Plan, Run } from '../types.js'
 * @import { Arguments } from '../verbs.js'
 * @import { Io } from '../cli.js'
 */

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { resolveRef } from '../boot/trees.js';
import { foretell } from '../judge/power.js';
import { describeMachine } from '../observe/machine.js';
import { makePlan } from '../plan/plan.js';
import { renderPlan } from '../report/plan.js';
import { renderPower } from '../report/power.js';
import { readRun } from '../store/run-file.js';
import { readBaseline } from '../session/base.js';
import { knownBoots } from '../session/boots.js';
import { readRunConfig } from '../session/config.js';
import { planOf } from '../session/plan.js';
import { sidesHere } from '../session/sides.js';

/**
 * @param {Arguments} args
 * @param {Io} io
 * @returns {Promise<number>}
 */
export async function plan({ values }, io) {
  const config = readRunConfig(values, io.cwd);
  if (config.against !== undefined && config.against !== 'same') await resolveRef(config.against, io.cwd);
  const sides = sidesHere(config);
  const { fingerprint } = describeMachine({ runtimes: {}, tools: {} });
  const { cases } = makePlan(config, sides);
  const stored = await readBaseline(config, { cwd: io.cwd, fingerprint, cases });
  const boots = await knownBoots(config.out, { cwd: io.cwd, stored: stored.base });
  const planned = planOf(config, sides, boots);
  const power = await foretold(config, planned, { cwd: io.cwd, stored: stored.base });
  if (values.json) io.stdout.write(`${JSON.stringify({ ...planned, foretold: power.cases }, null, 2)}\n`);
  else io.stdout.write(`${renderPlan(planned)}${power.text}`);
  return 0;
}

/**
 * What rounds can find, from how neighbours differed in the run whose results are still there, or in the baseline.
 * @param {Config} config
 * @param {Plan} plan
 * @param {{ cwd: string, stored: Run | undefined }} sources stored: the baseline
 */
async function foretold(config, { cases, rounds }, { cwd, stored }) {
  const { baseline, out, margin } = config;
  const head = stored ?? (await readIfThere(resolve(cwd, out, 'run.json')));
  if (head === undefined) return { cases: [], text: '' };
  const base = stored ? undefined : await readIfThere(resolve(cwd, out, 'base', 'run.json'));
  const source = stored && baseline !== undefined ? baseline : join(out, 'run.json');
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
