/**
 * Databases for the servers of a run: real ones, on free ports, with data that is gone afterwards.
 * @import { FailureKind } from '../types.js'
 * @import { Group } from './process.js'
 */

import { execFile } from 'node:child_process';
import { chown, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { MeasureError, UserError } from '../errors.js';
import { findProgram, SERVICES } from '../plan/services.js';
import { freePort, HOST } from './port.js';
import { startGroup } from './process.js';

const run = promisify(execFile);

const READY_MS = 20_000;
const POLL_MS = 50;

/**
 * group: absent where it could not be started, which failure then tells; urlOf: its address for a side, each with data of
 * its own.
 * @typedef {{ id: string, group?: Group, failure?: MeasureError, urlOf: (side: number) => string }} Service
 * @typedef {{ started: Service[], stop: () => Promise<void> }} Services
 */

/**
 * @param {string[]} ids
 * @param {NodeJS.ProcessEnv} env
 * @throws {UserError} where a program is not installed, with the command that installs it
 */
export function requireServices(ids, env) {
  const lacking = ids.filter((id) => findProgram(id, env) === undefined);
  if (lacking.length === 0) return;
  throw new UserError(lacking.map((id) => `needs: ${lackingText(id)}`).join('\n'));
}

/**
 * @param {string} id
 * @returns {string}
 */
export function lackingText(id) {
  const { label = id, variable, package: name } = SERVICES[id] ?? {};
  return `${label} is not installed: apt-get install ${name}; or set ${variable} to the address of a running one`;
}

/**
 * @param {string[]} ids of services that are installed
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<Record<string, string>>} by id
 */
export async function serviceVersions(ids, env) {
  const versions = await Promise.all(
    ids.map(async (id) => {
      const { stdout } = await run(/** @type {string} */ (findProgram(id, env)), ['--version']);
      return [id, /\d+(\.\d+)+/.exec(stdout)?.[0] ?? 'unknown'];
    }),
  );
  return Object.fromEntries(versions);
}

/**
 * One that does not come up is told by its failure; the others run.
 * @param {string[]} ids of services that are installed
 * @param {{ sides: number, env: NodeJS.ProcessEnv, signal: AbortSignal }} options
 * @returns {Promise<Services>} stop also removes their data, and may be asked for again
 */
export async function startServices(ids, { sides, env, signal }) {
  /** @type {Service[]} */
  const started = [];
  /** @type {string[]} */
  const folders = [];
  for (const id of ids) {
    const folder = await mkdtemp(join(tmpdir(), `perf-action-${id}-`));
    folders.push(folder);
    const program = /** @type {string} */ (findProgram(id, env));
    const start = id === 'postgres' ? startPostgres : startRedis;
    started.push(await start({ program, folder, sides, signal }).catch((error) => failed(id, error)));
  }
  return {
    started,
    async stop() {
      await Promise.all(started.map(({ group }) => group?.stop()));
      await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
    },
  };
}

/**
 * @param {string} id
 * @param {unknown} error
 * @returns {Service}
 */
function failed(id, error) {
  if (!(error instanceof Error)) throw error;
  const failure =
    error instanceof MeasureError ? error : new MeasureError('service-failed', `${id}: ${error.message}`);
  return { id, failure, urlOf: () => '' };
}

/** @typedef {{ program: string, folder: string, sides: number, signal: AbortSignal }} Start */

/**
 * A numbered database a side.
 * @param {Start} options
 * @returns {Promise<Service>}
 */
async function startRedis({ program, folder, signal }) {
  const port = await freePort();
  const off = ['--save', '', '--appendonly', 'no', '--daemonize', 'no'];
  const group = await startGroup([program, '--bind', HOST, '--port', String(port), '--dir', folder, ...off], {
    cwd: folder,
    env: { PATH: process.env.PATH },
  });
  const ping = ['-h', HOST, '-p', String(port), 'ping'];
  await untilReady(group, signal, () => run(join(program, '..', 'redis-cli'), ping));
  return {
    id: 'redis',
    group,
    urlOf: (side) => `redis://${HOST}:${port}/${side}`,
  };
}

/**
 * A database a side. It refuses to run as root, so there it is another user's.
 * @param {Start} options
 * @returns {Promise<Service>}
 */
async function startPostgres({ program, folder, sides, signal }) {
  const port = await freePort();
  const user = process.getuid?.() === 0 ? await userOf('postgres') : undefined;
  if (user) await chown(folder, user.uid, user.gid);
  const programs = join(program, '..');
  const data = join(folder, 'data');
  await mkdir(data, { mode: 0o700 });
  if (user) await chown(data, user.uid, user.gid);
  const options = { cwd: folder, ...user };
  // Nobody reads this data again after a crash.
  const initial = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
  await run(join(programs, 'initdb'), initial, options);
  const fast = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'unix_socket_directories='];
  const group = await startGroup(
    [program, '-D', data, '-h', HOST, '-p', String(port), ...fast.flatMap((setting) => ['-c', setting])],
    { cwd: folder, env: { PATH: process.env.PATH }, ...user },
  );
  const at = ['-h', HOST, '-p', String(port), '-U', 'postgres'];
  const nameOf = (/** @type {number} */ side) => `side_${side}`;
  await untilReady(group, signal, () => run(join(programs, 'pg_isready'), at));
  try {
    for (let side = 0; side < sides; side++) await run(join(programs, 'createdb'), [...at, nameOf(side)]);
  } catch (error) {
    await group.stop();
    throw error;
  }
  return {
    id: 'postgres',
    group,
    urlOf: (side) => `postgres://postgres@${HOST}:${port}/${nameOf(side)}`,
  };
}

/**
 * @param {Group} group
 * @param {AbortSignal} signal
 * @param {() => Promise<unknown>} ask rejects while it is not ready
 * @throws {MeasureError} the group is stopped then
 */
async function untilReady(group, signal, ask) {
  const end = performance.now() + READY_MS;
  /** @type {[FailureKind, string] | undefined} */
  let problem;
  while (!problem) {
    if (
      await ask().then(
        () => true,
        () => false,
      )
    )
      return;
    if (signal.aborted) problem = ['cancelled', 'cancelled during boot'];
    else if (group.hasExited()) problem = ['service-failed', 'the service ended while it started'];
    else if (performance.now() > end)
      problem = ['service-failed', `the service was not ready after ${READY_MS / 1000} s`];
    else await sleep(POLL_MS);
  }
  await group.stop();
  throw new MeasureError(...problem, group.logTail());
}

/**
 * @param {string} name
 * @returns {Promise<{ uid: number, gid: number }>}
 */
async function userOf(name) {
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map(async (flag) => Number((await run('id', [flag, name])).stdout)),
  );
  return { uid: Number(uid), gid: Number(gid) };
}
