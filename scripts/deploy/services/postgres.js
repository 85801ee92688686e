/**
 * PostgreSQL: a database a side.
 * @import { Companion } from '../services.js'
 * @import { Start, Started } from './ready.js'
 */

import { existsSync, readdirSync } from 'node:fs';
import { chown, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort, HOST } from '../../system/free-port.js';
import { startGroup } from '../start/logged-process.js';
import { createDatabases, databaseOf, run, untilReady, userInsteadOfRoot } from './ready.js';

/** Debian keeps the programs of each version apart, and off the PATH. */
const VERSIONS = '/usr/lib/postgresql';

/** @type {Companion} */
export const postgres = {
  label: 'PostgreSQL',
  scheme: /^postgres(ql)?:/,
  port: 5432,
  // An SSLRequest; see the protocol's message formats.
  hello: Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]),
  variables: ['DATABASE_URL', 'POSTGRES_URL'],
  parts: 'PG',
  program: 'postgres',
  folders: () =>
    (existsSync(VERSIONS) ? readdirSync(VERSIONS) : [])
      .sort((a, b) => Number(b) - Number(a))
      .map((version) => join(VERSIONS, version, 'bin')),
  package: 'postgresql',
  seen: {
    packages: /^(pg|postgres|pg-promise|slonik|@fastify\/postgres|@prisma\/adapter-pg)$/,
    others: /postgresql|lib\/pq|jackc\/pgx|driver\/postgres|psycopg|asyncpg|gem ['"]pg['"]/,
    image: /postg/,
    names: /DB|DATABASE|POSTGRES|PG|TYPEORM|SQL/,
    dialect: /^(postgres(ql)?|pg)$/,
    jdbc: 'postgresql',
  },
  start: startPostgres,
};

/**
 * @param {Start} options
 * @returns {Promise<Started>}
 */
async function startPostgres({ program, folder, sides, signal }) {
  const user = await userInsteadOfRoot('postgres', signal);
  if (user) await chown(folder, user.uid, user.gid);
  const programs = join(program, '..');
  const data = join(folder, 'data');
  await mkdir(data, { mode: 0o700 });
  if (user) await chown(data, user.uid, user.gid);
  const options = { cwd: folder, ...user, signal };
  // Nobody reads this data again after a crash.
  const initial = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
  await run(join(programs, 'initdb'), initial, options);
  const fast = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'unix_socket_directories='];
  // Several servers of many instances each are clients at once.
  const many = ['max_connections=1000'];
  const port = await freePort();
  const group = await startGroup(
    [
      program,
      '-D',
      data,
      '-h',
      HOST,
      '-p',
      String(port),
      ...[...fast, ...many].flatMap((setting) => ['-c', setting]),
    ],
    { cwd: folder, scratch: folder, env: { PATH: process.env.PATH }, ...user },
  );
  const at = ['-h', HOST, '-p', String(port), '-U', 'postgres'];
  await untilReady(group, signal, (bounds) => run(join(programs, 'pg_isready'), at, bounds));
  await createDatabases(group, sides, (name) => run(join(programs, 'createdb'), [...at, name], { signal }));
  return { group, urlOf: (side) => `postgres://postgres@${HOST}:${port}/${databaseOf(side)}` };
}
