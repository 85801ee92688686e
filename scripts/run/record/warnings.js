/**
 * Warnings that follow from the trials: about the load, the servers and the machine.
 * @import { Case, Plan, Trial, Warning } from '../../types.js'
 */

import { groupSort, max } from 'd3-array';
import { findTool } from '../../load/tools.js';
import { missedRate, unexpectedInFlight } from '../../model/load-model-check.js';
import { compiling } from '../warm-up.js';

/** JIT compilers that use more than this share of a core are still changing the server. */
const STILL_COMPILING = 0.2;
/** More program names would not help. */
const MOST_NAMES = 3;

/** @param {Pick<Plan, 'cases'>} plan @param {Trial[][][]} trials by side and case @returns {Warning[]} */
export function trialWarnings({ cases }, trials) {
  const fixedPorts = cases.flatMap(({ id }, index) => {
    const [port] = trials.flatMap((side) => (side[index] ?? []).flatMap(({ fixedPort }) => fixedPort ?? []));
    return port === undefined ? [] : [{ code: 'fixed-port', case: id, port }];
  });
  const ofEachSide = cases.flatMap((planned, index) =>
    trials.flatMap((side, place) => {
      const isBase = place < trials.length - 1;
      return sideWarnings(planned, side[index] ?? []).map((warning) => ({
        ...warning,
        ...(isBase && { isBase }),
      }));
    }),
  );
  return [...fixedPorts, ...ofEachSide, ...sharedMachineWarnings(trials.flat(2))];
}

/** @param {Case} planned @param {Trial[]} trials of one side @returns {Warning[]} if it was not loaded as asked, or not warm */
function sideWarnings({ id, load }, trials) {
  const windows = trials.flatMap((trial) => trial.windows);
  const achieved = missedRate(trials, load);
  const atOnce = unexpectedInFlight(trials, load, findTool(load.tool)?.stepMs ?? 0);
  const thresholds = [...new Set(windows.flatMap(({ thresholdsMissed = [] }) => thresholdsMissed))];
  const lost = max(windows, ({ workersLost }) => workersLost) ?? 0;
  const cold = trials.filter(isCold).length;
  const warnings = [
    achieved !== undefined && { code: 'rate-missed', asked: load.rate, achieved },
    atOnce !== undefined && { code: 'does-not-add-up', connections: load.connections, atOnce },
    thresholds.length > 0 && { code: 'thresholds-missed', tool: load.tool, thresholds },
    lost > 0 && { code: 'workers-lost', lost, workers: load.workers },
    cold > 0 && { code: 'not-warm', boots: cold, of: trials.length },
  ];
  return warnings.flatMap((warning) => (warning ? [{ ...warning, case: id }] : []));
}

/** @param {Trial} trial */
function isCold({ failure, warmup, windows }) {
  return !failure && (warmup ? !warmup.level : compiling(windows) > STILL_COMPILING);
}

/** @param {Trial[]} trials @returns {Warning[]} one for all disturbed windows, with the programs that disturbed most often */
function sharedMachineWarnings(trials) {
  const windows = trials.flatMap((trial) => trial.windows);
  const shared = windows.flatMap(({ others }) => (others ? [others] : []));
  if (shared.length === 0) return [];
  const programs = groupSort(
    shared.flat(),
    (alike) => -alike.length,
    (name) => name,
  ).slice(0, MOST_NAMES);
  return [{ code: 'machine-shared', shared: shared.length, windows: windows.length, programs }];
}
