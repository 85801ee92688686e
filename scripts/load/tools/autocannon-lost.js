/** Requests that autocannon loses without a word: whose connection the server closed, and those that are never answered. */

/**
 * What is used of autocannon's client (lib/httpClient.js): `_connect` opens its next connection, `_doRequest` sends the next request.
 * @typedef {import('node:events').EventEmitter & { _connect: () => void, _doRequest: () => void }} Client
 */

/** As a share of the window, and as a multiple of the mean answer. */
const STALLED = { window: 0.5, answers: 3 };

export function countLost() {
  /** asked, answered: on its present connection. @type {{ asked: number, answered: number, sentAt: number }[]} */
  const connections = [];
  let resets = 0;
  return {
    /** @param {Client} client */
    watch(client) {
      const own = { asked: 0, answered: 0, sentAt: 0 };
      connections.push(own);
      const connect = client._connect.bind(client);
      const send = client._doRequest.bind(client);
      // What autocannon itself counts.
      let isCounted = false;
      client._connect = () => {
        // A server that closes after an answer may have announced it; only who closes before any lost something for sure.
        if (own.answered === 0 && !isCounted) resets += own.asked;
        Object.assign(own, { asked: 0, answered: 0 });
        isCounted = false;
        connect();
      };
      client._doRequest = () => {
        own.asked++;
        own.sentAt = performance.now();
        send();
      };
      client.on('response', () => own.answered++);
      for (const event of ['connError', 'timeout']) client.on(event, () => (isCounted = true));
    },
    /**
     * @param {{ seconds: number, meanMs: number, now: number }} window meanMs: of the answers; now: when it ended
     * @returns {{ resets: number, stalls: number }} stalls: requests that have waited for most of the window when it ends
     */
    count({ seconds, meanMs, now }) {
      const leastMs = Math.max(STALLED.window * seconds * 1000, STALLED.answers * meanMs);
      const stalled = connections.filter(
        ({ asked, answered, sentAt }) => asked > answered && now - sentAt >= leastMs,
      );
      return { resets, stalls: stalled.reduce((sum, { asked, answered }) => sum + asked - answered, 0) };
    },
  };
}
