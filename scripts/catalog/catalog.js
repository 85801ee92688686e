/**
 * The servers and presets there are, and a manifest with its defaults filled in.
 * @import { Caller, Login, Route, Server } from '../types.js'
 */

import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { SERVICES } from '../deploy/services.js';
import { DEFAULT_RUNTIME, RUNTIMES } from '../deploy/runtimes.js';
import { defined } from '../model/defined.js';
import { UserError } from '../model/errors.js';
import { parseBytes, parseDuration, readGlobs, texts } from '../model/units.js';
import { hidingPasswords, hidingRequest, hidingVariables, reveal } from '../secrets/secrets.js';
import { readVariables, TOKEN } from '../secrets/variables.js';
import { readBodyFile } from '../system/body-file.js';
import { placeFrom } from '../system/folder.js';
import { yamlCheck, readYaml } from '../system/yaml-file.js';
import { readData } from './data.js';
import { checkRequest, requestTarget, routeName, splitRoute, withJson } from './route-requests.js';

/** The published schema, with the services that the registry knows as the values of `needs`. */
export const SERVER_SCHEMA = structuredClone(createRequire(import.meta.url)('./server.schema.json'));
for (const { needs } of [SERVER_SCHEMA.properties, SERVER_SCHEMA.$defs.route.properties])
  needs.items.enum = Object.keys(SERVICES);

const checkManifest = yamlCheck(SERVER_SCHEMA);

/** The manifest's name inside a server's folder. */
export const MANIFEST = 'server.yml';

/**
 * @param {string} root the folder that holds servers/ and presets/
 * @returns {{ servers: Map<string, string>, presets: Map<string, string> }} folders and files by id
 */
export function readCatalog(root) {
  const servers = join(root, 'servers');
  const presets = join(root, 'presets');
  const ids = readdirSync(servers).filter((id) => existsSync(join(servers, id, MANIFEST)));
  const files = readdirSync(presets).filter((file) => file.endsWith('.yml'));
  return {
    servers: new Map(ids.map((id) => [id, join(servers, id)])),
    presets: new Map(files.map((file) => [basename(file, '.yml'), join(presets, file)])),
  };
}

/** Returns all of the catalogue. @type {(root: string, caller: Caller) => Server[]} */
export function catalogServers(root, caller) {
  return [...readCatalog(root).servers.values()].map((folder) => readServer(folder, caller));
}

/**
 * Reads an absolute folder.
 * @type {(folder: string, caller: Caller) => Server}
 * @throws {UserError} with file and line of every mistake
 */
export function readServer(folder, caller) {
  const file = join(folder, MANIFEST);
  const named = placeFrom(caller.folder, file);
  const { value, lineOf } = readYaml(file, checkManifest, named);
  const id = basename(folder);
  const where = (/** @type {string} */ key) => `${named}:${lineOf(key.split('.'))}: ${key}`;
  if (value.id !== undefined && value.id !== id) {
    throw new UserError(
      `${where('id')} is "${value.id}", but a server's id is its folder's name; remove id or rename the folder ${id}`,
    );
  }
  if (value.folder !== undefined) {
    throw new UserError(
      `${where('folder')} is only for servers written inside perf.yml; remove it, as this server is in the folder of its ${MANIFEST}`,
    );
  }
  return resolveServer(value, { id, folder, where, caller });
}

/**
 * @param {any} manifest valid by the schema
 * @param {{ id: string, folder: string, where: (key: string) => string, caller: Caller }} context
 *   where: names a key in messages
 * @returns {Server}
 * @throws {UserError} for what cannot be given to a server or sent to it
 */
