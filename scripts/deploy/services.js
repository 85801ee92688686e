/**
 * The services that servers may need, a row for each, in the order in which their addresses are set.
 * Planning, `init`, `doctor` and the action's installation read these rows; start-services.js starts them.
 * @import { Start, Started } from './services/ready.js'
 */

import { findProgram } from '../system/process/find-program.js';
import { mongo } from './services/mongo.js';
import { mysql } from './services/mysql.js';
import { postgres } from './services/postgres.js';
import { redis } from './services/redis.js';

/**
 * @typedef {object} ServiceRow Without `start`, only a running one can be used.
 * @property {string} label
 * @property {RegExp} scheme how its addresses begin
 * @property {number} port of addresses without one
 * @property {string[]} variables that may contain its address, its own one first
 * @property {Uint8Array} [hello] bytes to which it answers; empty: it speaks first; absent: it is not asked
 * @property {string} [prefix] of the variables for host, port, user, password and database
 * @property {string} [program]
 * @property {() => string[]} [folders] where the program may be, besides the PATH
 * @property {string} [package] Debian's
 * @property {string} [address] an example
 * @property {Signs} [signs] how `init` recognizes that a repository uses it
 * @property {(options: Start) => Promise<Started>} [start]
 *
 * @typedef {object} Signs
 * @property {RegExp} named exact names of drivers in any language, of images, and of what ORMs call it
 * @property {RegExp} names of variables that an application reads
 * @property {string} [jdbc] what JDBC calls it, if it speaks SQL
 */

/** @type {Record<string, ServiceRow>} */
export const SERVICES = { postgres, mysql, mongo, redis };

/** Sorted: who owns DATABASE_URL sets it last. @type {(servers: { needs: string[] }[]) => string[]} */
export function servicesNeeded(servers) {
  return [...new Set(servers.flatMap(({ needs }) => needs))].sort();
}

/** @type {(id: string, env: NodeJS.ProcessEnv) => { variable: string, address: string } | undefined} */
export function runningService(id, env) {
  const { scheme, variables = [] } = SERVICES[id] ?? {};
  return variables
    .map((variable) => ({ variable, address: env[variable] ?? '' }))
    .find(({ address }) => scheme?.test(address));
}

/**
 * Variables for a server: the address, of any form that drivers take, as one of several hosts, and its parts
 * where it is a URL.
 * @type {(id: string, address: string) => Record<string, string>}
 */
export function addressVariables(id, address) {
  const { variables = [], prefix } = SERVICES[id] ?? {};
  const whole = Object.fromEntries(variables.map((name) => [name, address]));
  if (prefix === undefined || !URL.canParse(address)) return whole;
  const { hostname, port, username, password, pathname } = new URL(address);
  const values = {
    HOST: hostname,
    PORT: port,
    USER: decoded(username),
    PASSWORD: decoded(password),
    DATABASE: pathname.slice(1),
  };
  // An empty password is set as well: code may require the variable.
  const known = Object.entries(values).filter(([name, value]) => value !== '' || name === 'PASSWORD');
  return { ...whole, ...Object.fromEntries(known.map(([name, value]) => [`${prefix}${name}`, value])) };
}

/** @param {string} part of a URL, that may contain an unescaped % */
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** How to install it, as the end of a sentence. @type {(id: string) => string} */
export function howToGet(id) {
  const { label = id, variables = [], package: name, address } = SERVICES[id] ?? {};
  const running = `set ${variables[0]} to the address of a running one`;
  return name === undefined
    ? `Debian has no package for ${label}: ${running} (${address})`
    : `apt-get install ${name}; or ${running}`;
}

/** The path of its newest program. @type {(id: string, env: NodeJS.ProcessEnv) => string | undefined} */
export function findService(id, env) {
  const { program, folders } = SERVICES[id] ?? {};
  return program === undefined ? undefined : findProgram(program, { env, folders: folders?.() ?? [] });
}

/** Whether a run starts it. @type {(id: string, env: NodeJS.ProcessEnv) => boolean} */
export function isStarted(id, env) {
  return SERVICES[id]?.start !== undefined && runningService(id, env) === undefined;
}

/** Those that neither run nor can be started. @type {(ids: string[], env: NodeJS.ProcessEnv) => string[]} */
export function missingServices(ids, env) {
  return ids.filter((id) => findService(id, env) === undefined && !runningService(id, env));
}

/** How to install them. @type {(needs: string[], env: NodeJS.ProcessEnv) => string | undefined} */
export function whyNotServed(needs, env) {
  const texts = missingServices(needs, env).map((id) => {
    const { label, package: name } = SERVICES[id] ?? {};
    return `${name === undefined ? '' : `${label} is not installed: `}${howToGet(id)}`;
  });
  return texts.join('; ') || undefined;
}
