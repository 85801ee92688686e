/** @import { Group } from '../process/logged-process.js' */
/** @import { Started } from './ready.js' */

import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allowedEnvironment } from '../../system/process/allowed-environment.js';
import { MeasureError } from '../../model/errors.js';
import { askVersion, versionsOf } from '../../system/process/find-program.js';
import { SERVICES, findService, runningService, whyNotServed } from '../services.js';
import { abortIn } from '../../system/deadline.js';

/** A running service that is silent for so long is not used. */
const ANSWER_MS = 5000;

/**
 * @typedef {object} Service
 * @property {string} id
 * @property {Group[]} [groups] absent if it was already running, or could not be started
 * @property {MeasureError} [failure] why it cannot be used
 * @property {(side: number) => string} urlOf its address; each side has separate data if this run started it
 * @property {Started['statementsOf']} [statementsOf]
 *
 * @typedef {{ started: Service[], stop: () => Promise<void> }} Services
 */

/**
 * Versions of services, by id, that this run starts, where they are known.
 * @type {(ids: string[], env: NodeJS.ProcessEnv) => Promise<Record<string, string>>}
 */
export function serviceVersions(ids, env) {
  return versionsOf(ids, async (id) => {
    const program = runningService(id, env) ? undefined : findService(id, env);
    return program && (await askVersion(program, '--version', allowedEnvironment(env))).version;
  });
}

/**
 * Starts real databases on free ports. One that is not installed or does not start has a failure; others run.
 * @param {string[]} ids of services
 * @param {{ sides: number, isCounting?: boolean, env: NodeJS.ProcessEnv, signal: AbortSignal }} options
 * @returns {Promise<Services>} stop also removes their data, and may be called again
 */
export async function startServices(ids, { sides, isCounting, env, signal }) {
  /** @type {Service[]} */
  const started = [];
  /** @type {string[]} */
  const folders = [];
  for (const id of ids) {
    const running = runningService(id, env);
    const { start } = SERVICES[id] ?? {};
    const program = findService(id, env);
    if (running || !start || program === undefined) {
      const problem = running ? await whySilent(id, running, { signal }) : whyNotServed([id], env);
      const failure = problem && new MeasureError('service-failed', problem);
      started.push({ id, urlOf: () => running?.address ?? '', ...(failure && { failure }) });
      continue;
    }
    const startHere = async () => {
      const folder = await mkdtemp(join(tmpdir(), `perf-action-${id}-`));
      folders.push(folder);
      return { id, ...(await start({ program, folder, sides, isCounting, signal })) };
    };
    started.push(await startHere().catch((error) => failed(id, error)));
  }
  return {
    started,
    async stop() {
      await Promise.all(started.flatMap(({ groups = [] }) => groups.map((group) => group.stop())));
      await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
    },
  };
}

/** @type {(id: string, error: Error | MeasureError) => Service} */
function failed(id, error) {
  const [first, ...rest] = error.message.split('\n');
  const { kind, logTail } =
    error instanceof MeasureError ? error : { kind: /** @type {const} */ ('service-failed'), logTail: rest };
  const { label = id } = SERVICES[id] ?? {};
  return { id, failure: new MeasureError(kind, `${label}: ${first}`, logTail), urlOf: () => '' };
}

/**
 * Checks that a running service answers, since a server that waits for it in vain cannot say why. Reports
 * only what is certain: an unreadable address, or a host that only the server knows, counts as answering.
 * @param {string} id
 * @param {{ variable: string, address: string }} running never printed whole: the address may have a password
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
  const late = abortIn(answerMs);
  const either = { signal: AbortSignal.any([signal, late]) };
  let isOpen = false;
  try {
    await once(socket, 'connect', either);
    isOpen = true;
    if (hello === undefined) return undefined;
    socket.write(hello);
    // Closing is an answer, too: it may require TLS.
    await Promise.race([once(socket, 'data', either), once(socket, 'close', either)]);
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
