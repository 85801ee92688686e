/**
 * How long servers took to start in earlier runs.
 * @import { Run } from '../types.js'
 */

import { resolve } from 'node:path';
import { UserError } from '../model/errors.js';
import { readRun } from '../store/run-file.js';

/**
 * @param {string} out the results folder, which may hold the last run
 * @param {{ cwd: string, stored?: Run | undefined }} sources stored: the baseline
 * @returns {Promise<Record<string, number>>} mean seconds by the server's id; the last run overrides the baseline
 */
export async function knownBoots(out, { cwd, stored }) {
  const last = await readRun(resolve(cwd, out, 'run.json')).catch((error) => {
    // An unreadable run only makes the estimate worse; other readers report it.
    if (error instanceof UserError) return undefined;
    throw error;
  });
  return { ...(stored && bootsOf(stored)), ...(last && bootsOf(last)) };
}

/** @param {Run} run */
function bootsOf({ cases }) {
  /** @type {Map<string, number[]>} */
  const known = new Map();
  for (const { server, trials } of cases)
    known.set(server, [...(known.get(server) ?? []), ...trials.flatMap(({ bootMs }) => bootMs ?? [])]);
  return Object.fromEntries(
    [...known]
      .filter(([, all]) => all.length > 0)
      .map(([server, all]) => [server, all.reduce((sum, ms) => sum + ms, 0) / all.length / 1000]),
  );
}
