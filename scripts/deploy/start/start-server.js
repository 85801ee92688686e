/** @import { Deployment, Server, Startup } from '../../types.js' */
/** @import { Entrance, ProxyProcess } from '../topology/topology.js' */
/** @import { Group } from '../process/logged-process.js' */

import { availableParallelism } from 'node:os';
import { MeasureError } from '../../model/errors.js';
import { freePort, HOST } from '../../system/free-port.js';
import { preloading } from '../../system/process/allowed-environment.js';
import { readUseOfGroup } from '../../system/process/proc.js';
import { lastCore } from '../../system/process/shared-core.js';
import { couldNotStart } from '../process/programs.js';
import { RUNTIMES } from '../runtimes.js';
import { prepareTopology } from '../topology/topology.js';
import { serverEnvironment, withLimits, withMore } from '../process/server-environment.js';
import { withHints } from '../process/hints.js';
import { isTaken } from './listening.js';
import { startGroup } from '../process/logged-process.js';
import { untilReady } from './until-ready.js';
import { byHand } from '../process/start-by-hand.js';

/** Give up after three stolen ports: something keeps taking them. */
const MOST_PORTS = 3;

const ALL_ADDRESSES = '0.0.0.0';

/** Where a server, by its id, listened although PORT named another port. @type {Map<string, number>} */
const OWN_PORTS = new Map();

/**
 * @typedef {object} Started
 * @property {Startup} startup ms: from its start to its first answer, or until all instances listen
 * @property {string} command starts it by hand
 * @property {boolean} isMoved whether it was kept from its own port, so that two of it can run at once
 * @property {number} [fixedPort] where it listens whatever PORT says: two such servers cannot run at once
 *
 * @typedef {Group & Entrance & Started} Instance
 *
 * @typedef {object} StartOptions
 * @property {AbortSignal} signal
 * @property {Deployment} [deployment] absent: one process, reached directly
 * @property {number} [connections] that its clients keep open
 * @property {boolean} [isPublic] other machines connect to it
 * @property {NodeJS.ProcessEnv} [services] addresses of the services that it needs
 * @property {boolean} [onOneCore] it may use one core alone, always the same
 * @property {{ env: NodeJS.ProcessEnv, scratch: string }[]} [inside] see observe/observers.js
 */

/**
 * Starts a server, installed and built, on a free port and waits until it answers.
 * @param {Server} server
 * @param {StartOptions} options
 * @returns {Promise<Instance>}
 * @throws {MeasureError} exited-at-start, port-taken, never-ready, too-slow, service-failed, cancelled;
 *   nothing is left running then
 */
export async function startServer(server, options) {
  for (let left = MOST_PORTS; ; left--) {
    const port = await freePort();
    try {
      return await startOn(port, server, options);
    } catch (error) {
      const isPortTaken = error instanceof MeasureError && error.kind === 'port-taken';
      if (left === 1 || !isPortTaken || !isTaken(port)) throw error;
    }
  }
}

/** @type {(port: number, server: Server, options: StartOptions) => Promise<Instance>} */
async function startOn(port, server, options) {
  const { signal, services = {}, inside = [], deployment = { instances: 1 } } = options;
  const { connections = 1, isPublic = false, onOneCore = false } = options;
  const within = inside[0]?.scratch;
  const topology = await prepareTopology(deployment, { connections, within, signal });
  const scratch = within ?? topology.scratch;
  const address = isPublic ? ALL_ADDRESSES : HOST;
  const limited = withLimits(serverEnvironment(process.env, server), server);
  const { preload, movesPort } = RUNTIMES[server.runtime] ?? {};
  const own = movesPort && OWN_PORTS.get(server.id);
  const ports = { PORT: String(port), ...(own && { PERF_ACTION_OWN_PORT: String(own) }) };
  const additions = [preloading(preload ? [preload] : []), ...inside.map(({ env }) => env), topology.env];
  const env = additions.reduce(withMore, { ...services, ...limited, HOST: address, ...ports });
  const command = byHand({ ...server, env: { ...services, ...server.env } }, server.start, {
    ...withLimits({}, server),
    HOST,
    PORT: 3000, // an example
  });
  const startedAt = performance.now();
  const starting = startGroup(server.start, {
    cwd: server.folder,
    env,
    ...(scratch && { scratch }),
    ...(onOneCore && { core: lastCore() }),
  });
  const group = await starting.catch(async (error) => {
    await topology.stop();
    const refused = new MeasureError('exited-at-start', couldNotStart(server.start, error));
    throw Object.assign(refused, { command });
  });
  const end = async (/** @type {ProxyProcess | undefined} */ proxy) => {
    await proxy?.stop();
    await group.stop();
    await topology.stop();
  };
  try {
    // Instances start at once and share the cores.
    const instancesOfCore = Math.ceil(deployment.instances / availableParallelism());
    const { timeoutSeconds } = server.ready;
    const ready = { ...server.ready, timeoutSeconds: timeoutSeconds * instancesOfCore };
    const wait = { port, startedAt, signal, isSecure: topology.isSecure };
    const actualPort = await untilReady({ ...server, ready }, group, wait);
    if (actualPort !== port && movesPort) OWN_PORTS.set(server.id, actualPort);
    await topology.untilComplete(group, timeoutSeconds);
    // What V8 does beside the first thread varies several times as much from start to start.
    const firstThreads = RUNTIMES[server.runtime]?.cores === 1;
    const startup = { ms: performance.now() - startedAt, ...readUseOfGroup(group.pid, { firstThreads }) };
    const entrance = await topology.open(actualPort, address);
    /** @type {Promise<void> | undefined} */
    let stopped;
    return {
      ...group,
      ...entrance,
      startup,
      command,
      isMoved: own !== undefined,
      ...(actualPort !== port && !movesPort && { fixedPort: actualPort }),
      stop: () => (stopped ??= end(entrance.proxy)),
    };
  } catch (error) {
    await end(undefined);
    if (!(error instanceof MeasureError)) throw error;
    const described = Object.assign(error, { command, logHead: group.logHead() });
    throw await withHints(described, server, process.env);
  }
}
