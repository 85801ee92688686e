/**
 * Tries a server that nobody measured yet: in a copy of what git tracks it is installed, built, started and
 * asked, until nothing is left to try. Nothing outside the copy is touched: this module runs again in a
 * network of its own, from which programs download by a door (download-door.js). Where the system gives none,
 * programs of Node alone refuse to connect elsewhere (closed-network-preload.cjs).
 * @import { Found } from '../../types.js'
 * @import { Ask, Here } from '../first-start.js'
 */

import { spawn, spawnSync } from 'node:child_process';
import { cpSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { serverEnvironment } from '../../deploy/process/server-environment.js';
import { VARIABLES } from '../../deploy/runtimes.js';
import { stampsOf } from '../../deploy/source/build-cache.js';
import { treeOf } from '../../deploy/source/tree-record.js';
import { listeners } from '../../deploy/start/listening.js';
import { MeasureError } from '../../model/errors.js';
import { jsonIn } from '../../model/json.js';
import { enterRoutes } from '../../observe/registered-routes.js';
import { planOf } from '../../plan/shard.js';
import { serversById } from '../../plan/side-servers.js';
import { STANDARD_CONFIG } from '../../config/layers.js';
import { git } from '../../system/git.js';
import { allowedEnvironment, preloading } from '../../system/process/allowed-environment.js';
import { ask } from '../../system/process/find-program.js';
import { startOnly } from '../first-start.js';
import { readRunConfig } from '../run-config.js';
import { sidesHere } from '../sides.js';
import { askRoutes, isLimited, NOWHERE } from './ask-routes.js';
import { openDoor, serveDoor } from './download-door.js';

const HERE = fileURLToPath(import.meta.url);
const CLOSED = fileURLToPath(new URL('../../observe/closed-network-preload.cjs', import.meta.url));
const MOST_TRIES = 6;
const OVER = /** @type {const} */ ({ kind: 'cancelled', message: 'the time for it was over' });
/** What a server prints of an answer has come by then. */
const SETTLED_MS = 300;
const COMMIT =
  '-c user.name=perf-action -c user.email=perf-action@localhost commit --quiet --no-verify --allow-empty --message tried';

const [USER, GROUP] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
/** mount(8) serves root alone, and no database does. */
const AS_ITSELF = USER === 0 ? '' : `unshare --map-user=${USER} --map-group=${GROUP} `;
/** What runs a program in a network in which nobody else is (unshare(1)), without the sockets of others. */
const ALONE = [
  ...['unshare', '--net', '--mount', ...(USER === 0 ? [] : ['--map-root-user'])],
  ...['sh', '-c', `ip link set lo up && mount -t tmpfs none /run && exec ${AS_ITSELF}"$@"`, 'sh'],
];

/**
 * A perf.yml with one server; listing: a command that prints its routes; words: paths that it may answer,
 * where neither its process nor a listing tells.
 * @typedef {{ text: string, pages: string[], words: string[], listing?: string }} Attempt
 */
/**
 * @template T
 * @param {string} root of the repository
 * @param {T} first what is tried first
 * @param {{ attemptOf: (choice: T) => Attempt, next: (choice: T, found: Found) => T | undefined,
 *   harmless: (file: string, text: string) => string, isAlone: boolean }} steps next: what is tried after
 *   that; isAlone: in a network of its own; harmless: where it has none, a text without others' addresses
 * @param {Here & { secondsLeft: () => number }} surroundings
 * @returns {Promise<{ choice: T, found: Found }[]>} in order; cut short where the time is over
 */
export async function tryServer(root, first, { attemptOf, next, harmless, isAlone }, surroundings) {
  const buildDir = mkdtempSync(join(tmpdir(), 'perf-action-try-'));
  try {
    await copyTracked(root, treeOf(buildDir), isAlone ? undefined : harmless);
    mkdirSync(stampsOf(buildDir));
    // The door, which opens later, is not among them.
    const closed = isAlone ? [] : listeners().map(({ port }) => port);
    /** @type {{ choice: T, found: Found }[]} */
    const tried = [];
    for (let choice = /** @type {T | undefined} */ (first); choice !== undefined;) {
      const asked = { attempt: attemptOf(choice), buildDir, closed, seconds: surroundings.secondsLeft() };
      const found = await tryOnce(asked, isAlone, surroundings);
      tried.push({ choice, found });
      const isOver = tried.length === MOST_TRIES || found.failure?.kind === 'cancelled';
      choice = isOver ? undefined : next(choice, found);
    }
    return tried;
  } finally {
    rmSync(buildDir, { recursive: true, force: true });
  }
}

/**
 * Copies files as they are now.
 * @type {(root: string, tree: string, harmless?: (file: string, text: string) => string) => Promise<void>}
 */
async function copyTracked(root, tree, harmless) {
  const files = (await git(root, ['ls-files', '-z'])).split('\0').filter(Boolean);
  mkdirSync(tree, { recursive: true });
  for (const file of files) {
    const stats = lstatSync(join(root, file), { throwIfNoEntry: false });
    if (!stats || stats.isDirectory()) continue;
    cpSync(join(root, file), join(tree, file), { verbatimSymlinks: true });
    if (!harmless || !stats.isFile()) continue;
    const before = readFileSync(join(root, file), 'utf8');
    const changed = harmless(file, before);
    if (changed !== before) writeFileSync(join(tree, file), changed);
  }
  // Tools look for a repository, and a server of another Node is checked out of it.
  await git(tree, ['init', '--quiet']);
  await git(tree, ['add', '--all', '--force']);
  await git(tree, COMMIT.split(' '));
}

/** Whether this system gives a program a network of its own. */
export function canBeAlone() {
  return spawnSync(ALONE[0] ?? '', [...ALONE.slice(1), 'true']).status === 0;
}

/** @typedef {{ attempt: Attempt, buildDir: string, closed: number[], seconds: number }} Asked */
/** @type {(asked: Asked, isAlone: boolean, surroundings: Here) => Promise<Found>} */
async function tryOnce(asked, isAlone, { cwd, env, stderr, signal }) {
  const [command = '', ...rest] = [...(isAlone ? ALONE : []), process.execPath, HERE];
  // A service that another variable of the caller's names is the developer's own.
  const passed = allowedEnvironment(env, VARIABLES);
  const child = spawn(command, rest, { cwd, env: passed, signal, stdio: ['pipe', 'pipe', 'pipe', 'ipc'] });
  serveDoor(child, env);
  child.on('error', () => {});
  child.stderr?.on('data', (data) => stderr.write(String(data)));
  child.stdin?.end(JSON.stringify(asked));
  const answer = child.stdout && jsonIn(await text(child.stdout));
  if (answer === undefined && !signal.aborted) throw new Error('the try ended without an answer');
  return answer ?? { answers: [], log: [], failure: OVER };
}

/**
 * prepared: comes after its build.
 * @type {(asked: Asked, surroundings: Here, prepared: () => void) => Promise<Found>}
 */
async function tryInside({ attempt, buildDir, closed, seconds }, { env, ...surroundings }, prepared) {
  const cwd = treeOf(buildDir);
  writeFileSync(join(cwd, STANDARD_CONFIG), attempt.text);
  const config = readRunConfig({ reference: 'off' }, cwd);
  const contained = { PERF_ACTION_CLOSED: closed.join(','), ...preloading([CLOSED]) };
  const servers = config.servers.map((server) => ({
    ...{ ...server, buildDir },
    env: { ...server.env, ...contained },
    ready: { ...server.ready, path: NOWHERE, isAny: /** @type {const} */ (true) },
  }));
  const sides = [{ label: 'head', servers: serversById({ servers }) }];
  const [planned] = planOf(config, sidesHere(config)).cases;
  /** @type {Found} */
  let found = { answers: [], log: [] };
  try {
    const asked = { config, sides, cases: planned ? [planned] : [] };
    const [run] = await startOnly(
      asked,
      { ...surroundings, cwd, env: { ...env, XDG_CACHE_HOME: join(buildDir, 'cache') } },
      {
        mostSeconds: seconds,
        prepared,
        // A migration may be for a database elsewhere, so that it downloads nothing, either.
        settingUp: { PERF_ACTION_ROUTES: '' },
        enter: async (runtime) => (runtime === 'node' ? [await enterRoutes()] : []),
        again: async () => [],
        async ask(...start) {
          found = await foundOf(attempt, ...start);
          return [];
        },
      },
    );
    found.version = run?.environment.runtimes[config.servers[0]?.runtime ?? ''];
    const failure = run?.cases.flatMap(({ trials }) => trials.flatMap((trial) => trial.failure ?? []))[0];
    return failure
      ? { ...found, failure, log: [...(failure.logHead ?? []), ...(failure.logTail ?? [])] }
      : found;
  } catch (error) {
    if (!(error instanceof MeasureError)) throw error;
    return { ...found, failure: { ...OVER, kind: error.kind } };
  }
}

/**
 * What a server answers on the routes that it registers, or else lists, and what it prints of that.
 * @type {(attempt: Attempt, ...start: Parameters<Ask>) => Promise<Found>}
 */
async function foundOf(attempt, { url, fixedPort, logTail }, _, { bounds, inside, server, services }) {
  const [entered] = /** @type {Awaited<ReturnType<typeof enterRoutes>>[]} */ (inside);
  const { stdout } = await ask('sh', ['-c', attempt.listing ?? ''], {
    cwd: server.folder,
    env: { ...services, ...serverEnvironment(process.env, server) },
  });
  const listed = [...stdout.matchAll(/^([A-Z]+) (\/\S*)$/gm)];
  const registered =
    (await entered?.routes()) ?? listed.map(([, method = '', path = '']) => ({ method, path }));
  const paths = [...attempt.pages, ...(registered.length > 0 ? [] : attempt.words)];
  const answers = await askRoutes(url, { registered, paths }, bounds?.signal);
  const refuses = await isLimited(url, answers, bounds?.signal);
  await sleep(SETTLED_MS);
  return { answers, log: logTail(), isLimited: refuses, fixedPort };
}

if (process.argv[1] === HERE) {
  const ended = new AbortController();
  process.once('SIGTERM', () => ended.abort());
  const stderr = { write: (/** @type {string} */ line) => process.stderr.write(line) };
  const surroundings = { cwd: process.cwd(), env: process.env, stderr, signal: ended.signal };
  const asked = JSON.parse(await text(process.stdin));
  process.stdout.write(JSON.stringify(await tryInside(asked, surroundings, await openDoor())));
}
