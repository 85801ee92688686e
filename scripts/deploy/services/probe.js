import { once } from 'node:events';
import { connect } from 'node:net';
import { SERVICES } from '../services.js';

const ANSWER_MS = 5000;

/**
 * Checks that a running service answers, since a server that waits for it in vain cannot say why. Reports only what is certain:
 * an unreadable address, or a host that only the server knows, counts as answering.
 * @param {string} id
 * @param {{ variable: string, address: string }} running the address may contain a password and is never printed whole
 * @param {{ signal: AbortSignal, answerMs?: number }} bounds
 * @returns {Promise<string | undefined>} undefined if it answers, whatever it says
 */
export async function whySilent(id, { variable, address }, { signal, answerMs = ANSWER_MS }) {
  const { label = id, port: usual = 0, hello } = SERVICES[id] ?? {};
  if (!URL.canParse(address)) return undefined;
  const { hostname, port } = new URL(address);
  if (hostname === '') return undefined;
  const place = `${label} at ${hostname}:${port || usual} (${variable})`;
  const socket = connect({ host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port || usual) });
  const late = AbortSignal.timeout(answerMs);
  const bounds = { signal: AbortSignal.any([signal, late]) };
  let isOpen = false;
  try {
    await once(socket, 'connect', bounds);
    isOpen = true;
    if (hello === undefined) return undefined;
    socket.write(hello);
    // Closing is an answer, too: it may require TLS.
    await Promise.race([once(socket, 'data', bounds), once(socket, 'close', bounds)]);
    return undefined;
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code === 'ECONNREFUSED') return `${place} refuses connections`;
    return isOpen && late.aborted
      ? `${place} accepts connections but did not answer within ${answerMs / 1000} s`
      : undefined;
  } finally {
    socket.destroy();
  }
}
