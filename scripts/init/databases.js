/**
 * Which databases a server needs, by its dependencies, code, ORM schema and docker-compose.yml.
 * @import { ServiceRow, Signs } from '../deploy/services.js'
 * @import { Project, Sources } from './candidates.js'
 */

import { posix } from 'node:path';
import { SERVICES } from '../deploy/services.js';
import { folderOf, joinedText } from './source-tree.js';

/**
 * Prisma, TypeORM, MikroORM, Drizzle, Sequelize and Knex name it: provider = "mysql", dialect: 'postgres'.
 * Others have defaults: flag.String("driver", "sqlite"), DB_CLIENT || 'sqlite3', DB_ENGINE: str = "sqlite".
 */
const DIALECT =
  /\b(?:provider|type|dialect|client)['"]?\s*[:=]\s*['"]([a-z][\w-]*)['"]|\b(?:\w*[._])?(?:driver|dialect|client|engine|adapter|dbms|connection|database_type|db_type|db)['"]?\]?\)?\s*(?::\s*\w+\s*)?(?:[:=]|,|\|\||\?\?)\s*['"]([a-z][\w-]*)['"]/gi;
/** Of Laravel and AdonisJS, in examples of their settings; the former's "pgsql" is "pg". */
const CONNECTION = /^DB_CONNECTION=['"]?(pg|[a-z]\w*)/gm;
const SQLITE = /^(sqlite3?|better-sqlite3|libsql)$/;
/** Files that name variables without reading them. */
const NO_CODE = /compose\.ya?ml$|(^|\/)(\.?env[\w.-]*|\w+\.env|Dockerfile)$/;
const COMPOSE = ['compose.yml', 'compose.yaml', 'docker-compose.yml', 'docker-compose.yaml'];

/** @typedef {ServiceRow & { id: string, signs: Signs }} Database */

/** @type {Database[]} */
const DATABASES = Object.entries(SERVICES).flatMap(([id, service]) =>
  service.signs ? [{ ...service, id, signs: service.signs }] : [],
);
/** DB_HOST, POSTGRES_USER and the like. */
const PART = `\\b((?:[A-Z]+_)*(?:${DATABASES.map(({ signs }) => signs.names.source).join('|')})[A-Z]*_(?:[A-Z]+_)*?(HOST(?:NAME)?|SERVER|PORT|USER(?:NAME)?|PASS(?:WORD|WD)?|NAME|DATABASE|DB|UR[LI])(?:_FILE)?)\\b`;
/** readFileSync(env.DB_PASSWORD), open(os.environ["DB_PASSWORD"]), os.ReadFile(os.Getenv("DB_PASSWORD")). */
const READ_FROM_FILE =
  /\b(?:readFile(?:Sync)?|open|ReadFile|read_to_string|File\.read\w*)\(\s*[^();]*[.["'(]+([A-Z][A-Z\d_]+)\b/g;
/** Written before the start, as the file that a password is read from. */
const PASSWORD_FILE = '.perf-password';

/**
 * In shell, `assignments` give addresses to variables that the code reads, and `setup` writes files it reads.
 * @type {(project: Project) => { needs: string[], assignments: string, setup: string[], toDos: string[] }}
 */
export function findDatabases({ sources, own, folder, dependencies = [], manifest = '' }) {
  const code = joinedText(own, (file) => !NO_CODE.test(file));
  const names = [...code.matchAll(DIALECT), ...joinedText(own).matchAll(CONNECTION)];
  const named = new Set(names.flatMap(([, set, byDefault]) => databaseOf(set ?? byDefault ?? '') ?? []));
  const images = composeImages(sources, folder);
  const composed = DATABASES.filter(({ signs }) => images.some((image) => signs.image.test(image)));
  const databases = DATABASES.filter((database) => {
    const { id, signs } = database;
    const { packages, otherManifests, dialect, jdbc } = signs;
    // docker-compose.yml shows which of several drivers are used.
    if (composed.length > 0 && dialect && !named.has(id)) return composed.includes(database);
    // An ORM depends on drivers for databases that the project does not use.
    if (jdbc && named.size > 0) return named.has(id);
    const isDriven = dependencies.some((name) => packages.test(name)) || otherManifests.test(manifest);
    return isDriven || named.has(id) || composed.includes(database);
  });
  const addresses = databases.map((database) => addressFor(database, code));
  return {
    needs: databases.map(({ id }) => id),
    assignments: addresses.flatMap(({ assignments }) => assignments).join(' '),
    setup: addresses.flatMap(({ setup }) => setup),
    toDos: addresses.flatMap(({ toDos }) => toDos),
  };
}

/** Whether it holds an address of a database or a part of one. @type {(variable: string) => boolean} */
export function isAddress(variable) {
  return new RegExp(`^${PART}$|^PG[A-Z]+$`).test(variable);
}

/** @type {(dialect: string) => string | undefined} */
function databaseOf(dialect) {
  const database = DATABASES.find(({ signs }) => signs.dialect?.test(dialect));
  return database?.id ?? (SQLITE.test(dialect) ? 'sqlite' : undefined);
}

/** Images of the compose file nearest the folder. @type {(sources: Sources, folder: string) => string[]} */
function composeImages(sources, folder) {
  const file = [folder, folderOf(folder), '']
    .flatMap((place) => COMPOSE.map((name) => posix.join(place, name)))
    .find((path) => sources.has(path));
  const text = sources.get(file ?? '') ?? '';
  return [...text.matchAll(/^\s*image:\s*["']?([\w./-]+)/gm)].map(([, image = '']) => image);
}

/** Ends the engine's variable that holds this part of an address. @type {[part: RegExp, ending: string][]} */
const ENDINGS = [
  [/^(HOST|SERVER)/, 'HOST'],
  [/^PORT/, 'PORT'],
  [/^USER/, 'USER'],
  [/^PASS/, 'PASSWORD'],
];

/**
 * @type {(database: Database, code: string) => { assignments: string[], setup: string[], toDos: string[] }}
 */
function addressFor({ id, signs: { names }, variables, prefix }, code) {
  const known = [...variables, ...(prefix ? [`${prefix}HOST`] : [])];
  if (known.some((name) => new RegExp(`\\b${name}\\b`).test(code)))
    return { assignments: [], setup: [], toDos: [] };
  const files = new Set([...code.matchAll(READ_FROM_FILE)].map(([, name]) => name));
  const parts = [...code.matchAll(new RegExp(PART, 'g'))].flatMap(([, name = '', part = '']) => {
    const isWhole = /^UR[LI]$/.test(part);
    // REDIS_DB is a number, not the name of an SQL database.
    const isOther = id !== 'redis' && name.startsWith('REDIS_');
    if (!names.test(name) || isOther || (!isWhole && prefix === undefined)) return [];
    const [, ending = 'DATABASE'] = ENDINGS.find(([pattern]) => pattern.test(part)) ?? [];
    return {
      name,
      source: `${isWhole ? variables[0] : `${prefix}${ending}`}`,
      isFile: files.has(name) || name.endsWith('_FILE'),
    };
  });
  const isInFile = parts.find(({ isFile }) => isFile);
  // The driver of PostgreSQL reads PGPORT by itself.
  const lacksPort =
    prefix !== 'PG' && !parts.some(({ source }) => source === `${prefix}PORT` || source === variables[0]);
  const lacking =
    parts.length === 0
      ? `no source reads ${variables[0]}, the address of ${id}: let the code connect there, or remove needs if it has one that runs`
      : lacksPort && `no source reads a port for ${id}: it listens on ${prefix}PORT`;
  return {
    assignments: [
      ...new Set(parts.map(({ name, source, isFile }) => `${name}=${isFile ? PASSWORD_FILE : `$${source}`}`)),
    ],
    setup: isInFile ? [`printf %s "$${isInFile.source}" > ${PASSWORD_FILE}`] : [],
    toDos: lacking ? [lacking] : [],
  };
}
