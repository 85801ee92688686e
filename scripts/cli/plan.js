/**
 * `perf-action plan`: what a run would do, without doing it.
 * @import { Arguments } from './verbs.js'
 * @import { Io } from '../cli.js'
 */

import { resolveRef } from '../boot/trees.js';
import { renderPlan } from '../report/plan.js';
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
  io.stdout.write(values.json ? `${JSON.stringify(planned, null, 2)}\n` : renderPlan(planned));
  return 0;
}
