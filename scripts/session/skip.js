/**
 * What a run leaves that has nothing to measure.
 * @import { Config, Run, Side } from '../types.js'
 */

import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describeMachine } from '../observe/machine.js';
import { readRun } from '../store/run-file.js';
import { isSkipped, SKIPPED } from '../store/skipped.js';

/** Where the last results stay that were measured. */
const EARLIER = 'earlier';

const RESULTS = [
  ...['run.json', 'base/run.json', 'comparison.json'],
  ...['report.md', 'report.html', 'badge.json'],
];

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
    warnings: [{ code: SKIPPED, message: `nothing relevant changed${since}` }],
    ...(command !== undefined && { command }),
    cases: [],
  };
}

/**
 * What was measured last is not lost to a run that measures nothing.
 * @param {string} out the folder of results
 * @returns {Promise<string | undefined>} the folder that it is in now; undefined where there was none
 */
export async function setAside(out) {
  const left = RESULTS.filter((name) => existsSync(join(out, name)));
  const run = left.includes('run.json') && (await readRun(join(out, 'run.json')).catch(() => undefined));
  if (left.length === 0 || (run && isSkipped(run))) return undefined;
  await mkdir(join(out, EARLIER, 'base'), { recursive: true });
  for (const name of RESULTS) {
    const kept = join(out, EARLIER, name);
    await (left.includes(name) ? rename(join(out, name), kept) : rm(kept, { force: true }));
  }
  return join(out, EARLIER);
}
