/** @import { Gate } from './autocannon-gate.js' */

import { quietness } from './autocannon-gate.js';

/**
 * Open loop: each connection has instants at which its requests are due, evenly spread. autocannon's own rate sends a second's
 * requests in one burst, and corrects for coordinated omission in steps of 1 ms whatever the rate (9.0.0, lib/run.js).
 *
 * A request that had to wait for the previous answer of its connection includes this wait in its latency (Gil Tene, "How NOT to
 * Measure Latency"; wrk2 does the same). The delay of a timer does not count. While the gate is closed and all is answered, time
 * stops: what would be due then is due later, and opening sends no burst.
 * @param {{ connections: number, rate: number, record: (ms: number) => void }} load rate: requests a second over all connections
 * @returns {Gate}
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
