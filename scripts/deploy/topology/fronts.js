/** What stands before a server: a row for each. */

import { findProgram } from '../../system/process/programs.js';
import { CERTIFIER } from './fronts/certificate.js';
import { nginx } from './fronts/nginx.js';

/**
 * folders: beside the PATH; package: Debian's; versionArgument: makes it tell its version.
 * @typedef {{ program: string, folders?: string[], package: string, versionArgument: string }} Program
 * One that passes requests on.
 * @typedef {Program & { start: (options: Start) => Promise<Proxied> }} Proxy
 * port: where the server listens; bound: the address where the front is to; connections: how many clients keep open; certificate: where it has to speak TLS; folder: of its own
 * @typedef {{ program: string, port: number, bound: string, connections: number, folder: string, certificate?: Certificate, signal: AbortSignal }} Start
 * @typedef {{ group: import('../start/logged-process.js').Group, port: number }} Proxied
 * Paths of files, and the certificate as text.
 * @typedef {import('./fronts/certificate.js').Certificate} Certificate
 * tls: clients speak HTTPS, to the proxy where there is one, otherwise to the server itself.
 * @typedef {{ proxy?: Proxy, tls?: true }} Front
 */

/** The first is the usual one. @type {Record<string, Front>} */
export const FRONTS = {
  direct: {},
  nginx: { proxy: nginx },
  https: { tls: true },
  'https+nginx': { proxy: nginx, tls: true },
};

export const [USUAL_FRONT = ''] = Object.keys(FRONTS);

/**
 * @param {{ front?: string }} load
 * @returns {Front}
 */
export function frontOf({ front = USUAL_FRONT }) {
  return /** @type {Front} */ (FRONTS[front]);
}

/** What any of them runs. @type {Program[]} */
export const FRONT_PROGRAMS = [...new Set(Object.keys(FRONTS).flatMap((front) => programsOf({ front })))];

/**
 * @param {{ front?: string }} load
 * @returns {Program[]} what has to be installed for it
 */
export function programsOf(load) {
  const { proxy, tls } = frontOf(load);
  return [...(proxy ? [proxy] : []), ...(tls ? [CERTIFIER] : [])];
}

/**
 * @param {Program} program
 * @param {NodeJS.ProcessEnv} env
 * @returns {string | undefined} its path
 */
export function findFrontProgram({ program, folders = [] }, env) {
  return findProgram(program, { env, folders });
}
