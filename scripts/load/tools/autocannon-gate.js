/**
 * Gates hold back the requests of a load while another one is loaded: in a closed loop, or at a rate.
 * @import { Client } from './autocannon-lost.js'
 *
 * @typedef {object} Gate
 * @property {(client: Client) => void} hold
 * @property {() => void} open
 * @property {(patienceMs: number) => Promise<boolean>} close waits so long for all answers; true: all
 */

/**
 * Closed loop: opening sends all requests that are held.
 * @param {number} capacity requests that can wait for an answer at once
 * @param {number} pipelining
 * @param {() => boolean} [isEnough] whether nobody waits for the answers under way; `check` asks again
 * @returns {Gate & { check: () => void }}
 */
export function makeGate(capacity, pipelining, isEnough = () => false) {
  /** @type {{ send: () => void, held: number }[]} */
  const clients = [];
  let held = 0;
  let isOpen = false;
  const quiet = quietness(() => held === capacity || isEnough());
  return {
    check: quiet.check,
    hold(client) {
      const own = { send: client._doRequest.bind(client), held: 0 };
      clients.push(own);
      client._doRequest = () => {
        if (isOpen) return own.send();
        // A new connection asks again for all of its requests.
        if (own.held === pipelining) return;
        own.held++;
        held++;
        quiet.check();
      };
    },
    open() {
      isOpen = true;
      held = 0;
      for (const own of clients) for (; own.held > 0; own.held--) own.send();
    },
    close(patienceMs) {
      isOpen = false;
      return quiet.within(patienceMs);
    },
  };
}

/**
 * Open loop: each connection has instants at which its requests are due, evenly spread. autocannon's own rate
 * sends a second's requests in one burst, and corrects for coordinated omission in steps of 1 ms whatever the
 * rate (9.0.0, lib/run.js).
 *
 * A request that had to wait for the previous answer of its connection includes this wait in its latency (Gil
 * Tene, "How NOT to Measure Latency"; wrk2 does the same). The delay of a timer does not count. While the
 * gate is closed and all is answered, time stops: what would be due then is due later, and opening sends no
 * burst. rate: requests a second over all connections.
 * @type {(load: { connections: number, rate: number, record: (ms: number) => void }) => Gate}
 */
export function pace({ connections, rate, record }) {
  const intervalMs = (1000 * connections) / rate;
  /** @type {{ sendWhenDue: () => void, isWaiting: boolean }[]} */
  const clients = [];
  const quiet = quietness(() => clients.every(({ isWaiting }) => isWaiting));
  let isOpen = false;
  let passedMs = 0;
  /** Undefined while time has stopped. @type {number | undefined} */
  let startedAt;
  const now = () => passedMs + (startedAt === undefined ? 0 : performance.now() - startedAt);
  return {
    hold(client) {
      const send = client._doRequest;
      let dueAt = (intervalMs * clients.length) / connections;
      let waitedMs = 0;
      /** @type {NodeJS.Timeout | undefined} */
      let timer;
      const sendAfter = (/** @type {number} */ waited) => {
        if (!isOpen) return;
        own.isWaiting = false;
        waitedMs = waited;
        dueAt += intervalMs;
        send.call(client);
      };
      const own = {
        isWaiting: false,
        sendWhenDue() {
          clearTimeout(timer);
          const aheadMs = dueAt - now();
          if (aheadMs > 0) timer = setTimeout(sendAfter, aheadMs, 0);
          else sendAfter(-aheadMs);
        },
      };
      clients.push(own);
      client._doRequest = () => {
        own.isWaiting = true;
        own.sendWhenDue();
        quiet.check();
      };
      client.on('response', (_status, _bytes, ms) => record(ms + waitedMs));
      client.on('done', () => clearTimeout(timer));
    },
    open() {
      isOpen = true;
      startedAt ??= performance.now();
      for (const own of clients) if (own.isWaiting) own.sendWhenDue();
    },
    async close(patienceMs) {
      isOpen = false;
      const isQuiet = await quiet.within(patienceMs);
      passedMs = now();
      startedAt = undefined;
      return isQuiet;
    },
  };
}

/** Waits for the last answers. @param {() => boolean} isQuiet whether no request is under way */
function quietness(isQuiet) {
  /** @type {(() => void) | undefined} */
  let onQuiet;
  const check = () => {
    if (onQuiet && isQuiet()) onQuiet();
  };
  return {
    check,
    /** Whether it is quiet by then. @type {(ms: number) => Promise<boolean>} */
    within(ms) {
      return new Promise((resolve) => {
        const end = (/** @type {boolean} */ isQuietNow) => {
          clearTimeout(timer);
          onQuiet = undefined;
          resolve(isQuietNow);
        };
        const timer = setTimeout(end, ms, false);
        onQuiet = () => end(true);
        check();
      });
    },
  };
}
