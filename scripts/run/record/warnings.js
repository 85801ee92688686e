/**
 * What a run notices of its servers and of the machine, beside what it was told.
 * @import { Case, Plan, Trial, Warning } from '../../types.js'
 */

import { findTool } from '../../load/tools.js';
import { imbalance, missedRate } from '../../model/load-model-check.js';
import { compiling } from '../warm-up/level.js';

/** Of a core: compilers that work as much as this change what is measured while it is measured. */
const STILL_COMPILING = 0.2;

/** A list of more names is no hint. */
const NAMES = 3;

/**
 * @param {Pick<Plan, 'cases'>} plan
 * @param {Trial[][][]} trials by side and case
 * @returns {Warning[]}
 */
export function noticesOf({ cases }, trials) {
  const ofCases = cases.flatMap((of, index) =>
    trials.flatMap((side) => noticesOfSide(of, side[index] ?? [])),
  );
  const fixed = cases.flatMap(({ id }, index) =>
    fixedPort(
      id,
      trials.flatMap((side) => side[index] ?? []),
    ),
  );
  return [...fixed, ...ofCases, ...sharedMachine(trials.flat(2))];
}

/**
 * @param {Case} of
 * @param {Trial[]} trials one side's
 * @returns {Warning[]} where the load was not what was asked for, or the figures do not add up
 */
function noticesOfSide({ id, load }, trials) {
  const achieved = missedRate(trials, load);
  const cold = coldBoots(trials);
  const atOnce = imbalance(trials, load, findTool(load.tool)?.stepMs ?? 0);
  const windows = trials.flatMap((trial) => trial.windows);
  const missed = [...new Set(windows.flatMap(({ thresholdsMissed = [] }) => thresholdsMissed))];
  const lost = Math.max(0, ...windows.map(({ workersLost = 0 }) => workersLost));
  return [
    ...(achieved === undefined ? [] : [{ code: 'rate-missed', case: id, asked: load.rate, achieved }]),
    ...(atOnce === undefined
      ? []
      : [{ code: 'does-not-add-up', case: id, connections: load.connections, atOnce }]),
    ...(missed.length === 0
      ? []
      : [{ code: 'thresholds-missed', case: id, tool: load.tool, thresholds: missed }]),
    ...(lost === 0 ? [] : [{ code: 'workers-lost', case: id, lost, workers: load.workers }]),
    ...(cold > 0 ? [{ code: 'not-warm', case: id, boots: cold, of: trials.length }] : []),
  ];
}

/**
 * @param {Trial[]} trials
 * @returns {number} how many were measured before they were warm: throughput still rose, or compilers still worked
 */
function coldBoots(trials) {
  const isCold = (/** @type {Trial} */ { failure, warmup, windows }) =>
    !failure && (warmup ? !warmup.level : compiling(windows) > STILL_COMPILING);
  return trials.filter(isCold).length;
}

/**
 * @param {string} id of a case
 * @param {Trial[]} trials its
 * @returns {Warning[]}
 */
function fixedPort(id, trials) {
  const [port] = trials.flatMap((trial) => trial.fixedPort ?? []);
  if (port === undefined) return [];
  return [{ code: 'fixed-port', case: id, port }];
}

/**
 * @param {Trial[]} trials
 * @returns {Warning[]} one for all that were disturbed, with the programs that were busy most often
 */
function sharedMachine(trials) {
  const windows = trials.flatMap((trial) => trial.windows);
  const shared = windows.flatMap(({ others }) => (others ? [others] : []));
  if (shared.length === 0) return [];
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const name of shared.flat()) counts.set(name, (counts.get(name) ?? 0) + 1);
  const names = [...counts].toSorted(([, a], [, b]) => b - a).map(([name]) => name);
  return [
    {
      code: 'machine-shared',
      shared: shared.length,
      windows: windows.length,
      programs: names.slice(0, NAMES),
    },
  ];
}
