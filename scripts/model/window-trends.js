/**
 * What the windows of a server say beyond their figures: that its answers wait rather than work, and that a
 * request costs more the longer it is loaded.
 * @import { Load, Trial, Window } from '../types.js'
 */

import { mean, sum } from 'd3-array';
import { areDisturbed } from './interference.js';

/** A closed loop keeps a core busy, of server or client, unless all answers wait for something else. */
const IDLE_CORES = 0.7;
/** Shorter waits are those of the kernel, on connections that are few. */
const WAIT_SECONDS = 0.01;
/** Of a window over the one before. Neighbours usually differ by 2 %, and fall as often as they rise. */
const RISE = 0.05;
/** As four rounds of two windows have. No recording in test/data/noise rises so often by so much. */
const RISES = 4;

/**
 * Returns figures of a request whose answer mostly waits for a timer, another machine or a delayed
 * acknowledgement. cpuSeconds: of the server, its proxy and its services.
 * @type {(trials: Trial[], load: Partial<Load>) => { answerSeconds: number, cpuSeconds: number } | undefined}
 */
export function waitsMostly(trials, { rate, script }) {
  const windows = trials.flatMap((trial) => (trial.failure ? [] : trial.windows));
  const isCounted = windows.every(
    ({ cpu, latencyMs, errors = {} }) =>
      cpu && latencyMs?.avg !== undefined && sum(Object.values(errors)) === 0,
  );
  if (rate !== undefined || script !== undefined || !isCounted || areDisturbed(trials)) return undefined;
  const total = (/** @type {(window: Window) => number | undefined} */ read) => sum(windows, read);
  const requests = total((window) => window.requests);
  const answerSeconds =
    total((window) => (window.requests * Number(window.latencyMs?.avg)) / 1000) / requests;
  const server = total(({ cpu }) => sum([cpu?.serverSeconds, cpu?.proxySeconds, cpu?.servicesSeconds]));
  const cores = (server + total(({ cpu }) => cpu?.clientSeconds)) / total(({ seconds }) => seconds);
  const cpuSeconds = server / requests;
  return cores < IDLE_CORES && answerSeconds - cpuSeconds > WAIT_SECONDS
    ? { answerSeconds, cpuSeconds }
    : undefined;
}

/**
 * How much more a request costs in each window than in the one before, where that is so in every start.
 * @type {(trials: Trial[]) => { pct: number, starts: number } | undefined}
 */
export function risingCost(trials) {
  const starts = trials.filter(({ failure }) => !failure).map(({ windows }) => logCosts(windows));
  const rises = starts.flatMap((costs) => costs.slice(1).map((cost, place) => cost - Number(costs[place])));
  const perStart = starts.map((costs) => (Number(costs.at(-1)) - Number(costs[0])) / (costs.length - 1));
  const isEvery = rises.every((rise) => rise > 0) && perStart.every((rise) => rise > Math.log1p(RISE));
  return rises.length >= RISES && isEvery
    ? { pct: 100 * Math.expm1(Number(mean(perStart))), starts: starts.length }
    : undefined;
}

/** Logarithms of the CPU seconds of a request, in order of time. @type {(windows: Window[]) => number[]} */
function logCosts(windows) {
  return windows
    .toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0))
    .flatMap(({ cpu, requests }) => (cpu?.serverSeconds ? Math.log(cpu.serverSeconds / requests) : []));
}
