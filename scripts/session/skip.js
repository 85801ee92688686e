/**
 * What a run leaves that has nothing to measure.
 * @import { Config, Run, Side } from '../types.js'
 */

import { describeMachine } from '../observe/machine.js';
import { SKIPPED } from '../store/skipped.js';

/**
 * @param {{ config: Config, sides: Side[], cases: string[] }} asked cases: of the other machines, where they measure some
 * @param {Pick<Run, 'session' | 'command'> & { runner: string | undefined, head: Run['revision'] | undefined }} facts
 *   head: what readers are told instead of the head's own
 * @returns {Run} without a case, and with the warning that tells why
 */
export function skippedRun({ config, sides, cases }, { session, command, runner, head }) {
  const base = sides[0]?.revision;
  const now = new Date().toISOString();
  const since = base?.sha === undefined ? '' : ` since commit ${base.sha.slice(0, 10)}`;
  const { title, seed, shard, profile, against } = config;
  return {
    schema: 'perf-action/run@1',
    ...{ id: session, session, startedAt: now, finishedAt: now, title, seed },
    ...(shard && { shard: { ...shard, cases } }),
    ...(profile !== undefined && { profile }),
    ...(against !== undefined && { against }),
    revision: { ...sides.at(-1)?.revision, ...head, label: 'head' },
    environment: describeMachine({ runtimes: {}, tools: {}, ...(runner !== undefined && { runner }) }),
    warnings: [{ code: SKIPPED, message: `no changed file affects a server${since}` }],
    ...(command !== undefined && { command }),
    cases: [],
  };
}
