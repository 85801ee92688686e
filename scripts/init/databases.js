/**
 * The databases that a server needs: what it depends on, what its code and the schema of its data layer say, and what
 * docker-compose.yml starts beside it.
 * @import { Sources } from './types.js'
 */

import { folderOf, inside, textOf } from './folders.js';

/**
 * packages: of Node; others: in the manifests of other languages; image: of a compose file; parts: what a start line calls
 * host, port, user, password and database of the running service.
 * @typedef {{ id: string, packages: RegExp, others: RegExp, image: RegExp, names: RegExp, variables: string[],
 *   parts?: string }} Database
 */

/** @type {Database[]} */
const DATABASES = [
  {
    id: 'postgres',
    packages: /^(pg|postgres|pg-promise|slonik|@fastify\/postgres|@prisma\/adapter-pg)$/,
    others: /postgresql|lib\/pq|jackc\/pgx|driver\/postgres|psycopg|asyncpg|gem ['"]pg['"]/,
    image: /postg/,
    names: /DB|DATABASE|POSTGRES|PG|TYPEORM|SQL/,
    variables: ['DATABASE_URL', 'POSTGRES_URL', 'PGHOST'],
    parts: 'PG',
  },
  {
    id: 'mysql',
    packages: /^(mysql|mysql2|mariadb|@fastify\/mysql)$/,
    others:
      /mysql-connector|mariadb-java|go-sql-driver\/mysql|driver\/mysql|pymysql|mysqlclient|aiomysql|asyncmy|quarkus-jdbc-m(ysql|ariadb)|gem ['"]mysql2/i,
    image: /mysql|mariadb/,
    names: /DB|DATABASE|MYSQL|MARIADB|TYPEORM|SQL/,
    variables: ['MYSQL_URL', 'DATABASE_URL', 'MYSQL_HOST'],
    parts: 'MYSQL_',
  },
  {
    id: 'mongo',
    packages: /^(mongodb|mongoose|@nestjs\/mongoose|@typegoose\/typegoose|@fastify\/mongodb|monk)$/,
    others:
      /data-mongodb|mongodb\.org\/mongo-driver|pymongo|\bmotor\b|mongoengine|beanie|quarkus-mongodb|gem ['"]mongoid/,
    image: /mongo/,
    names: /MONGO/,
    variables: ['MONGODB_URL', 'MONGODB_URI', 'MONGO_URL', 'MONGO_URI', 'DATABASE_URL'],
  },
  {
    id: 'redis',
    packages: /^(redis|ioredis|@redis\/client|@fastify\/redis|@nestjs\/bullmq|bull|bullmq|connect-redis)$/,
    others: /data-redis|redis-client|go-redis|redigo|^\s*["']?redis\b|gem ['"]redis/m,
    image: /redis|valkey/,
    names: /REDIS|CACHE/,
    variables: ['REDIS_URL', 'REDIS_HOST'],
    parts: 'REDIS_',
  },
];

/** How Prisma, TypeORM, MikroORM, Drizzle, Sequelize and Knex name theirs. */
const DIALECT =
  /\b(?:provider|type|dialect|client)['"]?\s*[:=]\s*['"](postgres(?:ql)?|pg|mysql2?|mariadb|mongodb|sqlite3?|better-sqlite3|libsql)['"]/g;
/** A driver that an ORM brings for a dialect it is not used with. */
const SQL = ['postgres', 'mysql'];
/** What names variables and reads none. */
const NO_CODE = /compose\.ya?ml$|(^|\/)(\.env[\w.]*|\w+\.env|Dockerfile)$/;
const COMPOSE = ['compose.yml', 'compose.yaml', 'docker-compose.yml', 'docker-compose.yaml'];
/** DB_HOST, POSTGRES_USER and their like. */
const PART =
  /\b((?:[A-Z]+_)*(?:DB|DATABASE|POSTGRES|PG|MYSQL|MARIADB|TYPEORM|SQL|REDIS|CACHE|MONGO)[A-Z]*_(?:[A-Z]+_)*?(HOST(?:NAME)?|SERVER|PORT|USER(?:NAME)?|PASS(?:WORD|WD)?|NAME|DATABASE|DB|UR[LI]))\b/g;

/**
 * @param {{ sources: Sources, own: Sources, folder: string, dependencies?: string[], manifest?: string }} of
 *   dependencies: of a package of Node; manifest: the text of another language's
 * @returns {{ needs: string[], assignments: string, doubts: string[] }} assignments: go before the start's command, so
 *   that the code finds the services under the names it reads
 */
export function findDatabases({ sources, own, folder, dependencies = [], manifest = '' }) {
  const code = textOf(new Map([...own].filter(([file]) => !NO_CODE.test(file))));
  const said = new Set([...code.matchAll(DIALECT)].map(([, name = '']) => dialectOf(name)));
  const images = composeImages(sources, folder);
  const listed = DATABASES.filter(({ image }) => images.some((each) => image.test(each))).map(({ id }) => id);
  const found = DATABASES.filter(({ id, packages, others }) => {
    // The file of the repository's own services tells which of several drivers are used.
    if (listed.length > 0 && id !== 'redis' && !said.has(id)) return listed.includes(id);
    const driven = dependencies.some((each) => packages.test(each)) || others.test(manifest);
    if (SQL.includes(id) && said.size > 0) return said.has(id);
    return driven || said.has(id) || listed.includes(id);
  });
  const readings = found.map((database) => readingsOf(database, code));
  return {
    needs: found.map(({ id }) => id),
    assignments: readings.flatMap(({ assignments }) => assignments).join(' '),
    doubts: readings.flatMap(({ doubts }) => doubts),
  };
}

/**
 * @param {string} name
 * @returns {string}
 */
function dialectOf(name) {
  if (/^(postgres|pg)/.test(name)) return 'postgres';
  if (/^(mysql|mariadb)/.test(name)) return 'mysql';
  return name === 'mongodb' ? 'mongo' : 'sqlite';
}

/**
 * @param {Sources} sources
 * @param {string} folder
 * @returns {string[]} of the nearest compose file, the server's folder first
 */
function composeImages(sources, folder) {
  const file = [folder, folderOf(folder), '']
    .flatMap((each) => COMPOSE.map((name) => inside(each, name)))
    .find((each) => sources.has(each));
  return [...(sources.get(file ?? '') ?? '').matchAll(/^\s*image:\s*["']?([\w./-]+)/gm)].map(
    ([, name = '']) => name,
  );
}

/**
 * @param {Database} database
 * @param {string} code
 */
function readingsOf({ id, names, variables, parts }, code) {
  const reads = (/** @type {string} */ name) => new RegExp(`\\b${name}\\b`).test(code);
  if (variables.some(reads)) return { assignments: [], doubts: [] };
  const own = [...new Map([...code.matchAll(PART)].map(([, name = '', part = '']) => [name, part]))];
  const assignments = own
    .filter(([name]) => names.test(name))
    .map(([name, part]) => `${name}=${valueOf(part, { whole: variables[0] ?? '', parts })}`)
    .filter((each) => !each.endsWith('=?'));
  const doubts = [`nothing reads ${variables[0]}, which holds the address of ${id}`];
  return { assignments, doubts: assignments.length > 0 ? [] : doubts };
}

/**
 * @param {string} part
 * @param {{ whole: string, parts: string | undefined }} of
 */
function valueOf(part, { whole, parts }) {
  if (/^UR[LI]$/.test(part)) return `$${whole}`;
  if (parts === undefined) return '?';
  if (/^(HOST|SERVER)/.test(part)) return `$${parts}HOST`;
  if (part === 'PORT') return `$${parts}PORT`;
  if (part.startsWith('USER')) return `$${parts}USER`;
  return part.startsWith('PASS') ? `$${parts}PASSWORD` : `$${parts}DATABASE`;
}
