/**
 * Holds back the requests of a load while another one is loaded.
 * @import { Client } from './autocannon-lost.js'
 *
 * @typedef {object} Gate
 * @property {(client: Client) => void} hold
 * @property {() => void} open
 * @property {(patienceMs: number) => Promise<boolean>} close ends when every request is answered, or after that time; whether all are
 */

/**
 * Opening sends all requests that are held.
 * @param {number} capacity requests that can wait for an answer at once
 * @param {number} pipelining
 * @returns {Gate}
 */
export function makeGate(capacity, pipelining) {
  /** @type {{ send: () => void, held: number }[]} */
  const clients = [];
  let held = 0;
  let isOpen = false;
  const quiet = quietness(() => held === capacity);
  return {
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

/** Waits for the last answers. @param {() => boolean} isQuiet whether no request is under way */
export function quietness(isQuiet) {
  /** @type {(() => void) | undefined} */
  let onQuiet;
  const check = () => {
    if (onQuiet && isQuiet()) onQuiet();
  };
  return {
    check,
    /** @param {number} ms @returns {Promise<boolean>} whether it is quiet by then */
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
