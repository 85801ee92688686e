/** @import { Client } from './autocannon-lost.js' */

/**
 * Open loop: each connection has instants at which its requests are due, evenly spread. autocannon's own rate sends a second's
 * requests in one burst, and corrects for coordinated omission in steps of 1 ms whatever the rate (9.0.0, lib/run.js).
 *
 * A request that had to wait for the previous answer of its connection includes this wait in its latency (Gil Tene, "How NOT to
 * Measure Latency"; wrk2 does the same). The delay of a timer does not count.
 * @param {{ connections: number, rate: number, record: (ms: number) => void }} load rate: requests a second over all connections
 * @returns {(client: Client) => void} autocannon's `setupClient`
 */
export function pace({ connections, rate, record }) {
  const intervalMs = (1000 * connections) / rate;
  const startedAt = performance.now();
  let clients = 0;
  return (client) => {
    const send = client._doRequest;
    let dueAt = startedAt + (intervalMs * clients++) / connections;
    let waitedMs = 0;
    /** @type {NodeJS.Timeout | undefined} */
    let timer;
    const sendAfter = (/** @type {number} */ waited) => {
      waitedMs = waited;
      dueAt += intervalMs;
      send.call(client);
    };
    client._doRequest = () => {
      clearTimeout(timer);
      const aheadMs = dueAt - performance.now();
      if (aheadMs > 0) timer = setTimeout(sendAfter, aheadMs, 0);
      else sendAfter(-aheadMs);
    };
    client.on('response', (_status, _bytes, ms) => record(ms + waitedMs));
    client.on('done', () => clearTimeout(timer));
  };
}
