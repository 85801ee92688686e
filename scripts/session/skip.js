/** @import { Config, Run, Side } from '../types.js' */

import { describeMachine } from '../observe/machine.js';
import { makePlan } from '../plan/plan.js';
import { shardCount } from '../plan/shard.js';
import { SKIPPED } from '../store/skipped.js';

/**
 * No changed file affects a server; or this shard is one of more machines than the affected servers need.
 * @param {Config} config @param {Config} asked @param {Side[]} sides
 */
export function hasNothingToDo({ shard, ...config }, asked, sides) {
  if (config.servers.length === 0) return true;
  if (!shard || config.servers.length === asked.servers.length) return false;
  return shard.index > shardCount(makePlan(config, sides), shard.of);
}

/**
 * @param {Config} config
 * @param {Side[]} sides
 * @param {Pick<Run, 'session' | 'command'> & { runner: string | undefined, head: Run['revision'] | undefined }} facts
 *   head: overrides the head's own revision
 * @returns {Run} without cases, and with the warning that says why
 */
export function skippedRun(config, sides, { session, command, runner, head }) {
  const base = sides[0]?.revision;
  const now = new Date().toISOString();
  const { title, language, seed, shard, preset, against } = config;
  // Other machines may measure some cases.
  const cases = config.cases.map(({ id }) => id);
  return {
    schema: 'perf-action/run@1',
    id: session,
    session,
    startedAt: now,
    finishedAt: now,
    title,
    seed,
    ...(shard && { shard: { ...shard, cases } }),
    ...(language !== undefined && { language }),
    ...(preset !== undefined && { preset }),
    ...(against !== undefined && { against }),
    revision: { ...sides.at(-1)?.revision, ...head, label: 'head' },
    environment: describeMachine({ runtimes: {}, tools: {}, ...(runner !== undefined && { runner }) }),
    warnings: [{ code: SKIPPED, ...(base?.sha !== undefined && { since: base.sha }) }],
    ...(command !== undefined && { command }),
    cases: [],
  };
}
