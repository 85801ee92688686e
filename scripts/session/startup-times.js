/**
 * How long servers took to start in earlier runs.
 * @import { Run } from '../types.js'
 */

import { resolve } from 'node:path';
import { group, mean } from 'd3-array';
import { UserError } from '../model/errors.js';
import { readRun } from '../store/run-file.js';

/**
 * @param {string} out the results folder, which may hold the last run
 * @param {{ cwd: string, stored?: Run | undefined }} sources stored: the baseline
 * @returns {Promise<Record<string, number>>} mean seconds by the server's id; the last run overrides the baseline
 */
export async function knownStartSeconds(out, { cwd, stored }) {
  const last = await readRun(resolve(cwd, out, 'run.json')).catch((error) => {
    // An unreadable run only makes the estimate worse; other readers report it.
    if (error instanceof UserError) return undefined;
    throw error;
  });
  return { ...(stored && startSecondsOf(stored)), ...(last && startSecondsOf(last)) };
}

/** @param {Run} run @returns {Record<string, number>} */
function startSecondsOf({ cases }) {
  const byServer = group(cases, ({ server }) => server);
  const means = [...byServer].map(([server, own]) => {
    const meanMs = mean(own.flatMap(({ trials }) => trials.flatMap(({ bootMs }) => bootMs ?? [])));
    return /** @type {const} */ ([server, meanMs]);
  });
  return Object.fromEntries(means.flatMap(([server, ms]) => (ms === undefined ? [] : [[server, ms / 1000]])));
}
