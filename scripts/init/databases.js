/**
 * The databases that a server needs: what it depends on, what its code and the schema of its data layer say, and what
 * docker-compose.yml starts beside it.
 * @import { Companion, Seen } from '../deploy/services.js'
 * @import { Sources } from './types.js'
 */

import { COMPANIONS } from '../deploy/services.js';
import { folderOf, inside, textOf } from './folders.js';

/** How Prisma, TypeORM, MikroORM, Drizzle, Sequelize and Knex name theirs. */
const DIALECT = /\b(?:provider|type|dialect|client)['"]?\s*[:=]\s*['"]([a-z][\w-]*)['"]/g;
const SQLITE = /^(sqlite3?|better-sqlite3|libsql)$/;
/** What names variables and reads none. */
const NO_CODE = /compose\.ya?ml$|(^|\/)(\.env[\w.]*|\w+\.env|Dockerfile)$/;
const COMPOSE = ['compose.yml', 'compose.yaml', 'docker-compose.yml', 'docker-compose.yaml'];

/** @typedef {Companion & { id: string, seen: Seen }} Database */

/** @type {Database[]} */
const DATABASES = Object.entries(COMPANIONS).flatMap(([id, companion]) =>
  companion.seen ? [{ ...companion, id, seen: companion.seen }] : [],
);
/** DB_HOST, POSTGRES_USER and their like. */
const PART = new RegExp(
  `\\b((?:[A-Z]+_)*(?:${DATABASES.map(({ seen }) => seen.names.source).join('|')})[A-Z]*_(?:[A-Z]+_)*?(HOST(?:NAME)?|SERVER|PORT|USER(?:NAME)?|PASS(?:WORD|WD)?|NAME|DATABASE|DB|UR[LI]))\\b`,
  'g',
);

/**
 * @param {{ sources: Sources, own: Sources, folder: string, dependencies?: string[], manifest?: string }} of
 *   dependencies: of a package of Node; manifest: the text of another language's
 * @returns {{ needs: string[], assignments: string, doubts: string[] }} assignments: go before the start's command, so
 *   that the code finds the services under the names it reads
 */
export function findDatabases({ sources, own, folder, dependencies = [], manifest = '' }) {
  const code = textOf(new Map([...own].filter(([file]) => !NO_CODE.test(file))));
  const said = new Set([...code.matchAll(DIALECT)].flatMap(([, name = '']) => dialectOf(name) ?? []));
  const images = composeImages(sources, folder);
  const listed = DATABASES.filter(({ seen }) => images.some((each) => seen.image.test(each))).map(
    ({ id }) => id,
  );
  const found = DATABASES.filter(({ id, seen: { packages, others, dialect, jdbc } }) => {
    // The file of the repository's own services tells which of several drivers are used.
    if (listed.length > 0 && dialect && !said.has(id)) return listed.includes(id);
    const driven = dependencies.some((each) => packages.test(each)) || others.test(manifest);
    // An ORM brings drivers for dialects that it is not used with.
    if (jdbc && said.size > 0) return said.has(id);
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
 * @returns {string | undefined} whose it is; undefined where it is no dialect
 */
function dialectOf(name) {
  return (
    DATABASES.find(({ seen }) => seen.dialect?.test(name))?.id ?? (SQLITE.test(name) ? 'sqlite' : undefined)
  );
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
function readingsOf({ id, seen: { names }, variables, parts }, code) {
  const reads = (/** @type {string} */ name) => new RegExp(`\\b${name}\\b`).test(code);
  if ([...variables, ...(parts ? [`${parts}HOST`] : [])].some(reads)) return { assignments: [], doubts: [] };
  const own = [...new Map([...code.matchAll(PART)].map(([, name = '', part = '']) => [name, part]))];
  const assignments = own
    .filter(([name]) => names.test(name))
    .map(([name, part]) => `${name}=${valueOf(part, { whole: variables[0] ?? '', parts })}`)
    .filter((each) => !each.endsWith('=?'));
  const doubts = [`no source reads ${variables[0]}, the address of ${id}`];
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
