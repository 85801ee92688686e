/** A proxy before a server, and a manager of instances. @import { Deployment } from '../../types.js' */
/** @import { Group } from '../process/logged-process.js' */

import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { MeasureError } from '../../model/errors.js';
import { readBounded } from '../../system/bounded-file.js';
import { HOST } from '../../system/free-port.js';
import { preloading } from '../../system/process/allowed-environment.js';
import { findProgram } from '../../system/process/find-program.js';
import { proxyOf } from './proxies.js';
import { makeCertificate } from './proxies/certificate.js';
import { MANAGERS, managerOf } from './managers.js';

const INSTANCES_PRELOAD = fileURLToPath(new URL('./managers/preload.cjs', import.meta.url));
const TLS_PRELOAD = fileURLToPath(new URL('./proxies/tls-preload.cjs', import.meta.url));
const POLL_MS = 20;

/**
 * @typedef {Group & { name: string }} ProxyProcess the process in front of a server
 *
 * @typedef {object} Entrance
 * @property {string} url where clients send requests
 * @property {string} [certificate] that they have to trust
 * @property {ProxyProcess} [proxy]
 *
 * @typedef {object} Topology
 * @property {NodeJS.ProcessEnv} env additions to the server's environment
 * @property {string} [scratch] a folder that is removed if the engine dies
 * @property {boolean} isSecure the server itself speaks TLS
 * @property {(group: Group, timeoutSeconds: number) => Promise<void>} untilComplete waits until every
 *   instance listens; timeoutSeconds: from one to the next
 * @property {(port: number, address: string) => Promise<Entrance>} open starts the proxy, which listens there
 * @property {() => Promise<void>} stop called after the server has stopped
 */

/** @type {Topology} */
const DIRECT = {
  env: {},
  isSecure: false,
  untilComplete: async () => {},
  open: async (port) => ({ url: `http://${HOST}:${port}` }),
  stop: async () => {},
};

/**
 * Deploys a server as a case asks: as one process or several instances, reached directly or through a proxy.
 * @param {Deployment} deployment
 * @param {{ connections: number, within?: string, signal: AbortSignal }} options connections: that clients
 *   keep open; within: the folder for its files
 * @returns {Promise<Topology>}
 * @throws {MeasureError} service-failed, cancelled
 */
export async function prepareTopology(deployment, { connections, within = tmpdir(), signal }) {
  const { tls, proxy } = proxyOf(deployment);
  const manager = MANAGERS[managerOf(deployment) ?? ''];
  if (!tls && !proxy && !manager) return DIRECT;
  const { instances } = deployment;
  const folder = await mkdtemp(join(within, 'perf-topology-'));
  const stop = () => rm(folder, { recursive: true, force: true });
  const certificate = await (tls && makeCertificate(folder, signal))?.catch(async (error) => {
    await stop();
    throw error;
  });
  const ownCertificate = proxy ? undefined : certificate;
  // A manager's primary counts the instances that listen there, from its start on.
  const countFile = join(folder, 'listening');
  return {
    env: {
      ...preloading([...(manager ? [INSTANCES_PRELOAD] : []), ...(ownCertificate ? [TLS_PRELOAD] : [])]),
      ...(manager && {
        PERF_ACTION_PRIMARY: manager.primary,
        PERF_ACTION_LISTENING: countFile,
        PERF_ACTION_INSTANCES: String(instances),
        ...manager.env?.(folder, process.env),
      }),
      ...(ownCertificate && {
        PERF_ACTION_TLS_KEY: ownCertificate.key,
        PERF_ACTION_TLS_CERTIFICATE: ownCertificate.certificate,
      }),
    },
    scratch: folder,
    isSecure: ownCertificate !== undefined,
    async untilComplete(group, timeoutSeconds) {
      if (!manager) return;
      let latest = { count: 0, time: performance.now() };
      for (;;) {
        if (!existsSync(countFile))
          throw new MeasureError(
            'never-ready',
            'it answers, but runs as a single process: with `instances`, `start` has to run a script of the server’s own with Node, as `node server.js` or `npm start` do',
            group.logTail(),
          );
        const count = Number(readBounded(countFile, { bytes: 20 }));
        if (count >= instances) return;
        if (count > latest.count) latest = { count, time: performance.now() };
        if (signal.aborted) throw new MeasureError('cancelled', 'cancelled while it started');
        if (group.hasExited())
          throw new MeasureError('exited-at-start', 'an instance ended before all listened', group.logTail());
        if (performance.now() - latest.time > timeoutSeconds * 1000)
          throw new MeasureError(
            'never-ready',
            `only ${count} of ${instances} instances came up, and no other within ${timeoutSeconds} s; raise \`ready.timeout\``,
            group.logTail(),
          );
        await sleep(POLL_MS);
      }
    },
    async open(port, address) {
      const trust = certificate && { certificate: certificate.text };
      const urlOf = (/** @type {number} */ openPort) => `${tls ? 'https' : 'http'}://${HOST}:${openPort}`;
      if (!proxy) return { url: urlOf(port), ...trust };
      const program = findProgram(proxy.program, { ...proxy, env: process.env }) ?? proxy.program;
      const options = { program, port, address, connections, folder, certificate, signal };
      const running = await proxy.start(options).catch((error) => {
        if (error instanceof MeasureError) error.message = `${proxy.program}: ${error.message}`;
        throw error;
      });
      return { url: urlOf(running.port), ...trust, proxy: { ...running.group, name: proxy.program } };
    },
    stop,
  };
}
