/**
 * `perf-action plan`: what a run would do, without doing it.
 * @import { Config, Plan } from '../types.js'
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
 * What the rounds can find, from the baseline's own spread, or from that of the run whose results are still there.
 * @param {Config} config
 * @param {Plan} plan
 * @param {string} cwd
 */
async function foretold(config, { cases, rounds }, cwd) {
  const { baseline, against, out, margin } = config;
  const { fingerprint } = describeMachine({ runtimes: {}, tools: {} });
  const { base } = await readBaseline(config, { cwd, fingerprint, cases });
  const last = join(out, 'run.json');
  const earlier = base ?? (existsSync(resolve(cwd, last)) ? await readRun(resolve(cwd, last)) : undefined);
  if (earlier === undefined) return { cases: [], text: '' };
  const source = base && baseline !== undefined ? baseline : last;
  const ids = cases.filter(({ reference }) => !reference).map(({ id }) => id);
  const stored = against === undefined && base !== undefined;
  const found = foretell(earlier, { ids, rounds, margin, stored });
  return { cases: found, text: renderPower(found, { rounds, margin, source }) };
}
