/**
 * Records boots on this machine: two servers and a copy of each that does some more work a request, in shuffled rounds.
 * @import { Config, Server, Trial, Window } from '../../scripts/types.js'
 * @import { Boot, RecordedWindow } from './recordings.js'
 */

import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UserError } from '../../scripts/errors.js';
import { requireTools } from '../../scripts/load/load.js';
import { readConfig } from '../../scripts/plan/config.js';
import { makePlan } from '../../scripts/plan/plan.js';
import { conduct } from '../../scripts/run/conduct.js';
import { realMeans } from '../../scripts/run/means.js';
import { progressOn } from '../../scripts/run/progress.js';
import { cpuPerRequestUs } from '../../scripts/store/summary.js';
import { stepsPerUs } from './work.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PRELOAD = new URL('./preload.js', import.meta.url);

/** As the stored recordings were made. */
const LOAD = { tool: 'wrk', connections: '64', warmup: '1s', duration: '3s', windows: '3', routes: '/json' };
const SERVERS = 'fastify,express';
/** A server that is slower by this share of its throughput spends 1 / (1 - share) as much on a request. */
const SLOWER = 0.05;
/** Boots of each server that the work is measured out by. */
const GAUGED = 3;

/** @typedef {{ signal: AbortSignal, stderr: typeof process.stderr, onTrial?: (boot: Boot) => void }} Context */

/**
 * Every boot is written when it is done, so that whatever ends the recording leaves what there is.
 * @param {string} file
 * @param {{ minutes: number, seed: number, signal: AbortSignal, stderr: typeof process.stderr }} options
 * @returns {Promise<number>} boots that were recorded
 * @throws {UserError} where the load tool is not installed or a server cannot be measured
 */
export async function record(file, { minutes, seed, signal, stderr }) {
  await requireTools([LOAD.tool]);
  const endsAt = performance.now() + minutes * 60_000;
  const { rounds: _, ...config } = readConfig({
    options: { servers: SERVERS, ...LOAD },
    cwd: ROOT,
    root: ROOT,
    seed,
  });
  const servers = config.servers.map((server) => withWork(server, 0));
  const spent = await gauge({ ...config, servers }, { signal, stderr });
  if (signal.aborted) return 0;
  const perUs = stepsPerUs();
  const slowed = servers.map((server) => {
    const us = (spent.get(server.id) ?? 0) * (1 / (1 - SLOWER) - 1);
    const copy = { ...server, id: `${server.id}-${100 * SLOWER}` };
    return withWork(copy, Math.round(us * perUs));
  });
  mkdirSync(dirname(file), { recursive: true });
  let recorded = 0;
  const budgetSeconds = (endsAt - performance.now()) / 1000;
  await boots(
    { ...config, servers: [...servers, ...slowed], budgetSeconds },
    {
      ...{ signal, stderr },
      onTrial: (boot) => {
        appendFileSync(file, `${JSON.stringify(boot)}\n`);
        recorded++;
      },
    },
  );
  return recorded;
}

/**
 * @param {Server} server
 * @param {number} steps of work a request
 * @returns {Server}
 */
function withWork(server, steps) {
  const env = { ...server.env, NODE_OPTIONS: `--import=${PRELOAD}`, EXTRA_WORK: String(steps) };
  return { ...server, env };
}

/**
 * @param {Config} config
 * @param {Context} context
 * @returns {Promise<Map<string, number>>} µs of CPU a request, by server: the median boot's
 */
async function gauge(config, context) {
  const trials = await boots({ ...config, rounds: GAUGED }, context);
  return new Map(
    [...trials].map(([id, all]) => {
      const sorted = all.flatMap((trial) => cpuPerRequestUs(trial) ?? []).sort((a, b) => a - b);
      const median = sorted[Math.floor(sorted.length / 2)];
      if (median === undefined && !context.signal.aborted)
        throw new UserError(`${id}: ${all[0]?.failure?.message ?? 'CPU a request cannot be measured here'}`);
      return [id, median ?? 0];
    }),
  );
}

/**
 * @param {Config} config
 * @param {Context} context
 * @returns {Promise<Map<string, Trial[]>>} by server
 */
async function boots(config, { signal, stderr, onTrial }) {
  const { reference: _, ...rest } = config;
  const [route = ''] = config.routes;
  const matrix = config.servers.flatMap(({ id }) =>
    config.loads.map((load) => ({ server: id, route, load })),
  );
  const plan = makePlan({ ...rest, matrix });
  const progress = progressOn(stderr, ['']);
  let startedAt = 0;
  const {
    trials: [trials = []],
  } = await conduct(plan, {
    signal,
    now: () => performance.now(),
    env: process.env,
    means: realMeans(),
    services: [],
    onProgress: (event) => {
      progress.show(event);
      if (event.type === 'start') startedAt = Date.now();
      if (event.type !== 'trial' || event.trial.failure) return;
      const { round, windows } = event.trial;
      onTrial?.({
        ...{ label: 'live', round, variant: event.case.server, at: startedAt },
        windows: windows.map(recorded),
      });
    },
    onMeasured: async () => {},
  });
  progress.end();
  return new Map(plan.cases.map(({ server }, index) => [server, trials[index] ?? []]));
}

/**
 * @param {Window} window
 * @returns {RecordedWindow}
 */
function recorded({ seconds, requests, latencyMs, cpu }) {
  const us = (/** @type {number} */ cpuSeconds) => Number(((1e6 * cpuSeconds) / requests).toFixed(3));
  return {
    rps: Number((requests / seconds).toFixed(2)),
    p50: latencyMs?.p50 ?? Number.NaN,
    p99: latencyMs?.p99 ?? Number.NaN,
    cpu_us: us(cpu?.serverSeconds ?? Number.NaN),
    client_cpu_us: us(cpu?.clientSeconds ?? Number.NaN),
    foreign: cpu?.foreignShare ?? Number.NaN,
    steal: cpu?.stealShare ?? Number.NaN,
  };
}
