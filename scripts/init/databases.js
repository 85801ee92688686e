/**
 * Which databases a server may need, by its dependencies, code, ORM schema and docker-compose.yml, and what
 * may fill them.
 * @import { ServiceRow, Signs } from '../deploy/services.js'
 * @import { Needable, Project } from './candidates.js'
 */

import { posix } from 'node:path';
import { SERVICES } from '../deploy/services.js';
import { folderOf, joinedText } from './source-tree.js';

/** Prisma, TypeORM, Drizzle, Knex, Laravel: provider = "mysql", dialect: 'postgres', DB_CONNECTION=pgsql. */
const DIALECT =
  /(?:\b(?:provider|type|dialect|client)['"]?\s*[:=]\s*['"]|^DB_CONNECTION=['"]?)([a-z][\w-]*)/gm;
/** image: docker.io/bitnami/postgresql:16. */
const IMAGE = /^\s*image:\s*["']?(?:[^\s"'#]*\/)?([\w.-]+)/gm;
/** In a manifest of any language: psycopg[binary]==3.2, "predis/predis", org.postgresql:postgresql. */
const NAME = /@?\w[\w./-]*/g;
const COMMENT = /#.*|(?<!:)\/\/.*|<!--[^]*?-->/g;
/** Files that name variables without reading them. */
const NO_CODE = /compose\.ya?ml$|(^|\/)(\.?env[\w.-]*|\w+\.env|Dockerfile)$/;
const COMPOSE = ['compose.yml', 'compose.yaml', 'docker-compose.yml', 'docker-compose.yaml'];

/** By the packages that bring them, the likeliest first. @type {[name: string, command: string][]} */
const MIGRATIONS = [
  ['prisma', 'npx prisma migrate deploy'],
  ['prisma', 'npx prisma db push'],
  ['drizzle-kit', 'npx drizzle-kit migrate'],
  ['drizzle-kit', 'npx drizzle-kit push'],
  ['knex', 'npx knex migrate:latest'],
  ['@mikro-orm/cli', 'npx mikro-orm migration:up'],
];
/** Scripts of a package.json: db:migrate:deploy, migration:run, migrate, db:push. */
const SCRIPT = /^((db:|prisma:)?migrat\w+|(db|prisma):(deploy|push))(:(deploy|prod|run|latest|up))?$/;
/**
 * What reads a file of SQL, by service. An error, such as a table that exists, ends none of them.
 * @type {Record<string, (file: string) => string>}
 */
const CLIENTS = {
  postgres: (file) => `psql --quiet --set ON_ERROR_STOP=1 --file ${file} "$DATABASE_URL"`,
  mysql: (file) =>
    `mysql --force --host $MYSQL_HOST --port $MYSQL_PORT --user $MYSQL_USER $MYSQL_DATABASE < ${file}`,
};
const SCHEMA = /(^|\/)(schema|init|tables|structure|create[\w-]*)\.sql$/i;

/** @typedef {ServiceRow & { id: string, signs: Signs }} Database */
/** @type {Database[]} */
const DATABASES = Object.entries(SERVICES).flatMap(([id, service]) =>
  service.signs ? [{ ...service, id, signs: service.signs }] : [],
);
/** What the engine's variables end with, by the parts of an address. */
const ENDINGS = { HOST: /^(HOST|SERVER)/, PORT: /^PORT/, USER: /^USER/, PASSWORD: /^PASS/ };
/** DB_HOST, POSTGRES_USER and the like. */
const PART = `\\b((?:[A-Z]+_)*(?:${DATABASES.map(({ signs }) => signs.names.source).join('|')})[A-Z]*_(?:[A-Z]+_)*?(HOST(?:NAME)?|SERVER|PORT|USER(?:NAME)?|PASS(?:WORD|WD)?|NAME|DATABASE|DB|UR[LI]))\\b`;
/**
 * Services that a server may need, since its drivers, code, schema or compose file name them.
 * @type {(project: Project) => Needable[]}
 */
export function findDatabases(project) {
  const names = databaseNames(project);
  const code = joinedText(project.own, (file) => !NO_CODE.test(file));
  return DATABASES.filter(({ signs }) => names.some((name) => signs.named.test(name))).map((database) => ({
    id: database.id,
    assignments: assignmentsOf(database, code, project.jdbc),
  }));
}

/** Names that may be those of databases or drivers. @param {Project} project */
function databaseNames({ sources, own, folder, dependencies = [], manifest = '' }) {
  const compose = [folder, folderOf(folder), '']
    .flatMap((place) => COMPOSE.map((name) => sources.get(posix.join(place, name))))
    .find((text) => text !== undefined);
  const named = [...joinedText(own).matchAll(DIALECT), ...(compose ?? '').matchAll(IMAGE)];
  return [
    ...dependencies,
    ...(manifest.replace(COMMENT, '').match(NAME) ?? []),
    ...named.map(([, name = '']) => name),
  ];
}

/**
 * The server's own variables for the parts of its address, with their values; none where it reads ours.
 * @type {(database: Database, code: string, jdbc: Project['jdbc']) => Needable['assignments']}
 */
function assignmentsOf({ id, variables, prefix, signs }, code, jdbc) {
  const known = [...variables, ...(prefix ? [`${prefix}HOST`] : [])];
  if (known.some((name) => new RegExp(`\\b${name}\\b`).test(code))) return {};
  if (jdbc && signs.jdbc) {
    const [address, user] = jdbc;
    const url = `jdbc:${signs.jdbc}://$${prefix}HOST:$${prefix}PORT/$${prefix}DATABASE`;
    return { [address]: url, [user]: `$${prefix}USER` };
  }
  const parts = [...code.matchAll(new RegExp(PART, 'g'))].flatMap(([, name = '', part = '']) => {
    const isWhole = /^UR[LI]$/.test(part);
    // REDIS_DB is a number, not the name of an SQL database.
    const isOther = id !== 'redis' && name.startsWith('REDIS_');
    if (!signs.names.test(name) || isOther || (!isWhole && prefix === undefined)) return [];
    const [ending = 'DATABASE'] = Object.entries(ENDINGS).find(([, each]) => each.test(part)) ?? [];
    return [[name, `$${isWhole ? variables[0] : `${prefix}${ending}`}`]];
  });
  return Object.fromEntries(parts);
}

/** Whether it holds an address of a database or a part of one. @type {(variable: string) => boolean} */
export function isAddress(variable) {
  return new RegExp(`^${PART}$|^PG[A-Z]+$`).test(variable);
}

/**
 * Commands that may fill its database, the likeliest first.
 * @type {(project: Project, services: string[]) => string[]}
 */
export function migrationsOf({ own, folder, node }, services) {
  const { scripts = {}, ...manifest } = node?.manifest ?? {};
  const dependencies = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
  const tools = MIGRATIONS.flatMap(([name, command]) => (dependencies.includes(name) ? command : []));
  const named = Object.keys(scripts).filter(
    (name) => SCRIPT.test(name) && !/\bdev\b/.test(scripts[name] ?? ''),
  );
  const schemas = [...own.keys()]
    .filter((file) => SCHEMA.test(file))
    .map((file) => posix.relative(folder, file));
  const clients = services.flatMap((id) => CLIENTS[id] ?? []);
  return [
    ...named.map((name) => `${node?.run} ${name}`),
    ...tools,
    ...schemas.flatMap((schema) => clients.map((client) => client(schema))),
  ];
}
