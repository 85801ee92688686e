/**
 * Joins shards of one run.
 * @import { Run, RunCase } from '../types.js'
 */

import { UserError } from '../errors.js';
import { summarize } from './summary.js';

/**
 * The cases are united; trials of the same case stand in the order of their rounds.
 * @param {Run[]} runs at least one
 * @returns {Run}
 * @throws {UserError} where the runs are of different sessions
 */
export function mergeRuns(runs) {
  const [first, ...rest] = /** @type {[Run, ...Run[]]} */ (runs);
  const stranger = rest.find(({ session }) => session !== first.session);
  if (stranger) {
    throw new UserError(
      `run ${stranger.id} is of session ${stranger.session}, run ${first.id} of ${first.session}; only shards of one run can be joined`,
    );
  }
  const warnings = runs.flatMap((run) => run.warnings ?? []);
  const machines = new Set(runs.map(({ environment }) => environment.fingerprint));
  if (machines.size > 1) {
    const message = `the shards ran on ${machines.size} kinds of machine; compare within a shard only`;
    warnings.push({ code: 'mixed-machines', message });
  }
  return {
    ...first,
    startedAt: runs.map(({ startedAt }) => startedAt).sort()[0] ?? first.startedAt,
    finishedAt:
      runs
        .map(({ finishedAt }) => finishedAt)
        .sort()
        .at(-1) ?? first.finishedAt,
    ...(warnings.length > 0 && { warnings }),
    cases: joinCases(runs.flatMap(({ cases }) => cases)),
  };
}

/**
 * @param {RunCase[]} all
 * @returns {RunCase[]}
 */
function joinCases(all) {
  const byId = new Map(all.map((each) => [each.id, each]));
  return [...byId.values()].map(({ summary: _outdated, ...of }) => {
    const trials = all.filter(({ id }) => id === of.id).flatMap((each) => each.trials);
    trials.sort((a, b) => a.round - b.round);
    const summary = summarize(trials, of.load);
    return { ...of, trials, ...(summary && { summary }) };
  });
}
