/**
 * Joins shards of one run.
 * @import { Run, RunCase, Warning } from '../types.js'
 */

import { UserError } from '../model/errors.js';
import { isSkipped } from './skipped.js';
import { summarize } from '../samples/summary.js';

/**
 * The cases are united, in the order of the whole run's; trials of the same case stand in the order of their rounds. Of
 * shards that were measured apart, each trial tells which one it is of. Shards that had nothing to measure add nothing,
 * unless none had.
 * @param {Run[]} all
 * @returns {Run}
 * @throws {UserError} where they are not shards of one run, or one is given twice
 */
export function mergeRuns(all) {
  const measured = all.filter((run) => !isSkipped(run));
  const runs = measured.length > 0 ? measured : all;
  const [first, ...rest] = runs.toSorted((a, b) => (a.shard?.index ?? 0) - (b.shard?.index ?? 0));
  if (!first) throw new UserError('nothing to join; give at least one run file');
  for (const run of rest) requireSameRun(first, run);
  requireDistinct(runs);
  // What the gate said of a part is not what it will say of the whole.
  const { shard, gate: _ofPart, ...whole } = first;
  const warnings = joinWarnings(runs, lostShards(all));
  const starts = runs.map(({ startedAt }) => startedAt).sort();
  const looks = [...new Set(runs.flatMap((run) => run.looks ?? []))].sort((a, b) => a - b);
  const ends = runs.map(({ finishedAt }) => finishedAt).sort();
  return {
    ...whole,
    startedAt: starts[0] ?? first.startedAt,
    finishedAt: ends.at(-1) ?? first.finishedAt,
    environment: {
      ...first.environment,
      runtimes: Object.assign({}, ...runs.map(({ environment }) => environment.runtimes)),
      tools: Object.assign({}, ...runs.map(({ environment }) => environment.tools)),
      fingerprint: machinesOf(runs).join('+'),
    },
    ...(warnings.length > 0 && { warnings }),
    ...(looks.length > 0 && { looks }),
    ...(first.command !== undefined && { command: first.command.replace(/ --shard[ =]\S+/, '') }),
    cases: joinCases([first, ...rest].flatMap(taggedCases), shard?.cases ?? []),
  };
}

/**
 * Both sides of a comparison have the same session too; joined, they would be neither. Shards that were measured apart
 * have sessions of their own; what they share is the order that the seed gave.
 * @param {Run} first
 * @param {Run} other
 */
function requireSameRun(first, other) {
  const apart = first.shard ?? other.shard;
  /** @type {[what: string, here: unknown, there: unknown][]} */
  const facts = [
    ...(apart
      ? /** @type {[string, unknown, unknown][]} */ ([
          ['seed', first.seed, other.seed],
          ['number of shards', first.shard?.of, other.shard?.of],
          ['cases', first.shard?.cases.join(', '), other.shard?.cases.join(', ')],
        ])
      : /** @type {[string, unknown, unknown][]} */ ([['session', first.session, other.session]])),
    ['revision', first.revision.sha, other.revision.sha],
    ['side', first.revision.label, other.revision.label],
  ];
  for (const [what, here, there] of facts) {
    if (here === there) continue;
    throw new UserError(
      `run ${other.id} is of the ${what} ${there ?? '(none)'}, run ${first.id} of ${here ?? '(none)'}; ` +
        'only shards of one run can be joined: remove one of them',
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
  if (twice) throw new UserError(`the same shard of run ${twice.id} is given twice; give it once`);
  const parts = runs.flatMap(({ shard }) => shard?.index ?? []);
  const again = parts.find((index, place) => parts.indexOf(index) < place);
  if (again !== undefined)
    throw new UserError(`shard ${again} was measured twice and both runs are given; remove one of them`);
}

/**
 * @param {Run[]} runs
 * @param {Warning | undefined} lost
 * @returns {Warning[]} each once
 */
function joinWarnings(runs, lost) {
  const machines = machinesOf(runs);
  const all = runs.flatMap(({ warnings = [] }) => warnings);
  if (lost) all.push(lost);
  if (machines.length > 1) all.push({ code: 'mixed-machines', machines });
  return [...new Map(all.map((warning) => [JSON.stringify(warning), warning])).values()];
}

/**
 * @param {Run[]} runs
 * @returns {string[]} fingerprints, each once
 */
function machinesOf(runs) {
  return [...new Set(runs.map(({ environment }) => environment.fingerprint))].sort();
}

/**
 * @param {Run[]} runs
 * @returns {Warning | undefined} what a machine that left no results should have measured
 */
function lostShards(runs) {
  const shard = runs[0]?.shard;
  if (!shard) return undefined;
  const here = new Set(runs.flatMap((run) => run.shard?.index ?? []));
  const lost = Array.from({ length: shard.of }, (_, index) => index + 1).filter((index) => !here.has(index));
  if (lost.length === 0) return undefined;
  const measured = new Set(runs.flatMap(({ cases }) => cases.map(({ id }) => id)));
  const cases = shard.cases.filter((id) => !measured.has(id));
  if (cases.length === 0) return undefined;
  return { code: 'shards-missing', shards: lost, of: shard.of, cases };
}

/**
 * @param {Run} run
 * @returns {RunCase[]}
 */
function taggedCases({ shard, cases }) {
  if (!shard) return cases;
  const { index } = shard;
  return cases.map((of) => ({ ...of, trials: of.trials.map((trial) => ({ ...trial, shard: index })) }));
}

/**
 * @param {RunCase[]} all
 * @param {string[]} order ids; cases that are not among them come last, in the order of their first appearance
 * @returns {RunCase[]}
 */
function joinCases(all, order) {
  const present = new Set(all.map(({ id }) => id));
  const ids = [...new Set([...order.filter((id) => present.has(id)), ...present])];
  return ids.map((id) => {
    const parts = all.filter((part) => part.id === id);
    const { summary: _outdated, ...of } = /** @type {RunCase} */ (parts[0]);
    const trials = parts.flatMap((part) => part.trials).sort((a, b) => a.round - b.round);
    const summary = summarize(trials, of);
    return { ...of, trials, ...(summary && { summary }) };
  });
}
