/**
 * Joins shards of one run.
 * @import { Run, RunCase, Warning } from '../types.js'
 */

import { UserError } from '../errors.js';
import { summarize } from './summary.js';

/**
 * The cases are united; trials of the same case stand in the order of their rounds.
 * @param {Run[]} runs
 * @returns {Run}
 * @throws {UserError} where they are not shards of one run, or one is given twice
 */
export function mergeRuns(runs) {
  const [first, ...rest] = runs;
  if (!first) throw new UserError('there is no run to join; name at least one run file');
  for (const run of rest) requireSameRun(first, run);
  requireDistinct(runs);
  const warnings = joinWarnings(runs);
  const starts = runs.map(({ startedAt }) => startedAt).sort();
  const ends = runs.map(({ finishedAt }) => finishedAt).sort();
  return {
    ...first,
    startedAt: starts[0] ?? first.startedAt,
    finishedAt: ends.at(-1) ?? first.finishedAt,
    environment: {
      ...first.environment,
      runtimes: Object.assign({}, ...runs.map(({ environment }) => environment.runtimes)),
      tools: Object.assign({}, ...runs.map(({ environment }) => environment.tools)),
    },
    ...(warnings.length > 0 && { warnings }),
    cases: joinCases(runs.flatMap(({ cases }) => cases)),
  };
}

/**
 * Both sides of a comparison have the same session too; joined, they would be neither.
 * @param {Run} first
 * @param {Run} other
 */
function requireSameRun(first, other) {
  const facts = /** @type {const} */ ([
    ['session', first.session, other.session],
    ['revision', first.revision.sha, other.revision.sha],
    ['side', first.revision.label, other.revision.label],
  ]);
  for (const [what, here, there] of facts) {
    if (here === there) continue;
    throw new UserError(
      `run ${other.id} is of the ${what} ${there ?? '(none)'}, run ${first.id} of ${here ?? '(none)'}; ` +
        'only shards of one run can be joined: leave one of them out',
    );
  }
}

/**
 * A shard that counts twice would feign certainty.
 * @param {Run[]} runs
 */
function requireDistinct(runs) {
  const texts = runs.map((run) => JSON.stringify(run));
  const twice = runs.find((_, index) => texts.indexOf(/** @type {string} */ (texts[index])) < index);
  if (twice) throw new UserError(`the same shard of run ${twice.id} is named twice; name it once`);
}

/**
 * @param {Run[]} runs
 * @returns {Warning[]} each once
 */
function joinWarnings(runs) {
  const machines = new Set(runs.map(({ environment }) => environment.fingerprint));
  const all = runs.flatMap(({ warnings = [] }) => warnings);
  if (machines.size > 1) {
    const message =
      `the shards ran on ${machines.size} kinds of machine (${[...machines].join(', ')}); ` +
      'absolute figures of different shards cannot be compared';
    all.push({ code: 'mixed-machines', message });
  }
  return [...new Map(all.map((warning) => [JSON.stringify(warning), warning])).values()];
}

/**
 * @param {RunCase[]} all
 * @returns {RunCase[]} in the order of their first appearance
 */
function joinCases(all) {
  const ids = [...new Set(all.map(({ id }) => id))];
  return ids.map((id) => {
    const parts = all.filter((part) => part.id === id);
    const { summary: _outdated, ...of } = /** @type {RunCase} */ (parts[0]);
    const trials = parts.flatMap((part) => part.trials).sort((a, b) => a.round - b.round);
    const summary = summarize(trials, of.load);
    return { ...of, trials, ...(summary && { summary }) };
  });
}
