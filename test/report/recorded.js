/**
 * Runs that were recorded, in every shape that the page has: data/report/runs/README.md tells how they were
 * made.
 * @import { Run } from '../../scripts/types.js'
 */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compare } from '../../scripts/judge/compare.js';
import { readRun } from '../../scripts/store/run-file.js';

const RUNS = new URL('../data/report/runs/', import.meta.url);
const recorded = (/** @type {string} */ file) => readRun(fileURLToPath(new URL(file, RUNS)));

/**
 * @returns {Promise<{ run: Run, options: { base: Run, comparison: import('../../scripts/types.js').Comparison
 *   } }>} two commits of one server
 */
export async function recordedAgainst() {
  const [base, run] = [await recorded('against-base.json'), await recorded('against-head.json')];
  return { run, options: { base, comparison: compare(base, run) } };
}

/**
 * @returns {ReturnType<typeof recordedAgainst>} the same, with the functions that were found in another run
 */
export async function recordedWhy() {
  const { run, options } = await recordedAgainst();
  const found = JSON.parse(readFileSync(new URL('calls.json', RUNS), 'utf8'));
  const { comparison } = options;
  const cases = comparison.cases.map((runCase, nth) => (nth === 0 ? { ...runCase, ...found } : runCase));
  return { run, options: { ...options, comparison: { ...comparison, cases } } };
}

/** @returns {Promise<Run>} four servers beside each other, compared with nothing */
export async function recordedServers() {
  return recorded('four-servers.json');
}

/**
 * @param {Run} run
 * @param {number} times
 * @returns {Run} with so many servers like each of its own
 */
export function manyOf(run, times) {
  const cases = Array.from({ length: times }, (_, copy) =>
    run.cases
      .filter(({ reference }) => !reference || copy === 0)
      .map((runCase) => ({
        ...runCase,
        id: `${runCase.id} ${copy}`,
        serverName: `${runCase.serverName} ${copy}`,
      })),
  );
  return { ...run, cases: cases.flat() };
}
