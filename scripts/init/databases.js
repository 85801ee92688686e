/**
 * Which databases a server needs, by its dependencies, code, ORM schema and docker-compose.yml.
 * @import { Companion, Seen } from '../deploy/services.js'
 * @import { Project, Sources } from './types.js'
 */

import { posix } from 'node:path';
import { COMPANIONS } from '../deploy/services.js';
import { folderOf, textOf } from './folders.js';

/** How Prisma, TypeORM, MikroORM, Drizzle, Sequelize and Knex name theirs. */
const DIALECT = /\b(?:provider|type|dialect|client)['"]?\s*[:=]\s*['"]([a-z][\w-]*)['"]/g;
const SQLITE = /^(sqlite3?|better-sqlite3|libsql)$/;
/** Files that name variables without reading them. */
const NO_CODE = /compose\.ya?ml$|(^|\/)(\.?env[\w.-]*|\w+\.env|Dockerfile)$/;
const COMPOSE = ['compose.yml', 'compose.yaml', 'docker-compose.yml', 'docker-compose.yaml'];

/** @typedef {Companion & { id: string, seen: Seen }} Database */

/** @type {Database[]} */
const DATABASES = Object.entries(COMPANIONS).flatMap(([id, companion]) =>
  companion.seen ? [{ ...companion, id, seen: companion.seen }] : [],
);
/** DB_HOST, POSTGRES_USER and the like. */
const PART = `\\b((?:[A-Z]+_)*(?:${DATABASES.map(({ seen }) => seen.names.source).join('|')})[A-Z]*_(?:[A-Z]+_)*?(HOST(?:NAME)?|SERVER|PORT|USER(?:NAME)?|PASS(?:WORD|WD)?|NAME|DATABASE|DB|UR[LI]))\\b`;

/**
 * @param {Project} project
 * @returns {{ needs: string[], assignments: string, toDos: string[] }} assignments: shell assignments that give the
 *   services' addresses to the variables that the code reads
 */
export function findDatabases({ sources, own, folder, dependencies = [], manifest = '' }) {
  const code = textOf(new Map([...own].filter(([file]) => !NO_CODE.test(file))));
  const named = new Set([...code.matchAll(DIALECT)].flatMap(([, name = '']) => databaseOf(name) ?? []));
  const images = composeImages(sources, folder);
  const composed = DATABASES.filter(({ seen }) => images.some((image) => seen.image.test(image))).map(
    ({ id }) => id,
  );
  const databases = DATABASES.filter(({ id, seen: { packages, others, dialect, jdbc } }) => {
    // docker-compose.yml tells which of several drivers are used.
    if (composed.length > 0 && dialect && !named.has(id)) return composed.includes(id);
    // An ORM depends on drivers for databases that the project does not use.
    if (jdbc && named.size > 0) return named.has(id);
    const isDriven = dependencies.some((name) => packages.test(name)) || others.test(manifest);
    return isDriven || named.has(id) || composed.includes(id);
  });
  const addresses = databases.map((database) => addressFor(database, code));
  return {
    needs: databases.map(({ id }) => id),
    assignments: addresses.flatMap(({ assignments }) => assignments).join(' '),
    toDos: addresses.flatMap(({ toDos }) => toDos),
  };
}

/** @param {string} variable @returns {boolean} whether it holds an address of a database or a part of one */
export function isAddress(variable) {
  return new RegExp(`^${PART}$|^PG[A-Z]+$`).test(variable);
}

/** @param {string} dialect @returns {string | undefined} */
function databaseOf(dialect) {
  const database = DATABASES.find(({ seen }) => seen.dialect?.test(dialect));
  return database?.id ?? (SQLITE.test(dialect) ? 'sqlite' : undefined);
}

/**
 * @param {Sources} sources
 * @param {string} folder
 * @returns {string[]} in the nearest compose file, the server's folder first
 */
function composeImages(sources, folder) {
  const file = [folder, folderOf(folder), '']
    .flatMap((place) => COMPOSE.map((name) => posix.join(place, name)))
    .find((path) => sources.has(path));
  const text = sources.get(file ?? '') ?? '';
  return [...text.matchAll(/^\s*image:\s*["']?([\w./-]+)/gm)].map(([, image = '']) => image);
}

/** @param {Database} database @param {string} code */
function addressFor({ id, seen: { names }, variables, parts }, code) {
  const known = [...variables, ...(parts ? [`${parts}HOST`] : [])];
  if (known.some((name) => new RegExp(`\\b${name}\\b`).test(code))) return { assignments: [], toDos: [] };
  const read = new Map(
    [...code.matchAll(new RegExp(PART, 'g'))].map(([, name = '', part = '']) => [name, part]),
  );
  const assignments = [...read]
    .filter(([name]) => names.test(name))
    .flatMap(([name, part]) => {
      const value = engineVariable(part, { whole: variables[0] ?? '', parts });
      return value === undefined ? [] : [`${name}=$${value}`];
    });
  const toDo = `no source reads ${variables[0]}, the address of ${id}`;
  return { assignments, toDos: assignments.length > 0 ? [] : [toDo] };
}

/**
 * @param {string} part as PART names it
 * @param {{ whole: string, parts: string | undefined }} names
 * @returns {string | undefined} the variable that holds it when the server starts
 */
function engineVariable(part, { whole, parts }) {
  if (/^UR[LI]$/.test(part)) return whole;
  if (parts === undefined) return undefined;
  if (/^(HOST|SERVER)/.test(part)) return `${parts}HOST`;
  if (part === 'PORT') return `${parts}PORT`;
  if (part.startsWith('USER')) return `${parts}USER`;
  return part.startsWith('PASS') ? `${parts}PASSWORD` : `${parts}DATABASE`;
}
