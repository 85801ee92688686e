/**
 * Whether a service that runs already does what it is there for: servers that wait for it in vain cannot tell why.
 */

import { once } from 'node:events';
import { connect } from 'node:net';
import { COMPANIONS } from '../services.js';

const ANSWER_SECONDS = 5;

/**
 * Only what is certain is told: an address that cannot be read here, or a host that only the server knows, is left to it.
 * @param {string} id
 * @param {{ variable: string, address: string }} running the address is never told, as it may hold a password
 * @param {AbortSignal} signal
 * @returns {Promise<string | undefined>} undefined of one that answers, whatever it says
 */
export async function whySilent(id, { variable, address }, signal) {
  const { label = id, port: usual = 0, hello } = COMPANIONS[id] ?? {};
  if (!URL.canParse(address)) return undefined;
  const { hostname, port } = new URL(address);
  if (hostname === '') return undefined;
  const place = `${label} at ${hostname}:${port || usual} (${variable})`;
  const socket = connect({ host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port || usual) });
  const late = AbortSignal.timeout(ANSWER_SECONDS * 1000);
  const bounds = { signal: AbortSignal.any([signal, late]) };
  let isOpen = false;
  try {
    await once(socket, 'connect', bounds);
    isOpen = true;
    if (hello === undefined) return undefined;
    socket.write(hello);
    // To hang up is an answer, too: it may want TLS.
    await Promise.race([once(socket, 'data', bounds), once(socket, 'close', bounds)]);
    return undefined;
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code === 'ECONNREFUSED') return `${place} refuses connections`;
    return isOpen && late.aborted
      ? `${place} accepts connections but did not answer within ${ANSWER_SECONDS} s`
      : undefined;
  } finally {
    socket.destroy();
  }
}