export function resolveServer(manifest, { id, folder, where, caller }) {
  /** @type {Pick<Server, 'start'> & Partial<Server>} */
  const { name = id, runtime = DEFAULT_RUNTIME, install, build, setup, start, needs = [], copy } = manifest;
  const { ready = {} } = manifest;
  const { token, ...login } = manifest.before ?? {};
  const whereIn = (/** @type {string} */ key) => where(`before.${key}`);
  /** @type {Login | undefined} */
  const before = manifest.before && { ...resolveRoute(login, { folder, caller, where: whereIn }), token };
  const given = before ? [TOKEN] : [];
  /** @type {Route[]} */
  const routes = manifest.routes.map((/** @type {any} */ written, /** @type {number} */ index) => {
    const inRoute = (/** @type {string} */ key) => where(`routes.${index}.${key}`);
    return resolveRoute(written, { folder, where: inRoute, caller, given });
  });
  const first = routes.find(
    ({ needs = [], path }) => needs.length === 0 && !(before && path.includes(`\${${TOKEN}}`)),
  );
  const readyPath = ready.path === undefined ? firstPath(first) : requestTarget(ready.path);
  const { environment } = caller;
  checkRequest({ path: readyPath, headers: {} }, { where: () => where('ready.path'), environment });
  const { env, passEnv } = readVariables(manifest, { where, environment });
  return defined({
    ...{ id, name, runtime, folder, install, build, setup, start },
    ready: {
      path: hidingPasswords(readyPath),
      timeoutSeconds: parseDuration(ready.timeout ?? '30s', where('ready.timeout')),
    },
    ...{ routes, before, needs },
    env: hidingVariables(env),
    passEnv,
    ...readLimits(manifest, { runtime, where }),
    version: readVersion(manifest, { runtime, where }),
    copy,
    paths: manifest.paths && readGlobs(manifest.paths, where('paths')),
    reference: manifest.reference || undefined,
  });
}

/**
 * @param {{ heap?: string, processors?: number }} manifest valid by the schema
 * @param {{ runtime: string, where: (key: string) => string }} context
 * @throws {UserError} if its runtime has no such limit
 */
function readLimits({ heap, processors }, { runtime, where }) {
  const known = RUNTIMES[runtime] ?? { label: runtime };
  for (const [key, value] of /** @type {const} */ ([
    ['heap', heap],
    ['processors', processors],
  ])) {
    if (value !== undefined && !known[key])
      throw new UserError(
        `${where(key)}: ${known.label} cannot be limited here; remove it, and use \`start\` or \`env\``,
      );
  }
  return { heapBytes: heap === undefined ? undefined : parseBytes(heap), processors };
}

/**
 * @param {{ node?: string | number }} manifest valid by the schema
 * @param {{ runtime: string, where: (key: string) => string }} context
 * @returns {string | undefined} of its runtime
 * @throws {UserError} if it does not run on Node
 */
function readVersion({ node }, { runtime, where }) {
  if (node === undefined || runtime === 'node') return node?.toString();
  throw new UserError(
    `${where('node')}: the server runs on ${RUNTIMES[runtime]?.label ?? runtime}; remove it`,
  );
}

/**
 * @param {any} written a route that is valid by the schema, or its name like "POST /items"
 * @param {{ folder: string, where: (key: string) => string, caller: Caller, given?: string[] }} context
 *   folder: what paths are relative to; where: names a key in messages; given: names beside the caller's
 *   variables
 * @returns {Route}
 * @throws {UserError} for what cannot be sent, or a body file that cannot be read
 */
export function resolveRoute(written, { folder, where, caller, given = [] }) {
  const request = typeof written === 'string' ? splitRoute(written) : written;
  const { path, method, headers = {}, body, bodyFile, data, expect, ...others } = filled(request);
  const plain = /** @type {Route} */ (
    defined({
      ...others,
      id: routeName(method, path),
      method,
      path: requestTarget(path),
      ...withJson(texts(headers), body),
      bodyFile: bodyFile && readBodyFile(bodyFile, { folder, where: where('bodyFile') }),
      expect: { status: 200, ...expect },
    })
  );
  const route =
    data === undefined ? plain : { ...plain, data: readData(data, { route: plain, folder, where }) };
  checkRequest(route, { where, environment: caller.environment, given });
  return hidingRequest(route);
}

/** With the schema's defaults, and without what is `false`. @type {(written: any) => any} */
function filled(written) {
  const keys = Object.entries(SERVER_SCHEMA.$defs.route.properties);
  const values = keys.map(([key, { default: standard }]) => [key, written[key] ?? standard]);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined && value !== false));
}

/** What its first request asks for; variables stay as they are. @type {(route?: Route) => string} */
function firstPath(route) {
  const { path, data } = route ?? { path: '/' };
  const [row = {}] = data?.rows ?? [];
  return reveal(path, (name) =>
    Object.hasOwn(row, name) ? encodeURIComponent(String(row[name])) : `\${${name}}`,
  );
}
