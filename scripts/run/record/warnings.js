/**
 * Warnings that follow from the trials: about the load, the servers and the machine.
 * @import { Case, Load, Plan, Trial, Trials, Warning, Window } from '../../types.js'
 */

import { greatest, groups, groupSort, max, sum } from 'd3-array';
import { findTool } from '../../load/tools.js';
import { isControl } from '../../model/is-control.js';
import { longQueue, missedRate, unexpectedInFlight } from '../../model/load-model-check.js';
import { risingCost, waitsMostly } from '../../model/window-trends.js';
import { compiling } from '../warm-up.js';
import { ANSWERS } from '../window-length.js';

/** JIT compilers that use more than this share of a core are still changing the server. */
const STILL_COMPILING = 0.2;
/** Windows are as long as the warm-up's answers say; a few less do not matter. */
const ALMOST = 0.8;
/** More program names would not help. */
const MOST_NAMES = 3;

/** @type {(plan: Pick<Plan, 'sides'>, measured: Trials) => Warning[]} */
export function trialWarnings({ sides }, measured) {
  // Windows of tenths of seconds show no load that fits them.
  const full = [...measured].filter(([step]) => !step.case.counted && !isControl(step.case));
  const cases = groups(full, ([step]) => step.case);
  const ofEachSide = full.flatMap(([step, trials]) => {
    const isBase = step.side !== sides.at(-1);
    return sideWarnings(step.case, trials).map((warning) => ({ ...warning, ...(isBase && { isBase }) }));
  });
  const untimed = cases.flatMap(([{ id, load }, ofSides]) => {
    const windows = ofSides.flatMap(([, trials]) => trials.flatMap((trial) => trial.windows));
    const isUntimed = load.pipelining > 1 && windows.some(({ latencyMs }) => latencyMs && !latencyMs.p50);
    return isUntimed ? [{ code: /** @type {const} */ ('no-latencies'), case: id, tool: load.tool }] : [];
  });
  // Once for both sides, whose queues differ little.
  const queues = cases.flatMap(([{ id, load }, ofSides]) => {
    const [queue] = ofSides.toReversed().flatMap(([, trials]) => queueWarning(trials, load));
    return queue ? { ...queue, case: id } : [];
  });
  const shared = sharedMachineWarnings([...measured.values()].flat());
  return [...untimed, ...queues, ...ofEachSide, ...shared];
}

/** @type {(trials: Trial[], load: Load) => Warning[]} */
function queueWarning(trials, load) {
  const queue = longQueue(trials, load);
  const timeouts = sum(trials, ({ windows }) => sum(windows, ({ errors }) => errors?.timeouts ?? 0));
  return queue ? [{ code: 'long-queue', connections: load.connections, ...queue, timeouts }] : [];
}

/** Of a side not loaded as asked, or not warm. @type {(planned: Case, trials: Trial[]) => Warning[]} */
function sideWarnings({ id, load, request }, trials) {
  const { connections, pipelining } = load;
  const { length: of } = trials;
  const windows = trials.flatMap((trial) => trial.windows);
  const achieved = missedRate(trials, load);
  // Requests that never reached the server's queue count, too, and those that timed out have no latency.
  const atOnce =
    longQueue(trials, load) || windows.some(({ errors }) => errors?.timeouts)
      ? undefined
      : unexpectedInFlight(trials, load, findTool(load.tool)?.stepMs ?? 0);
  const { requests: answers, unanswered } = greatest(windows, (window) => window.unanswered) ?? {};
  // A stream waits for its next event.
  const waits = request.stream ? undefined : waitsMostly(trials, load);
  const rising = risingCost(trials);
  const busy = trials.flatMap(({ busySeconds }) => busySeconds ?? []);
  const thresholds = [...new Set(windows.flatMap(({ thresholdsMissed = [] }) => thresholdsMissed))];
  const lost = max(windows, ({ workersLost }) => workersLost) ?? 0;
  const cold = trials.filter(
    ({ failure, warmup, windows: own }) =>
      !failure && (warmup ? !warmup.level : compiling(own) > STILL_COMPILING),
  ).length;
  const closes = trials.flatMap(({ answers = [] }) => answers).find((answer) => answer.closes)?.closes;
  /** @type {(Warning | false | undefined)[]} */
  const warnings = [
    achieved !== undefined && { code: 'rate-missed', asked: Number(load.rate), achieved },
    atOnce !== undefined && { code: 'does-not-add-up', connections, pipelining, atOnce },
    unanswered !== undefined && { code: 'unanswered', answers: Number(answers), unanswered },
    waits && { code: 'mostly-waits', ...waits },
    rising && { code: 'rising-cost', ...rising },
    thresholds.length > 0 && { code: 'thresholds-missed', tool: load.tool, thresholds },
    lost > 0 && { code: 'workers-lost', lost, workers: Number(load.workers) },
    busy.length > 0 && { code: 'still-busy', seconds: Math.max(...busy), starts: busy.length, of },
    // The end of a window cuts off no first byte.
    !request.stream && fewAnswers(windows, load),
    closes && load.keepAlive && { code: 'connection-closed', tool: load.tool, closes },
    cold > 0 && { code: 'not-warm', starts: cold, of },
  ];
  return warnings.flatMap((warning) => (warning ? [{ ...warning, case: id }] : []));
}

/** If they hold fewer answers than needed. @type {(windows: Window[], load: Load) => Warning | false} */
function fewAnswers(windows, { requests: fixedRequests, windows: fixedWindows }) {
  const requests = sum(windows, (window) => window.requests);
  const seconds = sum(windows, (window) => window.seconds);
  const answers = requests / windows.length;
  if (!(answers < ALMOST * ANSWERS) || (fixedRequests ?? fixedWindows) !== undefined) return false;
  return { code: 'few-answers', answers, wanted: ANSWERS, seconds: (ANSWERS * seconds) / requests };
}

/** One for all disturbed windows, with the most frequent programs. @type {(trials: Trial[]) => Warning[]} */
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
