/**
 * Stores a run: the full file until newer ones replace it, and one permanent history line.
 * @import { Run } from '../types.js'
 */

import { pastOf } from './record.js';
import { readBaselines, saveBaseline } from './baselines.js';
import { appendPast, readPast } from './past-runs.js';

/**
 * @param {Run} run
 * @param {string} dir the folder of stored runs, made where it is missing
 * @param {number} count how many runs of the same cases stay whole
 * @returns {Promise<string>} the file
 * @throws {import('../model/errors.js').UserError} for a run in which nothing was measured
 */
export async function keepRun(run, dir, count) {
  const saved = await saveBaseline(run, dir, count);
  const past = pastOf(run);
  if (past) await appendPast(dir, past);
  return saved;
}

/**
 * @param {string} dir
 * @returns {ReturnType<typeof readPast>} with the stored runs that have no line, as those of older versions
 */
export async function readHistory(dir) {
  const lines = await readPast(dir);
  const known = new Set(lines.past.map(({ id }) => id));
  const { baselines, broken } = await readBaselines(dir);
  const unlisted = baselines.filter(({ run }) => !known.has(run.id)).flatMap(({ run }) => pastOf(run) ?? []);
  return { past: [...lines.past, ...unlisted], broken: [...lines.broken, ...broken] };
}
