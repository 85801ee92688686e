/**
 * Starts a server on a free port and waits until it answers.
 * @import { Load, Server } from '../../types.js'
 */

import { availableParallelism } from 'node:os';
import { preloading } from '../../system/process/environment.js';
import { MeasureError } from '../../model/errors.js';
import { arrange } from '../topology/topology.js';
import { byHand } from './repro-command.js';
import { serverEnvironment, withLimits, withOptions } from './environment.js';
import { withHints } from './hints.js';
import { isTaken } from './listening.js';
import { couldNotStart } from '../preflight/install-hints.js';
import { freePort, HOST } from './port.js';
import { startGroup } from './logged-process.js';
import { untilReady } from './ready.js';
import { OPTION_LISTS, RUNTIMES } from '../runtimes.js';

/** Whoever loses so many ports is fought by somebody. */
const PORTS = 3;

/** Where it listens that is loaded from other machines. */
const EVERYWHERE = '0.0.0.0';

/** What a person gives a server by hand, where any free port does. */
const USUAL_PORT = 3000;

/**
 * url: where it is reached, and certificate: whose answer that is, where it speaks TLS; front: what stands before it; fixedPort:
 * where it listens on a port of its own whatever PORT says, so that no two of it can be alive together; command: what starts it
 * by hand.
 * @typedef {import('./logged-process.js').Group & {
 *   url: string, certificate?: string, front?: import('../topology/topology.js').Front, bootMs: number, command: string, fixedPort?: number,
 * }} Instance
 */

/**
 * @param {Server} server installed and built
 * @param {{ signal: AbortSignal, services?: NodeJS.ProcessEnv | undefined, inside?: { env: NodeJS.ProcessEnv, scratch: string }[],
 *   load?: Pick<Load, 'instances' | 'manager' | 'front' | 'connections' | 'host'> }} options services: the addresses of what it needs;
 *   inside: what looks at it from inside, see observe/observers; load: that it is to bear
 * @returns {Promise<Instance>} bootMs: from the start of the process to its first answer, or until all instances listen
 * @throws {MeasureError} exited-at-boot, port-taken, never-ready, service-failed, cancelled; nothing is left running then
 */
export function boot(server, options) {
  return bootOnOneOf(PORTS, server, options);
}

/**
 * @param {number} ports how many are tried, where somebody else takes them first
 * @param {Server} server
 * @param {Parameters<typeof boot>[1]} options
 * @returns {Promise<Instance>}
 */
async function bootOnOneOf(ports, server, options) {
  const { signal, services = {}, inside = [], load = { connections: 1 } } = options;
  const port = await freePort();
  const [within] = inside.map((each) => each.scratch);
  const around = await arrange(load, { within, signal });
  const scratch = within ?? around.scratch;
  const limited = withLimits(serverEnvironment(process.env, server), server);
  const bound = load.host === undefined ? HOST : EVERYWHERE;
  const own = { ...services, ...limited, HOST: bound, PORT: String(port) };
  const { preload } = RUNTIMES[server.runtime] ?? {};
  const first = { env: preloading(preload === undefined ? [] : [preload]) };
  const env = [first, ...inside, around].map((each) => each.env).reduce(withMore, own);
  const described = { ...server, env: { ...services, ...server.env } };
  const command = byHand(described, server.start, { ...withLimits({}, server), HOST, PORT: USUAL_PORT });
  const startedAt = performance.now();
  const group = await startGroup(server.start, {
    cwd: server.folder,
    env,
    ...(scratch && { scratch }),
  }).catch(async (error) => {
    await around.stop();
    const refused = new MeasureError('exited-at-boot', couldNotStart(server.start, error));
    throw Object.assign(refused, { command });
  });
  /** @param {import('../topology/topology.js').Front} [front] */
  const end = async (front) => {
    await front?.stop();
    await group.stop();
    await around.stop();
  };
  try {
    const { isSecure } = around;
    const found = await untilReady(withTimeFor(load, server), group, { port, startedAt, signal, isSecure });
    await around.whole(group, { timeoutSeconds: server.ready.timeoutSeconds, signal });
    const bootMs = performance.now() - startedAt;
    const standing = await around.stand(found, bound);
    /** @type {Promise<void> | undefined} */
    let stopped;
    return {
      ...{ ...group, ...standing, bootMs, command, ...(found !== port && { fixedPort: found }) },
      stop: () => (stopped ??= end(standing.front)),
    };
  } catch (error) {
    await end();
    if (!(error instanceof MeasureError)) throw error;
    if (ports > 1 && error.kind === 'port-taken' && isTaken(port))
      return bootOnOneOf(ports - 1, server, options);
    const told = Object.assign(error, { command, logHead: group.logHead() });
    throw await withHints(told, server, process.env);
  }
}

/**
 * Instances start at once and share the cores.
 * @param {Pick<Load, 'instances'>} load
 * @param {Server} server
 * @returns {Server} whose first answer may take the longer, the more of them there are for a core
 */
function withTimeFor({ instances = 1 }, { ready, ...server }) {
  const ofCore = Math.ceil(instances / availableParallelism());
  return { ...server, ready: { ...ready, timeoutSeconds: ready.timeoutSeconds * ofCore } };
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {NodeJS.ProcessEnv} more its options stand beside the server's own
 * @returns {NodeJS.ProcessEnv}
 */
function withMore(env, more) {
  const isList = (/** @type {[string, unknown]} */ [name]) => OPTION_LISTS.includes(name);
  const all = Object.entries(more);
  const others = Object.fromEntries(all.filter((each) => !isList(each)));
  return { ...withOptions(env, Object.fromEntries(all.filter(isList))), ...others };
}
