/**
 * `perf-action plan`: what a run would do, without doing it.
 * @import { Arguments } from './verbs.js'
 * @import { Io } from '../cli.js'
 */

import { makePlan } from '../plan/plan.js';
import { renderPlan } from '../report/plan.js';
import { readRunConfig, sidesOf } from './run.js';

/**
 * @param {Arguments} args
 * @param {Io} io
 * @returns {Promise<number>}
 */
export async function plan({ values }, io) {
  const config = readRunConfig(values, io.cwd);
  const planned = makePlan(config, sidesOf(config));
  io.stdout.write(values.json ? `${JSON.stringify(planned, null, 2)}\n` : renderPlan(planned));
  return 0;
}
