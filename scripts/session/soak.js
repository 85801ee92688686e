/**
 * Soaks one server: loads it with pauses for minutes, and judges whether its memory grows.
 * @import { Case, FailOn, MemoryReading, Run, Soak } from '../types.js'
 * @import { Surroundings } from './session.js'
 * @import { Asked } from './repro-command.js'
 * @import { Schedule } from '../run/soak.js'
 */

import { join, resolve } from 'node:path';
import { DEFAULT_RUNTIME } from '../deploy/runtimes.js';
import { judgeLeak, LEAST_GROWTH } from '../judge/leak.js';
import { MeasureError, UserError } from '../model/errors.js';
import { onlyCase } from '../plan/relevant.js';
import { renderReport } from '../report/render/markdown.js';
import { soakMarkdown } from '../report/soak.js';
import { soaking } from '../run/soak.js';
import { writeText } from '../store/json-file.js';
import { writeSoak } from '../store/soak-file.js';
import { readRunConfig } from './config.js';
import { failureIn } from './failure.js';
import { holdSession } from './session.js';

/** Verdicts that make the exit code 1. @type {Record<FailOn, Soak['verdict'][]>} */
const FAILS = { regressed: ['leaks'], unsure: ['leaks', 'unsure'], never: [] };

/**
 * The first case alone is measured. Results go to the folder `soak` in the results folder.
 * @param {Asked} options of `run`, as they were given
 * @param {{ schedule: Schedule, least?: number, hold?: typeof holdSession } & Surroundings} surroundings least: the growth in bytes an hour
 *   that counts as none; hold: measures
 * @returns {Promise<{ soak: Soak, run: Run, out: string, code: number }>} out: the folder; code: the exit code, 3 where the server
 *   failed before the end
 * @throws {UserError} for a server that does not run on Node, or whose memory was never read
 * @throws {MeasureError} why there is no reading at all
 */
export async function soak(options, { schedule, least = LEAST_GROWTH, hold = holdSession, ...surroundings }) {
  const { cwd, stderr, signal } = surroundings;
  const alone = { ...options, reference: 'off', explain: 'false', against: 'off', rounds: '1' };
  const config = readRunConfig(alone, cwd);
  const [wanted] = config.cases;
  const server = config.servers.find(({ id }) => id === wanted?.server);
  if (!wanted || server?.runtime !== DEFAULT_RUNTIME)
    throw new UserError(
      `soak: memory is read in Node servers only, and ${server?.id} runs on ${server?.runtime}; name another one with --servers`,
    );
  const out = join(config.out, 'soak');
  /** @type {MemoryReading[]} */
  const readings = [];
  const total = schedule.cycles * (schedule.loadSeconds + schedule.restSeconds);
  const onReading = (/** @type {MemoryReading} */ reading) => {
    readings.push(reading);
    stderr.write(progressLine(reading, total));
  };
  const outcome = await hold(
    { ...alone, out },
    {
      ...surroundings,
      alter: ({ config: { budgetSeconds: _, ...all }, sides }) => {
        const { cases, ...rest } = onlyCase(all, wanted.id);
        return { config: { ...rest, cases: cases.map((planned) => soaked(planned, schedule)) }, sides };
      },
      instrument: () => soaking(schedule, { signal, onReading }),
    },
  );
  const { run } = outcome;
  if (readings.length === 0) {
    if (signal.aborted) throw new MeasureError('cancelled', 'before any memory was read');
    throw failureIn(run) ?? new UserError(`soak: no process of ${wanted.id} answered with its memory`);
  }
  /** @type {Soak} */
  const result = {
    schema: 'perf-action/soak@1',
    run: run.id,
    case: wanted.id,
    ...(run.language !== undefined && { language: run.language }),
    leastBytesPerHour: least,
    ...judgeLeak(readings, least),
    readings,
  };
  const folder = resolve(cwd, out);
  await writeSoak(folder, result);
  await writeText(join(folder, 'report.md'), `${soakMarkdown(result, run)}\n${renderReport(run, {})}`);
  const isWhole = outcome.code !== 3;
  return {
    soak: result,
    run,
    out,
    code: FAILS[config.failOn].includes(result.verdict) ? 1 : isWhole ? 0 : 3,
  };
}

/** @param {Case} planned @param {Schedule} schedule @returns {Case} without a warm-up: its first readings are that */
function soaked(planned, { cycles, loadSeconds }) {
  const { requests: _, ...load } = planned.load;
  return {
    ...planned,
    load: { ...load, warmupSeconds: 0, durationSeconds: cycles * loadSeconds, windows: cycles },
  };
}

/** @param {MemoryReading} reading @param {number} total seconds */
function progressLine({ at, requests, heapBytes, externalBytes }, total) {
  const megabytes = ((heapBytes + externalBytes) / 1e6).toFixed(1);
  return `${Math.round(at)} of ${Math.round(total)} s: ${requests.toLocaleString('en-US')} requests, ${megabytes} MB after collection\n`;
}
