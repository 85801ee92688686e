/** The services a server may need, and how a machine gets them. */

import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Debian keeps the programs of each PostgreSQL apart, and off the PATH. */
const POSTGRES_HOME = '/usr/lib/postgresql';

/**
 * scheme: how its addresses begin; variables: what may hold one, the first being the service's own; parts: the prefix of
 * the variables for host, port, user, password and database, as its clients call them; program, package: absent where
 * Debian has none, so that only a running one can be used.
 * @typedef {{ label: string, scheme: RegExp, variables: string[], parts?: string, program?: string, package?: string }} Service
 */

/** @type {Record<string, Service>} */
export const SERVICES = {
  postgres: {
    label: 'PostgreSQL',
    scheme: /^postgres(ql)?:/,
    variables: ['DATABASE_URL', 'POSTGRES_URL'],
    parts: 'PG',
    program: 'postgres',
    package: 'postgresql',
  },
  mysql: {
    label: 'MySQL (MariaDB)',
    scheme: /^(mysql|mariadb):/,
    variables: ['MYSQL_URL', 'DATABASE_URL'],
    parts: 'MYSQL_',
    program: 'mariadbd',
    package: 'mariadb-server',
  },
  mongo: {
    label: 'MongoDB',
    scheme: /^mongodb(\+srv)?:/,
    variables: ['MONGODB_URL', 'MONGODB_URI', 'MONGO_URL', 'MONGO_URI', 'DATABASE_URL'],
  },
  redis: {
    label: 'Redis',
    scheme: /^rediss?:/,
    variables: ['REDIS_URL'],
    parts: 'REDIS_',
    program: 'redis-server',
    package: 'redis-server',
  },
};

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
  const { scheme, variables = [] } = SERVICES[id] ?? {};
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
  const { variables = [], parts } = SERVICES[id] ?? {};
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
  const { label = id, variables = [], package: name } = SERVICES[id] ?? {};
  const running = `set ${variables[0]} to the address of a running one`;
  return name === undefined
    ? `Debian has no package of ${label}: ${running} (mongodb://HOST:PORT/NAME)`
    : `apt-get install ${name}; or ${running}`;
}

/**
 * @param {string} id
 * @param {NodeJS.ProcessEnv} env
 * @returns {string | undefined} the path of the service's program, the newest of several
 */
export function findProgram(id, env) {
  const { program } = SERVICES[id] ?? {};
  if (program === undefined) return undefined;
  return [...homesOf(id), ...(env.PATH ?? '').split(delimiter)]
    .map((folder) => join(folder, program))
    .find((file) => existsSync(file));
}

/**
 * @param {string} id
 * @returns {string[]} folders that Debian installs it to and that may not be on the PATH
 */
function homesOf(id) {
  if (id === 'mysql') return ['/usr/sbin'];
  if (id !== 'postgres' || !existsSync(POSTGRES_HOME)) return [];
  return readdirSync(POSTGRES_HOME)
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join(POSTGRES_HOME, version, 'bin'));
}
