/**
 * Which databases a server may need, by its dependencies, code, ORM schema and docker-compose.yml.
 * @import { ServiceRow, Signs } from '../deploy/services.js'
 * @import { Needable, Project } from './candidates.js'
 */

import { posix } from 'node:path';
import { SERVICES } from '../deploy/services.js';
import { folderOf, joinedText } from './source-tree.js';

/** Prisma, TypeORM, Drizzle, Knex, Laravel: provider = "mysql", dialect: 'postgres', DB_CONNECTION=pgsql. */
const DIALECT = /\b(?:provider|type|dialect|client|DB_CONNECTION)['"]?\s*[:=]\s*['"]?([a-z][\w-]*)/g;
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
 * Services that a server may need, since its drivers, code, schema or compose file name them.
 * @type {(project: Project) => Needable[]}
 */
export function findDatabases({ sources, own, folder, dependencies = [], manifest = '' }) {
  const code = joinedText(own, (file) => !NO_CODE.test(file));
  const compose = [folder, folderOf(folder), '']
    .flatMap((place) => COMPOSE.map((name) => sources.get(posix.join(place, name))))
    .find((text) => text !== undefined);
  const dialects = [...joinedText(own).matchAll(DIALECT)].map(([, name]) => name);
  const text = [...dependencies, manifest, compose?.replace(/#.*/g, ''), ...dialects].join('\n');
  return DATABASES.flatMap((database) =>
    database.signs.named.test(text) ? { id: database.id, ...addressFor(database, code) } : [],
  );
}

/** Whether it holds an address of a database or a part of one. @type {(variable: string) => boolean} */
export function isAddress(variable) {
  return new RegExp(`^${PART}$|^PG[A-Z]+$`).test(variable);
}

/** Ends the engine's variable that holds this part of an address. @type {[part: RegExp, ending: string][]} */
const ENDINGS = [
  [/^(HOST|SERVER)/, 'HOST'],
  [/^PORT/, 'PORT'],
  [/^USER/, 'USER'],
  [/^PASS/, 'PASSWORD'],
];

/** @type {(database: Database, code: string) => Omit<Needable, 'id'>} */
function addressFor({ signs: { names }, id, variables, prefix }, code) {
  const known = [...variables, ...(prefix ? [`${prefix}HOST`] : [])];
  if (known.some((name) => new RegExp(`\\b${name}\\b`).test(code)))
    return { assignments: {}, setup: [], isRead: true };
  const files = new Set([...code.matchAll(READ_FROM_FILE)].map(([, name]) => name));
  const parts = [...code.matchAll(new RegExp(PART, 'g'))].flatMap(([, name = '', part = '']) => {
    const isWhole = /^UR[LI]$/.test(part);
    // REDIS_DB is a number, not the name of an SQL database.
    const isOther = id !== 'redis' && name.startsWith('REDIS_');
    if (!names.test(name) || isOther || (!isWhole && prefix === undefined)) return [];
    const [, ending = 'DATABASE'] = ENDINGS.find(([pattern]) => pattern.test(part)) ?? [];
    const source = isWhole ? `${variables[0]}` : `${prefix}${ending}`;
    return { name, source, isFile: files.has(name) || name.endsWith('_FILE') };
  });
  const isInFile = parts.find(({ isFile }) => isFile);
  return {
    assignments: Object.fromEntries(
      parts.map(({ name, source, isFile }) => [name, isFile ? PASSWORD_FILE : `$${source}`]),
    ),
    setup: isInFile ? [`printf %s "$${isInFile.source}" > ${PASSWORD_FILE}`] : [],
    isRead: parts.length > 0,
  };
}
