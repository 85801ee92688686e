/**
 * `perf-action plan`: prints a run's plan and starts nothing.
 * @import { Arguments } from '../verbs.js'
 * @import { Io } from '../main.js'
 */

import { harmlessJson } from '../system/sanitize.js';
import { toldPlan } from '../secrets/secrets.js';
import { configNotice } from '../session/config.js';
import { previewSession } from '../session/preview.js';

/** @param {Arguments} args @param {Io} io @returns {Promise<number>} */
export async function plan({ values }, io) {
  io.stderr.write(configNotice(values, io.cwd));
  const { plan: planned, foretold, text } = await previewSession(values, io.cwd, io.env);
  io.stdout.write(values.json ? `${harmlessJson({ ...toldPlan(planned), foretold })}\n` : text);
  return 0;
}
