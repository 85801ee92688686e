/**
 * Which databases a server may need, by its dependencies, code, ORM schema and docker-compose.yml.
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

/** @typedef {ServiceRow & { id: string, signs: Signs }} Database */

/** @type {Database[]} */
const DATABASES = Object.entries(SERVICES).flatMap(([id, service]) =>
  service.signs ? [{ ...service, id, signs: service.signs }] : [],
);
/** DB_HOST, POSTGRES_USER and the like. */
const PART = `\\b((?:[A-Z]+_)*(?:${DATABASES.map(({ signs }) => signs.names.source).join('|')})[A-Z]*_(?:[A-Z]+_)*?(HOST(?:NAME)?|SERVER|PORT|USER(?:NAME)?|PASS(?:WORD|WD)?|NAME|DATABASE|DB|UR[LI]))\\b`;
/**
 * Services that a server may need, since its drivers, code, schema or compose file name them.
 * @type {(project: Project) => Needable[]}
 */
export function findDatabases({ sources, own, folder, dependencies = [], manifest = '', jdbc }) {
  const code = joinedText(own, (file) => !NO_CODE.test(file));
  const compose = [folder, folderOf(folder), '']
    .flatMap((place) => COMPOSE.map((name) => sources.get(posix.join(place, name))))
    .find((text) => text !== undefined);
  const named = [...joinedText(own).matchAll(DIALECT), ...(compose ?? '').matchAll(IMAGE)];
  const names = [
    ...dependencies,
    ...(manifest.replace(COMMENT, '').match(NAME) ?? []),
    ...named.map(([, name = '']) => name),
  ];
  return DATABASES.flatMap((database) =>
    names.some((name) => database.signs.named.test(name))
      ? { id: database.id, assignments: addressFor(database, code, jdbc) }
      : [],
  );
}

/** Whether it holds an address of a database or a part of one. @type {(variable: string) => boolean} */
export function isAddress(variable) {
  return new RegExp(`^${PART}$|^PG[A-Z]+$`).test(variable);
}

/** What the engine's variables end with, by the parts of an address. */
const ENDINGS = { HOST: /^(HOST|SERVER)/, PORT: /^PORT/, USER: /^USER/, PASSWORD: /^PASS/ };

/** @type {(database: Database, code: string, java: Project['jdbc']) => Needable['assignments']} */
function addressFor({ signs: { names, jdbc }, id, variables, prefix }, code, java) {
  const known = [...variables, ...(prefix ? [`${prefix}HOST`] : [])];
  if (known.some((name) => new RegExp(`\\b${name}\\b`).test(code))) return {};
  if (java && jdbc) {
    const [address, user] = java;
    const url = `jdbc:${jdbc}://$${prefix}HOST:$${prefix}PORT/$${prefix}DATABASE`;
    return { [address]: url, [user]: `$${prefix}USER` };
  }
  const parts = [...code.matchAll(new RegExp(PART, 'g'))].flatMap(([, name = '', part = '']) => {
    const isWhole = /^UR[LI]$/.test(part);
    // REDIS_DB is a number, not the name of an SQL database.
    const isOther = id !== 'redis' && name.startsWith('REDIS_');
    if (!names.test(name) || isOther || (!isWhole && prefix === undefined)) return [];
    const [ending = 'DATABASE'] = Object.entries(ENDINGS).find(([, sign]) => sign.test(part)) ?? [];
    const source = isWhole ? `${variables[0]}` : `${prefix}${ending}`;
    return [[name, `$${source}`]];
  });
  return Object.fromEntries(parts);
}
