/** @import { Run } from '../types.js' */

import { resolve } from 'node:path';
import { mean, rollup } from 'd3-array';
import { tryReadHead } from './results.js';

/**
 * How long servers took to start in earlier runs.
 * @param {string} out the results folder, which may hold the last run
 * @param {{ cwd: string, stored?: Run | undefined }} sources stored: the baseline
 * @returns {Promise<Record<string, number>>} mean seconds by the server's id; the last run overrides the baseline
 */
export async function knownStartSeconds(out, { cwd, stored }) {
  // An unreadable run only makes the estimate worse; other readers report it.
  const last = await tryReadHead(resolve(cwd, out));
  return Object.fromEntries([stored, last].flatMap((run) => (run ? startSecondsOf(run) : [])));
}

/** @param {Run} run */
function startSecondsOf({ cases }) {
  const starts = cases.flatMap(({ server, trials }) =>
    trials.map(({ startupMs }) => ({ server, startupMs })),
  );
  const measured = starts.filter(({ startupMs }) => startupMs !== undefined);
  const meanOf = (/** @type {typeof starts} */ some) =>
    Number(mean(some, ({ startupMs }) => startupMs)) / 1000;
  return [...rollup(measured, meanOf, ({ server }) => server)];
}
