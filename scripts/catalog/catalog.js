/**
 * The servers and presets there are, and a manifest with its defaults filled in.
 * @import { Route, Server } from '../types.js'
 */

import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join, relative } from 'node:path';
import { COMPANIONS } from '../deploy/services.js';
import { DEFAULT_RUNTIME, RUNTIMES } from '../deploy/runtimes.js';
import { UserError } from '../model/errors.js';
import { readBodyFile } from '../system/body-file.js';
import { checkRequest, routeName } from './requests.js';
import { parseBytes, parseDuration, readGlobs, texts } from '../model/units.js';
import { readVariables } from '../secrets/variables.js';
import { yamlCheck, readYaml } from '../system/yaml-file.js';

/** The published schema, with the services that the registry knows as the values of `needs`. */
export const SERVER_SCHEMA = withServices(createRequire(import.meta.url)('./server.schema.json'));

const checkManifest = yamlCheck(SERVER_SCHEMA);

/** The manifest's name inside a server's folder. */
export const MANIFEST = 'server.yml';

/** @param {any} schema @returns {any} */
function withServices(schema) {
  const copy = structuredClone(schema);
  for (const { needs } of [copy.properties, copy.$defs.route.properties])
    needs.items.enum = Object.keys(COMPANIONS);
  return copy;
}

/**
 * @param {string} root the folder that holds servers/ and presets/
 * @returns {{ servers: Map<string, string>, presets: Map<string, string> }} folders and files by id
 */
export function readCatalog(root) {
  const servers = join(root, 'servers');
  const presets = join(root, 'presets');
  return {
    servers: new Map(
      readdirSync(servers)
        .filter((id) => existsSync(join(servers, id, MANIFEST)))
        .map((id) => [id, join(servers, id)]),
    ),
    presets: new Map(
      readdirSync(presets)
        .filter((file) => file.endsWith('.yml'))
        .map((file) => [basename(file, '.yml'), join(presets, file)]),
    ),
  };
}

/**
 * @param {string} folder absolute
 * @returns {Server}
 * @throws {UserError} with file and line of every mistake
 */
export function readServer(folder) {
  const file = join(folder, MANIFEST);
  const inside = relative(process.cwd(), file);
  const named = inside.startsWith('..') ? file : inside;
  const { value, lineOf } = readYaml(file, checkManifest, named);
  const id = basename(folder);
  if (value.id !== undefined && value.id !== id) {
    throw new UserError(
      `${named}:${lineOf(['id'])}: id is "${value.id}", but a server's id is its folder's name; remove id or rename the folder ${id}`,
    );
  }
  if (value.folder !== undefined) {
    throw new UserError(
      `${named}:${lineOf(['folder'])}: folder is only for servers written inside perf.yml; remove it, as this server is in the folder of its ${MANIFEST}`,
    );
  }
  return resolveServer(value, {
    id,
    folder,
    where: (key) => `${named}:${lineOf(key.split('.'))}: ${key}`,
  });
}

/**
 * @param {any} manifest valid by the schema
 * @param {{ id: string, folder: string, where: (key: string) => string }} context where: names a key in messages
 * @returns {Server}
 */
export function resolveServer(manifest, { id, folder, where }) {
  const { name = id, runtime = DEFAULT_RUNTIME, install, build, start, ready = {}, needs = [] } = manifest;
  const routes = manifest.routes.map((/** @type {any} */ written, /** @type {number} */ index) => {
    const whereIn = (/** @type {string} */ key) => where(`routes.${index}.${key}`);
    const route = resolveRoute(writtenOut(written), { folder, where: whereIn });
    checkRequest(route, { where: whereIn, caller: process.env });
    return route;
  });
  return {
    id,
    name,
    runtime,
    folder,
    ...(install !== undefined && { install }),
    ...(build !== undefined && { build }),
    start,
    ready: {
      path: ready.path === undefined ? firstOf(routes).path : requestTarget(ready.path),
      timeoutSeconds: parseDuration(ready.timeout ?? '30s', where('ready.timeout')),
    },
    routes,
    needs,
    ...readVariables(manifest, { where, caller: process.env }),
    ...readLimits(manifest, { runtime, where }),
    ...(manifest.copy && { copy: manifest.copy }),
    ...(manifest.paths && { paths: readGlobs(manifest.paths, where('paths')) }),
    ...(manifest.reference && { reference: true }),
  };
}

/**
 * @param {{ heap?: string, processors?: number }} manifest valid by the schema
 * @param {{ runtime: string, where: (key: string) => string }} context
 * @returns {Pick<Server, 'heapBytes' | 'processors'>}
 * @throws {UserError} where its runtime cannot be told
 */
function readLimits({ heap, processors }, { runtime, where }) {
  const known = RUNTIMES[runtime] ?? { label: runtime };
  for (const key of /** @type {const} */ (['heap', 'processors'])) {
    const isAsked = { heap, processors }[key] !== undefined;
    if (isAsked && !known[key])
      throw new UserError(
        `${where(key)}: ${known.label} cannot be told this here; remove it, and use \`start\` or \`env\``,
      );
  }
  return {
    ...(heap !== undefined && { heapBytes: parseBytes(heap) }),
    ...(processors !== undefined && { processors }),
  };
}

/**
 * @param {Route[]} routes
 * @returns {Route} the first that answers without services of its own, where there is one
 */
function firstOf(routes) {
  return /** @type {Route} */ (routes.find(({ needs }) => needs === undefined) ?? routes[0]);
}

/**
 * @param {any} route valid by the schema
 * @param {{ folder: string, where: (key: string) => string }} context folder: what paths are relative to; where: names a key in messages
 * @returns {Route}
 * @throws {UserError} for a body that cannot be had
 */
export function resolveRoute(route, { folder, where }) {
  const {
    path,
    method = 'GET',
    headers = {},
    secretHeaders,
    body,
    bodyFile,
    needs = [],
    expect = {},
  } = route;
  if (body !== undefined && bodyFile !== undefined)
    throw new UserError(`${where('bodyFile')}: there are both body and bodyFile; remove one of the two`);
  return {
    id: routeName(method, path),
    method,
    path: requestTarget(path),
    headers: texts(headers),
    ...(secretHeaders && { secretHeaders }),
    ...(body !== undefined && { body }),
    ...(needs.length > 0 && { needs }),
    ...(bodyFile !== undefined && {
      bodyFile: readBodyFile(bodyFile, { folder, where: where('bodyFile') }),
    }),
    expect: { status: 200, ...expect },
  };
}

/** @param {any} route valid by the schema @returns {any} "POST /items" with its keys */
function writtenOut(route) {
  if (typeof route !== 'string') return route;
  const [path, method] = route.split(/\s+/).reverse();
  return { path, ...(method !== undefined && { method }) };
}

/**
 * As a browser asks for it, so that every load tool and every check asks for the same bytes: a space becomes %20, other
 * characters that no request may contain their UTF-8; a fragment stays at home.
 * @param {string} path that begins with a slash
 * @returns {string}
 */
function requestTarget(path) {
  const { pathname, search } = new URL(`http://localhost${path}`);
  return pathname + search;
}
