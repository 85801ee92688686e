/**
 * How a server stands under a load: as how many instances, and behind what.
 * @import { Load } from '../../types.js'
 * @import { Group } from '../start/logged-process.js'
 * @import { Proxied } from './fronts.js'
 */

import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { preloading } from '../../system/process/environment.js';
import { MeasureError } from '../../model/errors.js';
import { findFrontProgram, frontOf } from './fronts.js';
import { makeCertificate } from './fronts/certificate.js';
import { MANAGERS, managerOf } from './managers.js';
import { HOST } from '../start/port.js';

const INSTANCES = fileURLToPath(new URL('./managers/preload.cjs', import.meta.url));
const TLS = fileURLToPath(new URL('./fronts/tls-preload.cjs', import.meta.url));
const POLL_MS = 20;

/**
 * env: what the server is started with, NODE_OPTIONS beside its own; scratch: a folder that is removed if the engine dies;
 * isSecure: whether the server itself speaks TLS; whole: waits until every instance listens; stand: starts what stands before
 * that port, listening at the address bound, and tells where requests go then; certificate: that of whoever answers there.
 * @typedef {Proxied['group'] & { name: string }} Front
 * @typedef {{
 *   env: NodeJS.ProcessEnv,
 *   scratch?: string,
 *   isSecure: boolean,
 *   whole: (group: Group, bounds: { timeoutSeconds: number, signal: AbortSignal }) => Promise<void>,
 *   stand: (port: number, bound: string) => Promise<{ url: string, certificate?: string, front?: Front }>,
 *   stop: () => Promise<void>,
 * }} Arrangement
 */

/**
 * @param {Pick<Load, 'instances' | 'manager' | 'front' | 'connections'>} load
 * @param {{ within?: string | undefined, signal: AbortSignal }} options within: a folder that is removed with it
 * @returns {Promise<Arrangement>} whoever asks for it stops it after the server
 */
export async function arrange(load, { within = tmpdir(), signal }) {
  const { tls, proxy } = frontOf(load);
  const manager = managerOf(load);
  if (!tls && !proxy && manager === undefined) return AS_IT_IS;
  const folder = await mkdtemp(join(within, 'perf-around-'));
  const stop = () => rm(folder, { recursive: true, force: true });
  const certificate =
    tls &&
    (await makeCertificate(folder, signal).catch(async (error) => {
      await stop();
      throw error;
    }));
  const isSecure = tls === true && !proxy;
  const listening = join(folder, 'listening');
  const { primary, env } = MANAGERS[manager ?? ''] ?? {};
  const preloads = [...(primary === undefined ? [] : [INSTANCES]), ...(isSecure ? [TLS] : [])];
  return {
    env: {
      ...preloading(preloads),
      ...(primary !== undefined && {
        ...{ PERF_ACTION_PRIMARY: primary, PERF_ACTION_LISTENING: listening },
        PERF_ACTION_INSTANCES: String(load.instances ?? 1),
        ...env?.(folder, process.env),
      }),
      ...(isSecure &&
        certificate && {
          PERF_ACTION_TLS_KEY: certificate.key,
          PERF_ACTION_TLS_CERTIFICATE: certificate.certificate,
        }),
    },
    scratch: folder,
    isSecure,
    whole: (group, bounds) =>
      primary === undefined
        ? Promise.resolve()
        : untilListening(listening, group, { ...bounds, count: load.instances ?? 1 }),
    async stand(port, bound) {
      const scheme = tls ? 'https' : 'http';
      const own = certificate && { certificate: certificate.text };
      if (!proxy) return { url: `${scheme}://${HOST}:${port}`, ...own };
      const program = findFrontProgram(proxy, process.env) ?? proxy.program;
      const { connections } = load;
      const options = {
        program,
        port,
        bound,
        connections,
        folder,
        signal,
        ...(certificate && { certificate }),
      };
      const { group, port: at } = await proxy.start(options).catch((error) => {
        if (error instanceof MeasureError) error.message = `${proxy.program}: ${error.message}`;
        throw error;
      });
      return { url: `${scheme}://${HOST}:${at}`, ...own, front: { ...group, name: proxy.program } };
    },
    stop,
  };
}

/** @type {Arrangement} */
const AS_IT_IS = {
  env: {},
  isSecure: false,
  whole: async () => {},
  stand: async (port) => ({ url: `http://${HOST}:${port}` }),
  stop: async () => {},
};

/**
 * @param {string} file where a manager's primary says how many instances listen, from its start on
 * @param {Group} group that answers already
 * @param {{ count: number, timeoutSeconds: number, signal: AbortSignal }} bounds timeoutSeconds: from one instance to the next
 * @throws {MeasureError} exited-at-boot, never-ready, cancelled
 */
async function untilListening(file, group, { count, timeoutSeconds, signal }) {
  let latest = { count: 0, at: performance.now() };
  for (;;) {
    const listening = numberIn(file);
    if (listening === undefined)
      throw new MeasureError(
        'never-ready',
        'it answers, but runs as a single process: with `instances`, `start` has to run a script of the server’s own with Node, as `node server.js` or `npm start` do',
        group.logTail(),
      );
    if (listening >= count) return;
    if (listening > latest.count) latest = { count: listening, at: performance.now() };
    if (signal.aborted) throw new MeasureError('cancelled', 'cancelled during boot');
    if (group.hasExited())
      throw new MeasureError('exited-at-boot', 'an instance ended before all listened', group.logTail());
    if (performance.now() - latest.at > timeoutSeconds * 1000)
      throw new MeasureError(
        'never-ready',
        `only ${listening} of ${count} instances came up, and no other within ${timeoutSeconds} s; raise \`ready.timeout\``,
        group.logTail(),
      );
    await sleep(POLL_MS);
  }
}

/**
 * @param {string} file
 * @returns {number | undefined} undefined where nobody has written it
 */
function numberIn(file) {
  try {
    return Number(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
