/**
 * `perf-action run`: measures, compares where there is something to compare with, leaves the result folder.
 * @import { Arguments } from '../verbs.js'
 * @import { Io } from '../cli.js'
 */

import { renderJson } from '../report/json.js';
import { holdSession } from '../session/session.js';

/**
 * @param {Arguments} args
 * @param {Io} io
 * @returns {Promise<number>}
 */
export async function run({ values }, io) {
  const { run: measured, comparison, code, text } = await holdSession(values, io);
  io.stdout.write(values.json ? renderJson(measured, comparison && { comparison }) : text);
  return code;
}
