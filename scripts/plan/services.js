/** The services a server may need, and how a machine gets them. */

import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Debian keeps the programs of each PostgreSQL apart, and off the PATH. */
const POSTGRES_HOME = '/usr/lib/postgresql';

/** @typedef {{ label: string, variable: string, program: string, package: string }} Service variable: what tells servers the address */

/** @type {Record<string, Service>} */
export const SERVICES = {
  postgres: {
    label: 'PostgreSQL',
    variable: 'DATABASE_URL',
    program: 'postgres',
    package: 'postgresql',
  },
  redis: { label: 'Redis', variable: 'REDIS_URL', program: 'redis-server', package: 'redis-server' },
};

/**
 * @param {{ needs: string[] }[]} servers
 * @param {NodeJS.ProcessEnv} env one that names a running service is used instead of starting one
 * @returns {string[]} the services that a run has to start, each once
 */
export function servicesToStart(servers, env) {
  const needed = new Set(servers.flatMap(({ needs }) => needs));
  return [...needed].filter((id) => !env[SERVICES[id]?.variable ?? '']).sort();
}

/**
 * @param {string} id
 * @param {NodeJS.ProcessEnv} env
 * @returns {string | undefined} the path of the service's program, the newest of several
 */
export function findProgram(id, env) {
  const { program = id } = SERVICES[id] ?? {};
  const versions = id === 'postgres' && existsSync(POSTGRES_HOME) ? readdirSync(POSTGRES_HOME) : [];
  const homes = versions
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join(POSTGRES_HOME, version, 'bin'));
  return [...homes, ...(env.PATH ?? '').split(delimiter)]
    .map((folder) => join(folder, program))
    .find((file) => existsSync(file));
}
