/** @import { ServiceRow } from '../services.js' */

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, HOST } from '../../system/free-port.js';
import { createDatabases, databaseOf, run, startService, untilServiceAnswers, ownerOf } from './ready.js';

/** Debian has a folder of programs for each version, outside the PATH. */
const VERSIONS = '/usr/lib/postgresql';

/** @type {ServiceRow} */
export const postgres = {
  label: 'PostgreSQL',
  scheme: /^postgres(ql)?:/,
  port: 5432,
  // SSLRequest: a client's question whether the server speaks TLS.
  hello: Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]),
  variables: ['DATABASE_URL', 'POSTGRES_URL'],
  prefix: 'PG',
  program: 'postgres',
  folders: () =>
    (existsSync(VERSIONS) ? readdirSync(VERSIONS) : [])
      .sort((a, b) => Number(b) - Number(a))
      .map((version) => join(VERSIONS, version, 'bin')),
  package: 'postgresql',
  signs: {
    packages: /^(pg|postgres|pg-promise|slonik|@fastify\/postgres|@prisma\/adapter-pg)$/,
    otherManifests: /postgresql|lib\/pq|jackc\/pgx|driver\/postgres|psycopg|asyncpg|gem ['"]pg['"]/,
    image: /postg/,
    names: /DB|DATABASE|POSTGRES|PG|TYPEORM|SQL/,
    dialect: /^(postgres(ql)?|pg)$/,
    jdbc: 'postgresql',
  },
  async start({ program, folder, sides, signal }) {
    const user = await ownerOf(folder, 'postgres', signal);
    const programs = join(program, '..');
    const data = join(folder, 'data');
    // Its data need not survive a crash.
    const initial = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
    await run(join(programs, 'initdb'), initial, { cwd: folder, ...user, signal });
    const lax = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];
    // Several servers of many instances connect at once.
    const settings = [...lax, 'unix_socket_directories=', 'max_connections=1000'];
    const port = await freePort();
    const place = ['-h', HOST, '-p', String(port)];
    const options = settings.flatMap((setting) => ['-c', setting]);
    const group = await startService([program, '-D', data, ...place, ...options], folder, user);
    const address = [...place, '-U', 'postgres'];
    await untilServiceAnswers(group, signal, (bounds) => run(join(programs, 'pg_isready'), address, bounds));
    await createDatabases(group, sides, (name) =>
      run(join(programs, 'createdb'), [...address, name], { signal }),
    );
    return { group, urlOf: (side) => `postgres://postgres@${HOST}:${port}/${databaseOf(side)}` };
  },
};
