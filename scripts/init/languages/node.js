/**
 * Node: packages that depend on a server framework, or whose sources open an HTTP server.
 * @import { Found, Recognize, Sources } from '../types.js'
 * @import { Manifest } from './node-packages.js'
 */

import { posix } from 'node:path';
import { findDatabases } from '../databases.js';
import { entryIn, LISTENS, startOf } from './node-entry.js';
import { folderOf, idOf, inside, nameOf, sourcesIn, textOf } from '../folders.js';
import { FRAMEWORKS } from './node-frameworks.js';
import { foundByYarn, installIn, memberPaths, membersOf, readManifest, siblingsOf } from './node-packages.js';
import { findQuery } from '../routes/queries.js';
import { reachedFrom } from '../routes/imports.js';
import { findRoute } from '../routes/routes.js';
import { findSettings } from '../settings.js';

/** The engine's database is empty at the first boot. */
const MIGRATIONS = [
  'db:migrate:deploy',
  'prisma:deploy',
  'migrate:deploy',
  'migrate:prod',
  'migration:run',
  'migrations:run',
  'db:migrate',
  'migrate:latest',
  'migrate:up',
  'migrate',
];
const OPENS = /\b(?:createServer|createSecureServer|Bun\.serve|Deno\.serve)\s*\(/;

/** @type {Recognize} */
export function findNode(sources, name) {
  const members = membersOf(sources);
  const folders = [...sources.keys()].filter((file) => nameOf(file) === 'package.json').map(folderOf);
  const found = folders.flatMap((folder) =>
    readPackage({ sources, folder, root: members.has(folder) ? '' : folder, name }),
  );
  return found.map((server) =>
    members.has(server.folder) ? { ...server, paths: memberPaths(sources, server.folder, members) } : server,
  );
}

/**
 * What has a start script is started by it, be it known or not.
 * @type {Recognize}
 */
export function findStartScript(sources, name) {
  const [file] = [...sources.keys()].filter(
    (each) => nameOf(each) === 'package.json' && readManifest(sources, folderOf(each)).scripts?.start,
  );
  if (file === undefined) return [];
  const folder = folderOf(file);
  const { lock, run } = installIn(sources, folder);
  return describePackage(
    { sources, folder, root: lock ? folder : '', name },
    run.replace(/ run$/, ' start'),
    {
      what: 'the start script',
      doubts: [
        'no server framework recognized: check that `start` starts an HTTP server, and which routes it has',
      ],
    },
  );
}

/** root: where it is installed from; name: the repository's. @typedef {{ sources: Sources, folder: string, root: string, name: string }} Package */

/**
 * @param {Package} of
 * @returns {Found[]} none where it is no server
 */
function readPackage(of) {
  const { sources, folder } = of;
  const manifest = readManifest(sources, folder);
  const own = sourcesIn(sources, folder);
  const needed = Object.keys(manifest.dependencies ?? {});
  const framework = FRAMEWORKS.find(({ packages }) => needed.some((each) => packages.test(each)));
  const code = textOf(own);
  if (!framework && !OPENS.test(code)) return [];
  const usual = framework?.start;
  // A library for servers starts none, and what is published without a start is one.
  const isPublished = manifest.private !== true && manifest.files !== undefined;
  if (!usual && !manifest.scripts?.start && (isPublished || !LISTENS.test(code))) return [];
  const start = startOf({ manifest, own, folder, run: installIn(sources, of.root).run, usual });
  if (!start) return [];
  const program = programOf(start, own, folder);
  return describePackage(of, start, {
    what: framework?.name ?? 'an HTTP server',
    route: framework?.route?.(program.sources) ?? findQuery(program.sources, needed) ?? program.route,
    doubts: program.doubts,
  });
}

/**
 * Of several programs in one package only the one that is started answers.
 * @param {string} start
 * @param {Sources} own
 * @param {string} folder
 * @returns {{ sources: Sources, route?: Found['route'], doubts: string[] }}
 */
function programOf(start, own, folder) {
  const entry = entryIn(start, own, folder);
  const programs = [...own].filter(([file, text]) => /\.[mc]?[jt]s$/.test(file) && LISTENS.test(text));
  if (entry === undefined || programs.length < 2) return { sources: own, doubts: [] };
  const sources = reachedFrom(entry, own);
  const route = findRoute(sources);
  const doubts =
    route.at === undefined ? [`which route does ${entry} answer? it is one of several programs here`] : [];
  return { sources, route, doubts };
}

/**
 * @param {Package} of
 * @param {string} start
 * @param {{ what: string, route?: Found['route'] | undefined, doubts?: string[] }} seen
 * @returns {Found[]} one
 */
function describePackage({ sources, folder, root, name }, start, { what, route, doubts = [] }) {
  const manifest = readManifest(sources, folder);
  const own = sourcesIn(sources, folder);
  const { command, run } = installIn(sources, root);
  const dependencies = Object.keys(manifest.dependencies ?? {});
  const isEmpty = dependencies.length + Object.keys(manifest.devDependencies ?? {}).length === 0;
  const databases = findDatabases({ sources, own, folder, dependencies });
  const { env, copy, missing } = findSettings(own, folder);
  const build = ['build', 'prestart:prod', 'prestart'].find((each) => manifest.scripts?.[each] !== undefined);
  // What a library builds is what the server imports.
  const builds = [
    ...siblingsOf(sources, folder, root === folder ? new Set() : membersOf(sources))
      .filter((each) => readManifest(sources, each).scripts?.build !== undefined)
      .map((each) => `(cd ${posix.relative(folder, each)} && ${run} build)`),
    ...(build === undefined ? [] : [`${run} ${build}`]),
  ];
  const first = databases.needs.length > 0 ? migrationOf(manifest, own, { run, start }) : undefined;
  const line = [databases.assignments, foundByYarn(sources, { root, start })].filter(Boolean).join(' ');
  return [
    {
      id: idOf(manifest.name ?? (folder.split('/').at(-1) || name)),
      seen: `${what} in ${inside(folder, 'package.json')}`,
      folder,
      runtime: start.startsWith('bun ') ? 'bun' : 'node',
      ...(!isEmpty && { install: command }),
      ...(builds.length > 0 && { build: builds.join(' && ') }),
      start:
        first === undefined ? line : `${[databases.assignments, first].filter(Boolean).join(' ')} && ${line}`,
      env: { NODE_ENV: 'production', ...env },
      ...(copy.length > 0 && { copy }),
      needs: databases.needs,
      route: route ?? findRoute(own),
      paths: [],
      doubts: [
        ...doubts,
        ...databases.doubts,
        ...(missing.length > 0 ? [`give values under env: ${missing.join(', ')}`] : []),
      ],
    },
  ];
}

/**
 * @param {Manifest} manifest
 * @param {Sources} own
 * @param {{ run: string, start: string }} of
 * @returns {string | undefined}
 */
function migrationOf({ scripts = {}, dependencies = {}, devDependencies = {} }, own, { run, start }) {
  if (/migrat/.test(`${start} ${scripts.start ?? ''}`)) return undefined;
  if (
    [...own.keys()].some((file) => nameOf(file) === 'schema.prisma') &&
    { ...dependencies, ...devDependencies }.prisma
  )
    return 'npx prisma db push --skip-generate';
  const script = MIGRATIONS.find(
    (each) => scripts[each] !== undefined && !/\bdev\b/.test(scripts[each] ?? ''),
  );
  return script && `${run} ${script}`;
}
