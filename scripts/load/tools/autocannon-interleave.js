/**
 * Several loads alternate in slices so short that a machine's moments hit all of them alike. Each keeps its
 * connections open. While another one is loaded it sends nothing, and its last answers have arrived before
 * the next slice begins. One load alone is a single slice, which ends with its last answers, too: no request
 * is left to the server for the next window.
 * @import { Client } from './autocannon-lost.js'
 * @import { Gate } from './autocannon-gate.js'
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { mean } from 'd3-array';
import { SLICE_MS, sliceMsOf } from '../slices.js';
import { LAST_ANSWERS_SECONDS } from '../request.js';

const SAMPLE_SECONDS = 1;
/** Connections that open later do not open at all. */
const CONNECT_MS = 1000;
/** Timers may be a little early. */
const EARLY = 0.99;
/** No answer for so long, or for so many of the longest gaps between answers: the others do not come. */
const SILENCE = { leastMs: 1000, gaps: 2 };

/**
 * @typedef {object} Interleaved
 * @property {Gate} gate
 * @property {number} seconds how long it is loaded at least
 * @property {boolean} isPaced at a rate, autocannon sends nothing while the last answers arrive
 * @property {(hold: (client: Client) => void) => any} start starts autocannon, whose clients are held back
 */

/** autocannon's results, with the figures of each load's own slices. @param {Interleaved[]} loads */
export async function interleave(loads) {
  const sliced = loads.map(startSliced);
  const seconds = Math.min(...loads.map((load) => load.seconds));
  const isAlone = loads.length === 1;
  let sliceMs = isAlone ? seconds * 1000 : SLICE_MS;
  // Nothing is due, and no window's time passes, before the connections are open.
  const until = performance.now() + CONNECT_MS;
  do await sleep(SLICE_MS);
  while (performance.now() < until && !sliced.every(({ isConnected }) => isConnected()));
  while (sliced.some(({ totals }, index) => totals.sendingSeconds < (loads[index]?.seconds ?? 0))) {
    // There and back, so that a steady rise or fall hits all alike.
    const turns = isAlone ? sliced : [...sliced, ...sliced.toReversed()];
    let waitedMs = 0;
    for (const { slice } of turns) waitedMs += await slice(sliceMs);
    sliceMs = sliceMsOf({ loads: sliced.length, seconds, answerMs: waitedMs / turns.length });
  }
  for (const { running } of sliced) running.stop();
  return Promise.all(sliced.map(resultOf));
}

/** @param {ReturnType<typeof startSliced>} sliced that was stopped */
async function resultOf({ isPaced, totals, running }) {
  const result = await running;
  const { clientSeconds, perSecond, endedAt } = totals;
  const duration = isPaced ? totals.sendingSeconds : totals.seconds;
  const [requests, bytes] = [result.requests.total, result.throughput.total];
  const samples =
    perSecond.length > 0 ? perSecond : [{ requests: requests / duration, bytes: bytes / duration }];
  return {
    ...{ ...result, duration, clientSeconds, endedAt },
    requests: { total: requests, ...spreadOf(samples.map((sample) => sample.requests)) },
    throughput: { total: bytes, ...spreadOf(samples.map((sample) => sample.bytes)) },
  };
}

/** The figures that autocannon reports of its samples. @param {number[]} values at least one */
function spreadOf(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const rank = (/** @type {number} */ share) =>
    sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
  const average = mean(values) ?? 0;
  const stddev = Math.sqrt(mean(values, (value) => (value - average) ** 2) ?? 0);
  return {
    min: rank(0),
    p1: rank(0.01),
    p2_5: rank(0.025),
    p50: rank(0.5),
    p97_5: rank(0.975),
    max: rank(1),
    average,
    stddev,
  };
}

/** @param {Interleaved} load */
function startSliced({ gate, isPaced, start }) {
  /** @type {Client[]} */
  const clients = [];
  const running = start((client) => {
    clients.push(client);
    gate.hold(client);
  });
  const counted = { requests: 0, bytes: 0 };
  let [lastAt, gapMs] = [0, 0];
  const noteGap = () => {
    const now = performance.now();
    gapMs = Math.max(gapMs, now - lastAt);
    lastAt = now;
  };
  running.on('response', (/** @type {[Client, number, number]} */ ...[, , bytes]) => {
    counted.requests++;
    counted.bytes += bytes;
    noteGap();
  });
  const totals = {
    seconds: 0,
    /** Until its last slice sent no more. */
    sendingSeconds: 0,
    /** CPU of this process. */
    clientSeconds: 0,
    /** Rates of each whole second. */
    perSecond: /** @type {{ requests: number, bytes: number }[]} */ ([]),
    endedAt: 0,
  };
  let last = { seconds: 0, ...counted };
  const sample = (/** @type {number} */ now) => {
    const seconds = now - last.seconds;
    if (seconds < EARLY * SAMPLE_SECONDS) return;
    const [requests, bytes] = [counted.requests - last.requests, counted.bytes - last.bytes];
    totals.perSecond.push({ requests: requests / seconds, bytes: bytes / seconds });
    last = { seconds: now, ...counted };
  };
  /** Waits for last answers while they come. */
  const finish = async () => {
    const end = performance.now() + 1000 * LAST_ANSWERS_SECONDS;
    for (let seen = -1; seen < counted.requests && performance.now() < end;) {
      seen = counted.requests;
      noteGap();
      if (await gate.close(Math.min(end - lastAt, Math.max(SILENCE.leastMs, SILENCE.gaps * gapMs)))) return;
    }
  };
  /** Returns how many milliseconds it waited for last answers. @type {(ms: number) => Promise<number>} */
  const slice = async (ms) => {
    const [startedAt, cpu] = [performance.now(), process.cpuUsage()];
    const secondsAt = (/** @type {number} */ now) => before + (now - startedAt) / 1000;
    const before = totals.seconds;
    lastAt = startedAt;
    gate.open();
    for (let left = ms; left > 0; left = ms - (performance.now() - startedAt)) {
      await sleep(Math.min(Math.ceil(left), 1000 * SAMPLE_SECONDS));
      sample(secondsAt(performance.now()));
    }
    const closedAt = performance.now();
    totals.sendingSeconds = secondsAt(closedAt);
    await finish();
    totals.endedAt = performance.now();
    const { user, system } = process.cpuUsage(cpu);
    totals.seconds = secondsAt(totals.endedAt);
    totals.clientSeconds += (user + system) / 1e6;
    sample(totals.seconds);
    return totals.endedAt - closedAt;
  };
  const isConnected = () => clients.every(({ conn }) => !conn.connecting && !conn.secureConnecting);
  return { isPaced, isConnected, totals, slice, running };
}
