/** Runs of a repository's HEAD against the commit before, and how much to plant. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { perfAction } from '../perf-action.js';
import { filledByOne, filledGlobal, growingGlobal, slowerMiddleware, slowerService } from './changes.js';

/** @import { CaseComparison, Comparison, Run } from '../../scripts/types.js' */
/** @import { Subject } from './repository.js' */

/** Differences of a route's rounds are small beside what so much costs. */
const CALIBRATING = { turns: 8000, sessions: 10_000, rounds: 16 };

/**
 * @param {string} top
 * @param {string[]} options
 * @returns {Promise<{ comparison: Comparison, head: Run, seconds: number }>} seconds: of the whole command
 */
export async function runAgainst(top, options) {
  const startedAt = performance.now();
  await perfAction(top, ['run', '--against', 'HEAD~1', '--fail-on', 'never', ...options]);
  const read = (/** @type {string} */ file) =>
    JSON.parse(readFileSync(join(top, 'perf-results', file), 'utf8'));
  const seconds = (performance.now() - startedAt) / 1000;
  return { comparison: read('comparison.json'), head: read('run.json'), seconds };
}

/** @type {(compared: CaseComparison) => boolean} */
export const isChange = ({ verdict }) => verdict === 'regressed' || verdict === 'improved';

/**
 * The same work in one route's service function, and in shared middleware.
 * @param {Subject} subject
 * @param {number} share of what that route costs
 */
export async function calibratedSlower({ top, plant }, share) {
  plant(slowerService(CALIBRATING.turns));
  const turns = Math.round((CALIBRATING.turns * share) / (await costOf(top, '/orders')));
  return { service: slowerService(turns), middleware: slowerMiddleware(turns) };
}

/** Every route costs 20 % more, once the changed one was asked. @param {Subject} subject */
export async function calibratedGlobals({ top, plant }) {
  plant(filledGlobal(CALIBRATING.sessions));
  const sessions = Math.round((CALIBRATING.sessions * 0.2) / (await costOf(top, '/orders')));
  return [filledByOne(sessions), growingGlobal(sessions)];
}

/** The share of CPU that a request costs more. @type {(top: string, route: string) => Promise<number>} */
async function costOf(top, route) {
  const alone = ['--routes', route, '--rounds', String(CALIBRATING.rounds), '--no-explain'];
  const { comparison } = await runAgainst(top, alone);
  const cpu = comparison.cases[0]?.metrics.find(({ metric }) => metric === 'cpuPerRequest');
  const { effectPct = 0 } = cpu ?? {};
  if (effectPct <= 0) throw new Error(`what is planted into ${route} costs nothing`);
  return effectPct / 100;
}
