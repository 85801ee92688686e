/** Joins shards of one run. @import { Run, RunCase, Warning } from '../types.js' */

import { groups, max, min, range } from 'd3-array';
import { UserError } from '../model/errors.js';
import { isSkipped } from './skipped.js';
import { summarize } from '../samples/summary.js';

/**
 * Unites the cases in the order of the whole run, and the starts of a case in the order of their rounds. A
 * start of a shard keeps the shard's number. Shards that had nothing to measure add nothing, unless all had.
 * @type {(all: Run[]) => Run}
 * @throws {UserError} where they are not shards of one run, or one is given twice
 */
export function mergeRuns(all) {
  const measured = all.filter((run) => !isSkipped(run));
  const runs = measured.length > 0 ? measured : all;
  const [first, ...rest] = runs.toSorted((a, b) => (a.shard?.index ?? 0) - (b.shard?.index ?? 0));
  if (!first) throw new UserError('nothing to join; give at least one run file');
  for (const run of rest) requireSameRun(first, run);
  requireDistinct(runs);
  // The gate and the limits of a part say nothing of the whole.
  const { shard, gate: _gate, limits: _limits, ...whole } = first;
  const machines = [...new Set(runs.map(({ environment }) => environment.fingerprint))].sort();
  const noted = [...runs.flatMap((run) => run.warnings ?? []), ...lostShards(all)];
  if (machines.length > 1) noted.push({ code: 'mixed-machines', machines });
  const warnings = [...new Map(noted.map((warning) => [JSON.stringify(warning), warning])).values()];
  const looks = [...new Set(runs.flatMap((run) => run.looks ?? []))].sort((a, b) => a - b);
  return {
    ...whole,
    startedAt: min(runs, ({ startedAt }) => startedAt) ?? first.startedAt,
    finishedAt: max(runs, ({ finishedAt }) => finishedAt) ?? first.finishedAt,
    environment: {
      ...first.environment,
      runtimes: Object.assign({}, ...runs.map(({ environment }) => environment.runtimes)),
      tools: Object.assign({}, ...runs.map(({ environment }) => environment.tools)),
      fingerprint: machines.join('+'),
    },
    ...(warnings.length > 0 && { warnings }),
    ...(looks.length > 0 && { looks }),
    touched: joinTouched(runs),
    ...(first.command !== undefined && { command: first.command.replace(/ --shard[ =]\S+/, '') }),
    cases: joinCases([first, ...rest].flatMap(taggedCases), shard?.cases ?? []),
  };
}

/**
 * Shards that were measured apart have sessions of their own and share the order that the seed gave. Both
 * sides of a comparison share a session, but must not be joined.
 * @type {(first: Run, other: Run) => void}
 */
function requireSameRun(first, other) {
  const isApart = first.shard ?? other.shard;
  const factsOf = (/** @type {Run} */ { session, seed, shard, revision: { sha, label } }) => ({
    ...(isApart ? { seed, 'number of shards': shard?.of, cases: shard?.cases.join(', ') } : { session }),
    revision: sha,
    side: label,
  });
  const theirs = new Map(Object.entries(factsOf(other)));
  for (const [what, here] of Object.entries(factsOf(first))) {
    const there = theirs.get(what);
    if (here === there) continue;
    throw new UserError(
      `run ${other.id} is of the ${what} ${there ?? '(none)'}, run ${first.id} of ${here ?? '(none)'}; ` +
        'only shards of one run can be joined: remove one of them',
    );
  }
}

/** A shard that counts twice would feign certainty. @param {Run[]} runs */
function requireDistinct(runs) {
  const isTwice = (/** @type {[unknown, Run[]]} */ [, alike]) => alike.length > 1;
  const [, [twice] = []] = groups(runs, (run) => JSON.stringify(run)).find(isTwice) ?? [];
  if (twice) throw new UserError(`the same shard of run ${twice.id} is given twice; give it once`);
  const parts = runs.filter(({ shard }) => shard);
  const [again] = groups(parts, ({ shard }) => shard?.index).find(isTwice) ?? [];
  if (again !== undefined)
    throw new UserError(`shard ${again} was measured twice and both runs are given; remove one of them`);
}

/** Each machine asked the routes of its own cases. @type {(runs: Run[]) => Run['touched']} */
function joinTouched(runs) {
  const all = runs.flatMap(({ touched }) => touched ?? []);
  const once = (/** @type {unknown[]} */ rows) =>
    new Map(rows.map((row) => [JSON.stringify(row), row])).values();
  const seconds = max(all, (each) => each.seconds);
  const joined = {
    seconds,
    routes: [...once(all.flatMap(({ routes }) => routes))],
    reasons: [...once(all.flatMap(({ reasons }) => reasons))],
  };
  return all.length > 0 ? /** @type {Run['touched']} */ (joined) : undefined;
}

/** What machines that left no results should have measured. @type {(runs: Run[]) => Warning[]} */
function lostShards(runs) {
  const shard = runs[0]?.shard;
  if (!shard) return [];
  const here = new Set(runs.flatMap((run) => run.shard?.index ?? []));
  const lost = range(1, shard.of + 1).filter((index) => !here.has(index));
  const measured = new Set(runs.flatMap(({ cases }) => cases.map(({ id }) => id)));
  const cases = shard.cases.filter((id) => !measured.has(id));
  if (lost.length === 0 || cases.length === 0) return [];
  return [{ code: 'shards-missing', shards: lost, of: shard.of, cases }];
}

/** @type {(run: Run) => RunCase[]} */
function taggedCases({ shard, cases, looks }) {
  if (!shard) return cases;
  return cases.map((runCase) => ({
    ...runCase,
    ...(looks && { looks }),
    trials: runCase.trials.map((trial) => ({ ...trial, block: shard.index })),
  }));
}

/** The reference, which `order` lacks, comes first. @type {(all: RunCase[], order: string[]) => RunCase[]} */
function joinCases(all, order) {
  const joined = groups(all, ({ id }) => id).sort(([a], [b]) => order.indexOf(a) - order.indexOf(b));
  return joined.map(([, parts]) => {
    const { summary: _outdated, ...runCase } = /** @type {RunCase} */ (parts[0]);
    const trials = parts.flatMap((part) => part.trials).sort((a, b) => a.round - b.round);
    const summary = summarize(trials, runCase);
    return { ...runCase, trials, ...(summary && { summary }) };
  });
}
