/**
 * Several loads alternate in slices so short that a machine's moments hit all of them alike. Each keeps its connections open. While
 * another one is loaded it sends nothing, and its last answers have arrived before the next slice begins.
 * @import { Client } from './autocannon-lost.js'
 * @import { Gate } from './autocannon-gate.js'
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { longestSliceMs, SLICE_MS, sliceMsOf } from '../slices.js';

/**
 * @typedef {object} Interleaved
 * @property {Gate} gate
 * @property {number} seconds how long it is loaded at least
 * @property {(hold: (client: Client) => void) => any} start begins the load with autocannon, whose clients are held back
 */

/** @param {Interleaved[]} loads @returns what each did in its own slices, and autocannon's result */
export async function weave(loads) {
  const strands = loads.map(startStrand);
  const seconds = Math.min(...loads.map((load) => load.seconds));
  const patienceMs = longestSliceMs(strands.length);
  let sliceMs = SLICE_MS;
  // Meanwhile all of them connect.
  await sleep(SLICE_MS);
  while (strands.some(({ strand }, place) => strand.seconds < (loads[place]?.seconds ?? 0))) {
    // There and back, so that a steady rise or fall hits all alike.
    const turns = [...strands, ...strands.toReversed()];
    let waitedMs = 0;
    for (const { slice } of turns) waitedMs += await slice(sliceMs, patienceMs);
    sliceMs = sliceMsOf({ loads: strands.length, seconds, answerMs: waitedMs / turns.length });
  }
  for (const { running } of strands) running.stop();
  return Promise.all(strands.map(async ({ strand, running }) => ({ ...strand, result: await running })));
}

/** @param {Interleaved} load */
function startStrand({ gate, start }) {
  const running = start(gate.hold);
  const counted = { requests: 0, bytes: 0 };
  /** @param {unknown} _client @param {number} _status @param {number} bytes */
  const count = (_client, _status, bytes) => {
    counted.requests++;
    counted.bytes += bytes;
  };
  running.on('response', count);
  const strand = {
    seconds: 0,
    /** CPU of this process. */
    clientSeconds: 0,
    /** Rates of each whole second. */
    perSecond: /** @type {{ requests: number, bytes: number }[]} */ ([]),
    endedAt: 0,
  };
  let last = { seconds: 0, ...counted };
  /** @param {number} ms @param {number} patienceMs for last answers @returns how many milliseconds it waited for them */
  const slice = async (ms, patienceMs) => {
    const [startedAt, cpu] = [performance.now(), process.cpuUsage()];
    gate.open();
    await sleep(ms);
    const closedAt = performance.now();
    await gate.close(patienceMs);
    strand.endedAt = performance.now();
    const { user, system } = process.cpuUsage(cpu);
    strand.seconds += (strand.endedAt - startedAt) / 1000;
    strand.clientSeconds += (user + system) / 1e6;
    const seconds = strand.seconds - last.seconds;
    if (seconds >= 1) {
      const requests = (counted.requests - last.requests) / seconds;
      strand.perSecond.push({ requests, bytes: (counted.bytes - last.bytes) / seconds });
      last = { seconds: strand.seconds, ...counted };
    }
    return strand.endedAt - closedAt;
  };
  return { strand, slice, running };
}
