/**
 * Several loads in turn, in slices so short that a machine's moments hit all of them alike. Each keeps its connections open. While it
 * is not its turn it sends nothing, and its last answers have arrived before the next one's turn begins.
 */

import { setTimeout as sleep } from 'node:timers/promises';

const SLICE_MS = 20;
/** A slice lasts so many times as long as last answers are waited for. */
const WAITS = 10;
/** Of a window; fewer would differ by more than moments do. */
const LEAST_SLICES = 4;
/** Node closes a connection that is idle for five seconds, and autocannon gives one up that is for ten. */
const LONGEST_CYCLE_MS = 4000;

/**
 * What is used of autocannon's client (lib/httpClient.js): `_doRequest` sends the next request, after an answer and on a new connection.
 * @typedef {import('node:events').EventEmitter & { _doRequest: () => void }} Client
 *
 * What came of a load in its own slices. clientSeconds: CPU of this process; perSecond: in each whole second of them.
 * @typedef {{ seconds: number, clientSeconds: number, perSecond: { requests: number, bytes: number }[], endedAt: number }} Strand
 */

/**
 * @param {{ connections: number, pipelining: number, seconds: number, start: (setupClient: (client: Client) => void) =>
 *   { stop: () => void, on: (event: 'response', count: (client: unknown, status: number, bytes: number) => void) => unknown } }[]} loads
 *   seconds: how long each is loaded at least; start: begins it, and is given what holds it back
 * @returns {Promise<Strand[]>} when all are stopped
 */
export async function weave(loads) {
  const strands = loads.map((load) => startStrand(load));
  const shortest = Math.min(...loads.map(({ seconds }) => seconds));
  const patienceMs = LONGEST_CYCLE_MS / strands.length / 2;
  const longestMs = Math.min(patienceMs, (shortest * 1000) / LEAST_SLICES);
  let sliceMs = SLICE_MS;
  // Meanwhile all of them connect.
  await sleep(SLICE_MS);
  while (strands.some(({ told }, place) => told.seconds < (loads[place]?.seconds ?? 0))) {
    // There and back, so that what rises or falls steadily hits all alike.
    const turns = [...strands, ...strands.toReversed()];
    let waitedMs = 0;
    for (const strand of turns) waitedMs += await strand.slice(sliceMs, patienceMs);
    sliceMs = Math.min(longestMs, Math.max(SLICE_MS, (WAITS * waitedMs) / turns.length));
  }
  for (const { stop } of strands) stop();
  return strands.map(({ told }) => told);
}

/** @param {Parameters<typeof weave>[0][number]} load */
function startStrand({ connections, pipelining, start }) {
  const gate = makeGate(connections, pipelining);
  const running = start(gate.hold);
  const counted = { requests: 0, bytes: 0 };
  running.on('response', (_client, _status, bytes) => {
    counted.requests++;
    counted.bytes += bytes;
  });
  /** @type {Strand} */
  const told = { seconds: 0, clientSeconds: 0, perSecond: [], endedAt: 0 };
  let since = { seconds: 0, ...counted };
  return {
    told,
    stop: running.stop,
    /**
     * @param {number} ms
     * @param {number} patienceMs with last answers
     * @returns {Promise<number>} how long it waited for the last answers, in milliseconds
     */
    async slice(ms, patienceMs) {
      const before = { at: performance.now(), cpu: process.cpuUsage() };
      gate.open();
      await sleep(ms);
      const closedAt = performance.now();
      await gate.close(patienceMs);
      const now = performance.now();
      const { user, system } = process.cpuUsage(before.cpu);
      told.endedAt = now;
      told.seconds += (now - before.at) / 1000;
      told.clientSeconds += (user + system) / 1e6;
      const seconds = told.seconds - since.seconds;
      if (seconds >= 1) {
        const rate = (/** @type {'requests' | 'bytes'} */ of) => (counted[of] - since[of]) / seconds;
        told.perSecond.push({ requests: rate('requests'), bytes: rate('bytes') });
        since = { seconds: told.seconds, ...counted };
      }
      return now - closedAt;
    },
  };
}

/**
 * Holds back the requests of a load while it is closed.
 * @param {number} connections
 * @param {number} pipelining
 */
function makeGate(connections, pipelining) {
  /** @type {{ send: () => void, held: number }[]} */
  const clients = [];
  let held = 0;
  let isOpen = false;
  let rest = () => {};
  return {
    /** @param {Client} client */
    hold(client) {
      const own = { send: client._doRequest.bind(client), held: 0 };
      clients.push(own);
      client._doRequest = () => {
        if (isOpen) return own.send();
        // A new connection asks again for all of its own.
        if (own.held === pipelining) return;
        own.held++;
        held++;
        if (held === connections * pipelining) rest();
      };
    },
    open() {
      isOpen = true;
      held = 0;
      for (const own of clients) for (; own.held > 0; own.held--) own.send();
    },
    /**
     * @param {number} patienceMs
     * @returns {Promise<void>} when every request is answered, or after that time
     */
    close(patienceMs) {
      isOpen = false;
      return new Promise((resolve) => {
        const timer = setTimeout(resolve, patienceMs);
        rest = () => {
          clearTimeout(timer);
          resolve();
        };
        if (held === connections * pipelining) rest();
      });
    },
  };
}
