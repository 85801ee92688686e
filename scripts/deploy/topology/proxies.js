/**
 * The proxies that a server may have in front of it, a row for each.
 * @import { Deployment } from '../../types.js'
 * @import { Group } from '../process/logged-process.js'
 * @import { Certificate } from './proxies/certificate.js'
 */

import { CERTIFIER } from './proxies/certificate.js';
import { nginx } from './proxies/nginx.js';

/**
 * @typedef {object} Program
 * @property {string} program
 * @property {string[]} [folders] where it may be, besides the PATH
 * @property {string} package Debian's
 * @property {string} versionArgument makes it print its version
 *
 * @typedef {object} ProxyOptions
 * @property {string} program its path
 * @property {number} port where the server listens
 * @property {string} address where the proxy listens
 * @property {number} connections that clients keep open
 * @property {string} folder for its files
 * @property {Certificate | undefined} certificate if it has to speak TLS
 * @property {AbortSignal} signal
 *
 * @typedef {{ group: Group, port: number }} Proxied
 * @typedef {Program & { start: (options: ProxyOptions) => Promise<Proxied> }} Proxy
 */

/**
 * The first is the usual one. With `tls`, clients speak HTTPS: to the proxy if any, else to the server.
 * @type {Record<string, { proxy?: Proxy, tls?: true }>}
 */
export const PROXIES = {
  direct: {},
  nginx: { proxy: nginx },
  https: { tls: true },
  'https+nginx': { proxy: nginx, tls: true },
};

const [USUAL = ''] = Object.keys(PROXIES);

/** @param {Pick<Deployment, 'proxy'>} deployment */
export function proxyOf({ proxy = USUAL }) {
  return PROXIES[proxy] ?? {};
}

/** What this deployment needs. @type {(deployment: Pick<Deployment, 'proxy'>) => Program[]} */
export function programsOf(deployment) {
  const { proxy, tls } = proxyOf(deployment);
  return [...(proxy ? [proxy] : []), ...(tls ? [CERTIFIER] : [])];
}
