/**
 * What may run beside a server: a row for each, in the order in which their addresses are told. Planning, `init`, `doctor` and
 * the action's installation read these rows; boot/services starts what they describe.
 * @import { Start, Started } from './services/ready.js'
 */

import { findProgram } from '../system/process/programs.js';
import { mongo } from './services/mongo.js';
import { mysql } from './services/mysql.js';
import { postgres } from './services/postgres.js';
import { redis } from './services/redis.js';

/**
 * scheme: how its addresses begin; port: where they name none; hello: bytes that it answers before anything else, empty where it
 * speaks first, absent where it is not asked; variables: what may hold one, the first being the companion's own; parts: the prefix of
 * the variables for host, port, user, password and database, as its clients call them; program, folders, package, start: how
 * it is found, beside the PATH, and started, and Debian's package of it, absent where only a running one can be used; address:
 * an example, for those; seen: how `init` knows that a repository uses it.
 * @typedef {{ label: string, scheme: RegExp, port: number, hello?: Uint8Array, variables: string[], parts?: string, program?: string, folders?: () => string[],
 *   package?: string, address?: string, seen?: Seen, start?: (options: Start) => Promise<Started> }} Companion
 * packages: of Node; others: in the manifests of other languages; image: of a compose file; names: in the names of variables
 * that an application reads; dialect: what ORMs call a database; jdbc: what JDBC calls one that speaks SQL.
 * @typedef {{ packages: RegExp, others: RegExp, image: RegExp, names: RegExp, dialect?: RegExp, jdbc?: string }} Seen
 */

/** @type {Record<string, Companion>} */
export const COMPANIONS = { postgres, mysql, mongo, redis };

/**
 * @param {{ needs: string[] }[]} servers
 * @returns {string[]} each once; whoever's address may stand in DATABASE_URL before the one whose own variable that is
 */
export function servicesNeeded(servers) {
  return [...new Set(servers.flatMap(({ needs }) => needs))].sort();
}

/**
 * @param {{ needs: string[] }[]} servers
 * @param {NodeJS.ProcessEnv} env one that names a running service is used instead of starting one
 * @returns {string[]} the services that a run has to start, each once
 */
export function servicesToStart(servers, env) {
  return servicesNeeded(servers).filter((id) => runningService(id, env) === undefined);
}

/**
 * @param {string} id
 * @param {NodeJS.ProcessEnv} env
 * @returns {{ variable: string, address: string } | undefined} of the service that runs already
 */
export function runningService(id, env) {
  const { scheme, variables = [] } = COMPANIONS[id] ?? {};
  return variables
    .map((variable) => ({ variable, address: env[variable] ?? '' }))
    .find(({ address }) => scheme?.test(address));
}

/**
 * @param {string} id
 * @param {string} address
 * @returns {Record<string, string>} what a server is told: the address whole, and in parts
 */
export function addressVariables(id, address) {
  const { variables = [], parts } = COMPANIONS[id] ?? {};
  const whole = Object.fromEntries(variables.map((name) => [name, address]));
  if (parts === undefined) return whole;
  const { hostname, port, username, password, pathname } = new URL(address);
  const values = {
    HOST: hostname,
    PORT: port,
    USER: decodeURIComponent(username),
    PASSWORD: decodeURIComponent(password),
    DATABASE: pathname.slice(1),
  };
  const known = Object.entries(values).filter(([, value]) => value !== '');
  return { ...whole, ...Object.fromEntries(known.map(([name, value]) => [`${parts}${name}`, value])) };
}

/**
 * @param {string} id
 * @returns {string} how a machine gets it, as the end of a sentence
 */
export function howToGet(id) {
  const { label = id, variables = [], package: name, address } = COMPANIONS[id] ?? {};
  const running = `set ${variables[0]} to the address of a running one`;
  return name === undefined
    ? `Debian has no package for ${label}: ${running} (${address})`
    : `apt-get install ${name}; or ${running}`;
}

/**
 * @param {string} id
 * @param {NodeJS.ProcessEnv} env
 * @returns {string | undefined} the path of the service's program, the newest of several
 */
export function findService(id, env) {
  const { program, folders } = COMPANIONS[id] ?? {};
  return program === undefined ? undefined : findProgram(program, { env, folders: folders?.() ?? [] });
}
