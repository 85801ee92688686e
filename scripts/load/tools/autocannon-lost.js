/** Counts what autocannon loses silently: requests never answered, or on connections that servers close. */

/** Errors of a connection that was open before. */
const BROKEN = new Set(['ECONNRESET', 'EPIPE']);

/**
 * The parts of autocannon's client (lib/httpClient.js) that are used: `_connect` opens its next connection,
 * `_doRequest` sends the next request, after an answer and on a new connection; `_destroyConnection` gives a
 * connection up, after a timeout and in the end. `conn` is its socket, `parser` http-parser-js,
 * `pipelinedRequests` what waits for its answer.
 * @typedef {import('node:events').EventEmitter & Parts &
 *   Record<'_connect' | '_doRequest' | '_destroyConnection', () => void>} Client
 * @typedef {object} Parts
 * @property {{ connecting: boolean, secureConnecting?: boolean }} conn
 * @property {{ isChunked: boolean, body_bytes: number | null }} parser
 * @property {{ addBody: (piece: Buffer) => void, peek: () => { bytes: number } | undefined }}
 *   pipelinedRequests
 */

export function countLost() {
  /** Counts are of the present connection. @type {{ asked: number, answered: number, sentAt: number }[]} */
  const connections = [];
  let resets = 0;
  let broken = 0;
  return {
    /** @param {Client} client */
    watch(client) {
      const own = { asked: 0, answered: 0, sentAt: 0 };
      connections.push(own);
      const connect = client._connect.bind(client);
      const send = client._doRequest.bind(client);
      const giveUp = client._destroyConnection.bind(client);
      let isCounted = false;
      let isLast = false;
      client._connect = () => {
        if (!isCounted) resets += own.asked - own.answered;
        Object.assign(own, { asked: 0, answered: 0 });
        isCounted = false;
        connect();
      };
      client._doRequest = () => {
        own.asked++;
        own.sentAt = performance.now();
        send();
      };
      client.on('headers', ({ shouldKeepAlive }) => (isLast = !shouldKeepAlive));
      client.on('response', () => {
        own.answered++;
        // What was asked behind the last answer of a connection is asked again on the next.
        if (isLast) own.asked = own.answered;
      });
      // A timeout, which autocannon counts; its event comes after the next connection.
      client._destroyConnection = () => {
        isCounted = true;
        giveUp();
      };
      client.on('connError', ({ code }) => {
        if (BROKEN.has(code)) broken++;
        else isCounted = true;
      });
    },
    /**
     * broken: autocannon's connection errors that are resets; unansweredMs: how long each request without an
     * answer has waited when the window ends, `now`.
     * @type {(now: number) => { resets: number, broken: number, unansweredMs: number[] }}
     */
    count(now) {
      const unansweredMs = connections.flatMap(({ asked, answered, sentAt }) =>
        Array(asked - answered).fill(now - sentAt),
      );
      return { resets, broken, unansweredMs };
    },
  };
}
