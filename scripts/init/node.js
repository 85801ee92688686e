/**
 * Node: packages that depend on a server framework, or whose sources open an HTTP server.
 * @import { Found, Sources } from './types.js'
 */

import picomatch from 'picomatch';
import { findRoute, lineOf } from './routes.js';

const FRAMEWORKS = [
  { name: 'NestJS', packages: /^@nestjs\/core$/ },
  { name: 'Express', packages: /^express$/ },
  { name: 'Fastify', packages: /^fastify$/ },
  { name: 'Koa', packages: /^koa$/ },
  { name: 'hapi', packages: /^@hapi\/hapi$/ },
  { name: 'Hono', packages: /^@hono\/node-server$/ },
];
const OPENS_SERVER = /\b(?:createServer|createSecureServer)\s*\(/;
const SERVICES = [
  {
    id: 'postgres',
    packages: /^(pg|postgres|pg-promise|slonik|@prisma\/adapter-pg)$/,
    variable: 'DATABASE_URL',
  },
  {
    id: 'redis',
    packages: /^(redis|ioredis|@redis\/client|@fastify\/redis|bullmq|connect-redis)$/,
    variable: 'REDIS_URL',
  },
];
/** What restarts, compiles on the fly or watches is for people at work, not for a measurement. */
const FOR_WORK = /\b(nodemon|ts-node-dev|tsx watch|nest start|--watch|pm2|concurrently)\b/;
/** A script that is one plain command can do without npm and a shell around the server. */
const PLAIN_COMMAND = /^node [\w./ =-]+$/;
const USUAL_ENTRIES = ['server', 'index', 'app', 'main', 'src/server', 'src/index', 'src/app', 'src/main'];
/** withDev: with NODE_ENV=production they leave out what the build needs, unless told. */
const INSTALLS = [
  { lock: 'package-lock.json', command: 'npm ci', withDev: '--include=dev', run: 'npm run' },
  { lock: 'npm-shrinkwrap.json', command: 'npm ci', withDev: '--include=dev', run: 'npm run' },
  {
    lock: 'pnpm-lock.yaml',
    command: 'pnpm install --frozen-lockfile',
    withDev: '--prod=false',
    run: 'pnpm run',
  },
  { lock: 'yarn.lock', command: 'yarn install --immutable', withDev: '', run: 'yarn run' },
];
const YARN_CLASSIC = {
  lock: 'yarn.lock',
  command: 'yarn install --frozen-lockfile',
  withDev: '--production=false',
  run: 'yarn run',
};
const NO_LOCK = {
  lock: undefined,
  command: 'npm install --no-audit --no-fund',
  withDev: '--include=dev',
  run: 'npm run',
};

/**
 * @typedef {{ name?: string, main?: string, scripts?: Record<string, string>, dependencies?: Record<string, string>,
 *   devDependencies?: Record<string, string>, workspaces?: string[] | { packages?: string[] } }} Manifest
 */

/**
 * @param {Sources} sources
 * @param {string} name the repository's
 * @returns {Found[]}
 */
export function findNode(sources, name) {
  const members = membersOf(sources);
  const packages = [...sources.keys()]
    .filter((file) => file === 'package.json' || file.endsWith('/package.json'))
    .map((file) => file.slice(0, -'/package.json'.length))
    .map((folder) => ({ folder, manifest: readManifest(sources, folder) }));
  const found = packages.flatMap(({ folder, manifest }) =>
    readPackage({ sources, folder, root: members.has(folder) ? '' : folder, manifest, name }),
  );
  const servers = new Set(found.map(({ folder }) => folder));
  const shared = [...members].filter((folder) => !servers.has(folder));
  const lock = installIn(sources, '').lock;
  return found.map((server) =>
    members.has(server.folder) ? { ...server, paths: memberPaths(server.folder, shared, lock) } : server,
  );
}

/**
 * @param {Sources} sources
 * @param {string} folder
 * @returns {Manifest} empty where it is no JSON
 */
function readManifest(sources, folder) {
  try {
    return JSON.parse(sources.get(inside(folder, 'package.json')) ?? '{}') ?? {};
  } catch {
    return {};
  }
}

/**
 * @param {Sources} sources
 * @returns {Set<string>} the folders of the workspaces' packages
 */
function membersOf(sources) {
  const { workspaces } = readManifest(sources, '');
  const listed = Array.isArray(workspaces) ? workspaces : (workspaces?.packages ?? []);
  const pnpm = [...(sources.get('pnpm-workspace.yaml') ?? '').matchAll(/^\s*-\s*['"]?([^'"\s#]+)/gm)];
  const globs = [...listed, ...pnpm.map((match) => match[1] ?? '')].map((glob) => glob.replace(/^\.\//, ''));
  const isMember = picomatch(globs);
  const folders = [...sources.keys()].flatMap((file) => /^(.+)\/package\.json$/.exec(file)?.[1] ?? []);
  return new Set(globs.length > 0 ? folders.filter((folder) => isMember(folder)) : []);
}

/**
 * @param {{ sources: Sources, folder: string, root: string, manifest: Manifest, name: string }} of root: where it is
 *   installed from
 * @returns {Found[]} none where it is no server
 */
function readPackage({ sources, folder, root, manifest, name }) {
  const own = sourcesIn(sources, folder);
  const needed = Object.keys(manifest.dependencies ?? {});
  const framework = FRAMEWORKS.find(({ packages }) => needed.some((each) => packages.test(each)));
  const opens = [...own.values()].some((text) => OPENS_SERVER.test(text));
  const install = installIn(sources, root);
  const start = startOf({ manifest, own, folder, run: install.run });
  if (!start || (!framework && !opens)) return [];
  const builds = manifest.scripts?.build !== undefined;
  const needs = SERVICES.filter(({ packages }) => needed.some((each) => packages.test(each)));
  const route = findRoute(own);
  return [
    {
      id: idOf(manifest.name ?? (folder.split('/').at(-1) || name)),
      seen: `${framework?.name ?? 'an HTTP server'} in ${inside(folder, 'package.json')}`,
      folder,
      runtime: 'node',
      ...(builds
        ? { install: `${install.command} ${install.withDev}`.trimEnd(), build: `${install.run} build` }
        : needed.length > 0 && { install: install.command }),
      start,
      env: { NODE_ENV: 'production' },
      needs: needs.map(({ id }) => id),
      route,
      paths: [],
      doubts: [
        ...portDoubts(own),
        ...needs
          .filter(({ variable }) => ![...own.values()].some((text) => text.includes(variable)))
          .map(({ id, variable }) => `nothing reads ${variable}, which holds the address of ${id}`),
      ],
    },
  ];
}

/**
 * The scripts first, as their author knows; then the entry point; then what people usually call it.
 * @param {{ manifest: Manifest, own: Sources, folder: string, run: string }} of
 * @returns {string | undefined}
 */
function startOf({ manifest: { main, scripts = {} }, own, folder, run }) {
  const script = ['start:prod', 'start'].find((each) => scripts[each] && !FOR_WORK.test(scripts[each] ?? ''));
  const command = script && scripts[script]?.trim();
  if (command && PLAIN_COMMAND.test(command)) return command;
  if (script) return script === 'start' ? run.replace(/ run$/, ' start') : `${run} ${script}`;
  const has = (/** @type {string} */ file) => own.has(inside(folder, file));
  const entry = [
    main?.replace(/^\.\//, ''),
    ...USUAL_ENTRIES.flatMap((each) => [`${each}.js`, `${each}.mjs`, `${each}.cjs`]),
  ];
  const file = entry.find((each) => each !== undefined && has(each));
  return file && `node ${file}`;
}

/**
 * @param {Sources} own
 * @returns {string[]}
 */
function portDoubts(own) {
  if ([...own.values()].some((text) => /\bPORT\b/.test(text))) return [];
  for (const [file, text] of own) {
    const fixed = /\.listen\(\s*(?:\{\s*port:\s*)?(\d{2,5})\b/.exec(text);
    if (fixed) {
      return [
        `${file}:${lineOf(text, fixed.index)} listens on ${fixed[1]}; it must listen on process.env.PORT to be measured`,
      ];
    }
  }
  return ['nothing reads PORT; the server must listen on process.env.PORT to be measured'];
}

/**
 * In a workspace the dependencies are those of the root's lock file, and the other packages' code is part of the server.
 * @param {string} folder
 * @param {string[]} shared folders of packages that are no servers
 * @param {string | undefined} lock
 */
function memberPaths(folder, shared, lock) {
  return [...[folder, ...shared].map((each) => `${each}/**`), 'package.json', ...(lock ? [lock] : [])];
}

/**
 * @param {Sources} sources
 * @param {string} folder
 */
function installIn(sources, folder) {
  const found = INSTALLS.find(({ lock }) => sources.has(inside(folder, lock))) ?? NO_LOCK;
  const classic = sources.get(inside(folder, 'yarn.lock'))?.includes('# yarn lockfile v1');
  return found.lock === YARN_CLASSIC.lock && classic ? YARN_CLASSIC : found;
}

/**
 * @param {Sources} sources
 * @param {string} folder
 * @returns {Sources} without packages that lie further down
 */
export function sourcesIn(sources, folder) {
  const below = [...sources.keys()]
    .filter((file) => file.endsWith('/package.json'))
    .map((file) => file.slice(0, -'package.json'.length))
    .filter((each) => each.length > folder.length + 1 && each.startsWith(folder && `${folder}/`));
  return new Map(
    [...sources].filter(
      ([file]) => file.startsWith(folder && `${folder}/`) && !below.some((each) => file.startsWith(each)),
    ),
  );
}

/**
 * @param {string} folder
 * @param {string} file
 */
export function inside(folder, file) {
  return folder ? `${folder}/${file}` : file;
}

/**
 * @param {string} name a package's, with its scope or not
 * @returns {string} fit for an id
 */
export function idOf(name) {
  const plain = name
    .replace(/^@[^/]+\//, '')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '');
  return plain.toLowerCase() || 'app';
}
