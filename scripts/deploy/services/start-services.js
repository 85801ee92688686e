/** @import { Group } from '../process/logged-process.js' */
/** @import { Start, Started } from './ready.js' */

import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allowedEnvironment } from '../../system/process/allowed-environment.js';
import { MeasureError } from '../../model/errors.js';
import { askVersion, versionsOf } from '../../system/process/find-program.js';
import { SERVICES, findService, runningService, whyNotServed } from '../services.js';
import { startService } from './ready.js';
import { abortIn } from '../../system/deadline.js';

/**
 * @typedef {object} Service
 * @property {string} id
 * @property {Group[]} [groups] absent if it was already running
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
 * @returns {Promise<Services>} stop also ends their clients, removes their data, and may be called again
 */
export async function startServices(ids, { sides, isCounting, env, signal }) {
  /** @type {Service[]} */
  const started = [];
  /** @type {string[]} */
  const folders = [];
  const ending = new AbortController();
  const asked = { sides, isCounting, signal: AbortSignal.any([signal, ending.signal]) };
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
    /** @type {Group[]} */
    const groups = [];
    const startHere = async () => {
      const folder = await mkdtemp(join(tmpdir(), `perf-action-${id}-`));
      folders.push(folder);
      /** @type {Start['startProgram']} */
      const startProgram = async (command, user) => {
        const group = await startService(command, folder, user);
        groups.push(group);
        return group;
      };
      return { id, ...(await start({ ...asked, program, folder, startProgram })) };
    };
    started.push({ groups, ...(await startHere().catch((error) => failed(id, error))) });
  }
  return {
    started,
    async stop() {
      ending.abort();
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
 * Whether a running service answers: a server that waits for it in vain cannot say why. An address that
 * nobody can read, or a host that only the server knows, counts as one that does. It may hold a password.
 * @type {(id: string, running: { variable: string, address: string }, bounds: { signal: AbortSignal,
 *   answerMs?: number }) => Promise<string | undefined>}
 */
export async function whySilent(id, { variable, address }, { signal, answerMs = 5000 }) {
  const { label = id, port: usual = 0, hello } = SERVICES[id] ?? {};
  const { hostname = '', port = '' } = URL.canParse(address) ? new URL(address) : {};
  if (hostname === '') return undefined;
  const place = `${label} at ${hostname}:${port || usual} (${variable})`;
  const socket = connect({ host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port || usual) });
  const late = abortIn(answerMs);
  const either = { signal: AbortSignal.any([signal, late]) };
  try {
    await once(socket, 'connect', either);
    if (hello) socket.write(hello);
    // Closing is an answer, too: it may require TLS.
    if (hello) await Promise.race([once(socket, 'data', either), once(socket, 'close', either)]);
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code === 'ECONNREFUSED') return `${place} refuses connections`;
    if (late.aborted && !socket.connecting)
      return `${place} accepts connections but did not answer within ${answerMs / 1000} s`;
  } finally {
    socket.destroy();
  }
  return undefined;
}
