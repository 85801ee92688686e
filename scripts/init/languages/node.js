/**
 * Node: packages that depend on a server framework, or whose sources open an HTTP server.
 * @import { Candidate, Recognize, Route, Sources } from '../types.js'
 * @import { Package } from './node-packages.js'
 */

import { posix } from 'node:path';
import { quoted } from '../../system/process/shell.js';
import { folderOf, idOf, joinedText, nameOf, sourcesIn } from '../folders.js';
import { reachedFrom } from '../routes/imports.js';
import { queryRoute } from '../routes/queries.js';
import { findRoute } from '../routes/routes.js';
import { completed, environmentOf } from '../server.js';
import { EXAMPLE, RATE_LIMIT } from '../settings.js';
import { entryIn, programsIn, scriptLine, startOf } from './node-entry.js';
import { FRAMEWORKS, pageRoute } from './node-frameworks.js';
import { packagesIn, pathsOf, startedByYarn } from './node-packages.js';

/** Scripts that fill the empty database, the likeliest first. */
const MIGRATIONS = (
  'db:migrate:deploy prisma:deploy migrate:deploy migrate:prod migration:run migrations:run db:migrate ' +
  'migrate:latest migrate:up migrate'
).split(' ');
/** http.createServer(handler), Bun.serve({ fetch }). */
const OPENS = /\b(?:createServer|createSecureServer|Bun\.serve|Deno\.serve)\s*\(/;
/** Commands that end without a .env file. */
const WANTS_ENV_FILE = /--env-file=\.env\b|\benv-cmd\b/;
const RATE_LIMITERS = /rate-?limit|throttler|slow-down/;

/** @type {Recognize} */
export function findNode(sources, name, preferredFolder = '') {
  return packagesIn(sources, name, preferredFolder).flatMap(readPackage);
}

/** Any package with a start script. @type {Recognize} */
export function findStartScript(sources, name, preferredFolder = '') {
  const pack = packagesIn(sources, name, preferredFolder).find(({ manifest }) => manifest.scripts?.start);
  if (!pack) return [];
  const toDo =
    'no server framework recognized: check that `start` starts an HTTP server, and which routes it has';
  const route = findRoute(pack.own);
  const server = describe(pack, { what: 'the start script', start: scriptLine('start', pack), route });
  return [{ ...server, toDos: [toDo, ...(route.declaredAt ? server.toDos : [])] }];
}

/** @param {Package} pack @returns {Candidate[]} empty if it is not a server */
function readPackage(pack) {
  const { manifest, own } = pack;
  const needed = Object.keys(manifest.dependencies ?? {});
  const framework = FRAMEWORKS.find(({ packages }) => needed.some((name) => packages.test(name)));
  if (!framework && !OPENS.test(joinedText(own))) return [];
  // A library for servers starts none, and a package that is published without a start is a library.
  const isPublished = manifest.private !== true && manifest.files !== undefined;
  const hasStart = framework?.start ?? manifest.scripts?.start;
  if (!hasStart && (isPublished || programsIn(own).length + Number(own.has('bin/www')) === 0)) return [];
  const program = startOf(pack, framework?.start);
  if (!program) return [];
  const reached = programSources(program.start, pack);
  const route =
    pageRoute(reached, framework?.pages ?? []) ?? queryRoute(reached, needed) ?? findRoute(reached);
  return [describe(pack, { what: framework?.name ?? 'an HTTP server', ...program, route })];
}

/** The package without what only its other programs import. @param {string} start @param {Package} pack @returns {Sources} */
function programSources(start, pack) {
  const { own } = pack;
  const entry = entryIn(start, pack);
  if (entry === undefined) return own;
  const ours = reachedFrom(entry, own);
  const theirs = new Set(programsIn(own).flatMap((file) => [...reachedFrom(file, own).keys()]));
  return new Map([...own].filter(([file]) => ours.has(file) || !theirs.has(file)));
}

/** @param {Package} pack @param {{ what: string, start: string, route: Route, toDos?: string[] }} program @returns {Candidate} */
function describe(pack, { what, start, route, toDos = [] }) {
  const { sources, folder, manifest, siblings, install } = pack;
  const own = withLibraries(pack);
  const dependencies = [pack, ...siblings].flatMap((member) =>
    Object.keys(member.manifest.dependencies ?? {}),
  );
  const { databases, settings } = environmentOf({ sources, own, folder, dependencies });
  const migration = databases.needs.length > 0 ? migrationOf(pack, start) : undefined;
  const build = buildOf(pack);
  const hasDependencies = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }).length > 0;
  const isLifted = Object.keys(settings.env).some((name) => RATE_LIMIT.test(name));
  const limiter = isLifted ? undefined : dependencies.find((name) => RATE_LIMITERS.test(name));
  return completed(
    {
      id: idOf(manifest.name ?? (nameOf(folder) || pack.name)),
      evidence: `${what} in ${posix.join(folder, 'package.json')}`,
      folder,
      runtime: start.startsWith('bun ') ? 'bun' : 'node',
      ...(hasDependencies && { install: install.command }),
      ...(build && { build }),
      commands: [...(migration ? [migration] : []), startedByYarn(pack, start)],
      env: { NODE_ENV: 'production' },
      route,
      paths: pathsOf(pack),
      toDos: limiter
        ? [...toDos, `${limiter} answers 429 to a client that asks often: lift its limit while measuring`]
        : toDos,
    },
    { databases, settings },
  );
}

/** With the libraries it depends on, and the workspace's examples of settings. @param {Package} pack @returns {Sources} */
function withLibraries({ sources, own, siblings, root }) {
  const libraries = siblings.flatMap((member) => [...sourcesIn(sources, member.folder)]);
  const examples = [...sources].filter(([file]) => folderOf(file) === root && EXAMPLE.test(nameOf(file)));
  return new Map([...own, ...libraries, ...examples]);
}

/** @param {Package} pack @returns {string} the libraries that it imports, then itself; empty if nothing is built */
function buildOf({ folder, manifest: { scripts = {} }, siblings, install: { run } }) {
  const libraries = siblings
    .filter((sibling) => sibling.manifest.scripts?.build !== undefined)
    .map((sibling) => `(cd ${quoted(posix.relative(folder, sibling.folder))} && ${run} build)`);
  const script = ['build', 'prestart:prod', 'prestart'].find((name) => scripts[name] !== undefined);
  return [...libraries, ...(script ? [`${run} ${script}`] : [])].join(' && ');
}

/** @param {Package} pack @param {string} start @returns {string | undefined} the command that fills the empty database */
function migrationOf({ manifest, own, folder, install: { run } }, start) {
  const { scripts = {}, dependencies = {}, devDependencies = {} } = manifest;
  if (/migrat/.test(`${start} ${scripts.start ?? ''}`)) return undefined;
  const hasPrisma = 'prisma' in { ...dependencies, ...devDependencies };
  if (hasPrisma && [...own.keys()].some((file) => nameOf(file) === 'schema.prisma'))
    return 'npx prisma db push';
  const script = MIGRATIONS.find(
    (name) => scripts[name] !== undefined && !/\bdev\b/.test(scripts[name] ?? ''),
  );
  if (!script) return undefined;
  const lacksEnvFile =
    !own.has(posix.join(folder, '.env')) && Object.values(scripts).some((line) => WANTS_ENV_FILE.test(line));
  return `${lacksEnvFile ? 'touch .env && ' : ''}${run} ${script}`;
}
