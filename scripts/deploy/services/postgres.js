/** @import { ServiceRow } from '../services.js' */

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, HOST } from '../../system/free-port.js';
import { databaseOf, keepClient, ownerOf, run, untilServiceAnswers } from './ready.js';
import { askStatements, END } from './statements.js';

/** Debian has a folder of programs for each version, outside the PATH. */
const VERSIONS = '/usr/lib/postgresql';

/** A thousand characters tell a statement. @param {string} database */
const countsOf = (database) => `SELECT dealloc::text FROM pg_stat_statements_info
  UNION ALL SELECT json_build_array(left(query, 1000), sum(calls))::text FROM pg_stat_statements
  JOIN pg_database ON pg_database.oid = dbid WHERE datname = '${database}' GROUP BY query`;

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
    named:
      /^(pg(-promise|sql|vector)?|postg(res|resql|is)|timescaledb|@fastify\/postgres|@prisma\/adapter-pg|slonik|psycopg(2|2-binary)?|a(io|sync)pg|tokio-postgres|github\.com\/(lib\/pq|jackc\/pgx(\/v\d)?|go-pg\/pg(\/v\d+)?)|gorm\.io\/driver\/postgres|quarkus-(jdbc-postgresql|reactive-pg-client)|npgsql(\.entityframeworkcore\.postgresql)?)$/i,
    names: /DB|DATABASE|POSTGRES|PG|TYPEORM|SQL/,
    jdbc: 'postgresql',
  },
  async start({ program, folder, sides, startProgram, isCounting, signal }) {
    const user = await ownerOf(folder, 'postgres', signal);
    const programs = join(program, '..');
    const data = join(folder, 'data');
    // Its data need not survive a crash.
    const initial = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
    await run(join(programs, 'initdb'), initial, { cwd: folder, ...user, signal });
    const lax = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];
    // Several servers of many instances connect at once.
    const settings = [...lax, 'unix_socket_directories=', 'max_connections=1000'];
    if (isCounting) settings.push('shared_preload_libraries=pg_stat_statements');
    const port = await freePort();
    const place = ['-h', HOST, '-p', String(port)];
    const options = settings.flatMap((setting) => ['-c', setting]);
    const group = await startProgram([program, '-D', data, ...place, ...options], user);
    const address = [...place, '-U', 'postgres'];
    await untilServiceAnswers(group, signal, (bounds) => run(join(programs, 'pg_isready'), address, bounds));
    for (let side = 0; side < sides; side++)
      await run(join(programs, 'createdb'), [...address, databaseOf(side)], { signal });
    const urlOf = (/** @type {number} */ side) => `postgres://postgres@${HOST}:${port}/${databaseOf(side)}`;
    if (!isCounting) return { urlOf };
    // Its own statements are of another database.
    const talking = [...address, '-XAqtd', 'postgres', '-v', 'ON_ERROR_STOP=1'];
    const ask = keepClient(join(programs, 'psql'), talking, { signal });
    await ask(`CREATE EXTENSION pg_stat_statements${END}`);
    return { urlOf, statementsOf: askStatements(ask, countsOf) };
  },
};
