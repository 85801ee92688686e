/**
 * Run files, ours and other programs', and comparisons of them.
 * @import { Comparison, LatencyMs, Load, Run, RunCase, Trial } from '../types.js'
 */

import { pairs, sum } from 'd3-array';
import { join } from 'node:path';
import { UserError } from '../model/errors.js';
import { PERCENTILES } from '../samples/latencies.js';
import { summarize } from '../samples/summary.js';
import { kindOf, readJson, writeJson } from './json-file.js';

/**
 * The schema lets other programs leave out what follows from the rest.
 * @typedef {Omit<Trial, 'round'> & { round?: number }} StoredTrial
 * @typedef {Partial<RunCase> & { id: string, load: Partial<Load>, trials: StoredTrial[] }} StoredCase
 * @typedef {Omit<Run, 'cases' | 'session' | 'finishedAt'> &
 *   { session?: string, finishedAt?: string, cases: StoredCase[] }} StoredRun
 */

/** @type {import('./json-file.js').Kind<StoredRun>} */
const KIND = kindOf('run.schema.json', '`perf-action run` makes a run file');
/** @type {import('./json-file.js').Kind<Comparison>} */
const COMPARISON = kindOf('comparison.schema.json', '`perf-action compare --json` makes a comparison file', [
  'run.schema.json',
]);

/**
 * @type {(file: string, bounds?: import('./json-file.js').Bounds) => Promise<Run>}
 * @throws {UserError} see `readJson`; also where percentiles do not rise
 */
export async function readRun(file, bounds) {
  const run = await readJson(file, KIND, bounds);
  const isFalling = (/** @type {LatencyMs} */ latencyMs) =>
    pairs(PERCENTILES.flatMap(([name]) => latencyMs[name] ?? [])).some(([lower, higher]) => higher < lower);
  const disordered = run.cases.find(({ trials, summary }) =>
    [summary, ...trials.flatMap(({ windows }) => windows)].some((part) => isFalling(part?.latencyMs ?? {})),
  );
  if (disordered)
    throw new UserError(
      `${file}: ${disordered.id}: its latency percentiles do not rise (p50 above p99, for instance); ${KIND.make}`,
    );
  return {
    ...run,
    session: run.session ?? run.id,
    finishedAt: run.finishedAt ?? run.startedAt,
    cases: run.cases.map(completeCase),
  };
}

/** See `writeText`. @type {(dir: string, run: Run, name?: string) => Promise<void>} */
export function writeRun(dir, run, name = 'run.json') {
  return writeJson(join(dir, name), run);
}

/** @type {(stored: StoredCase) => RunCase} */
function completeCase(stored) {
  const { id, server = id, serverName = server, route = '/', instances = 1 } = stored;
  const [path = '/', method = 'GET'] = route.split(' ').reverse();
  const { durationSeconds = sum(stored.trials[0]?.windows ?? [], ({ seconds }) => seconds), ...otherLoad } =
    stored.load;
  const load = /** @type {Load} */ ({ durationSeconds, ...otherLoad });
  const trials = stored.trials.map((trial, index) => ({ ...trial, round: trial.round ?? index }));
  // Every figure is of one definition, whichever version or program wrote the file.
  const summary = summarize(trials, { ...stored, load });
  return {
    request: { method, path, headers: {} },
    ...stored,
    ...{ server, serverName, route, instances, load, trials },
    ...(summary && { summary: { ...stored.summary, ...summary } }),
  };
}

/** See `readJson`. @type {(file: string, bounds?: import('./json-file.js').Bounds) => Promise<Comparison>} */
export function readComparison(file, bounds) {
  return readJson(file, COMPARISON, bounds);
}
