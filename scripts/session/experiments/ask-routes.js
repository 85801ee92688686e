/**
 * Asks a server that nobody knows: every GET without parameters once, then those whose parameters the answers
 * of lists have.
 * @import { Registered } from '../../observe/registered-routes.js'
 * @import { RouteAnswer } from '../../types.js'
 */

import { jsonIn } from '../../model/json.js';
import { inParallel } from '../../system/parallel.js';
import { abortIn } from '../../system/deadline.js';

/** A path that no server has: what is answered there is no route's answer. */
export const NOWHERE = '/perf-action-first-try';
const ANSWER_MS = 1000;
const AT_A_TIME = 4;
const OFTEN = 400;
const KEPT = 2 ** 20;
/** Where frameworks serve an OpenAPI document. */
const DOCUMENTS =
  '/openapi.json /docs-json /api-json /api/docs-json /v3/api-docs /api-docs /doc /docs/json /documentation/json /swagger.json /swagger/v1/swagger.json /openapi/v1.json /api/openapi.json'.split(
    ' ',
  );
/** The path of a server's address in such a document, or of its base. */
const PREFIX = /^(?:https?:\/\/[^/]*)?(\/.*?)?\/?$/;
/** :id, {id}, <int:id>. */
const PARAMETER = /:(\w+)(?:\([^)]*\))?\??|\{(\w+)[^}]*\}|<(?:\w+:)?(\w+)>/;
const DOCUMENTATION = /swagger-ui|redoc|scalar|graphiql|"(?:openapi|swagger)"\s*:/i;
/** Of Node: {"data":{"code":"ERR_INVALID_URL"}}. */
const FAILED = /"code":"(ERR_|ECONN|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ENOENT)/;
/** Shorter answers only greet. */
const GREETING_BYTES = 200;

/**
 * @param {string} url
 * @param {{ registered: Registered[], paths: string[] }} routes paths: that it may have, too
 * @param {AbortSignal} [signal]
 * @returns {Promise<RouteAnswer[]>} to what was registered, with its parameters where no list gives values;
 *   and of other paths
 */
export async function askRoutes(url, { registered, paths }, signal) {
  /** Texts by path. @type {Map<string, string>} */
  const texts = new Map();
  /** @type {(route: Registered) => Promise<RouteAnswer>} */
  const ask = async (route) => {
    const { method, path, body } = route;
    const startedAt = performance.now();
    const late = abortIn(ANSWER_MS);
    const answer = await fetch(new URL(path, url), {
      ...{ method, redirect: 'manual', signal: signal ? AbortSignal.any([late, signal]) : late },
      ...(body !== undefined && { body, headers: { 'content-type': 'application/json' } }),
    }).catch(() => undefined);
    if (!answer) return { ...route, bytes: 0, ms: ANSWER_MS, shape: /** @type {const} */ ('stream') };
    const place = new URL(answer.headers.get('location') ?? path, url).pathname;
    if (answer.status >= 300 && answer.status < 400 && place === `${path}/`)
      return ask({ ...route, path: place });
    const text = await answer.text().catch(() => undefined);
    if (text !== undefined && text.length < KEPT && answer.ok) texts.set(path, text);
    const bytes = Buffer.byteLength(text ?? '');
    const ms = performance.now() - startedAt;
    return { ...route, status: answer.status, bytes, ms, shape: shapeOf(answer, text) };
  };
  const askAll = async (/** @type {Registered[]} */ routes) => {
    /** @type {RouteAnswer[]} */
    const asked = [];
    await inParallel([...routes.entries()], AT_A_TIME, async ([place, route]) => {
      if (!signal?.aborted) asked[place] = await ask(route);
    });
    return asked.filter(Boolean);
  };
  /** @type {(path: string) => Registered} */
  const get = (path) => ({ method: 'GET', path });
  const [nowhere] = await askAll([NOWHERE, ...DOCUMENTS].map(get));
  const certain = unique([...registered, ...describedIn(texts).map(get)]).filter(
    ({ method, body }) => method === 'GET' || body !== undefined,
  );
  const known = new Set(certain.map(({ path }) => path));
  const plain = certain.filter(({ path }) => !PARAMETER.test(path));
  const guessed = [...new Set(paths)].filter((path) => !known.has(path)).map(get);
  const isThere = (/** @type {RouteAnswer} */ { status = 0 }) => ![404, 405].includes(status);
  // Some servers answer every path, with a page of their client or with what they were asked.
  const isOwn = (/** @type {RouteAnswer} */ { path, shape }) =>
    shape !== 'stream' && (path === '/' || nowhere?.status !== 200 || shape !== nowhere.shape);
  const answered = [...(await askAll(plain)), ...(await askAll(guessed)).filter(isOwn)].filter(isThere);
  const filled = certain.flatMap((route) => {
    const path = PARAMETER.test(route.path) ? filledIn(route.path, texts) : undefined;
    return path === undefined ? [] : { ...route, path, from: route.path };
  });
  const more = (await askAll(unique(filled))).filter(isThere);
  // A part of an application has its routes without the place where it is mounted.
  const isPart = (/** @type {Registered} */ route) =>
    certain.some(({ path }) => path !== route.path && path.endsWith(route.path));
  // Writes, too, of which one may be a login.
  const open = [...new Set([...certain, ...registered])].filter(
    (route) => !plain.includes(route) && !filled.some(({ from }) => from === route.path) && !isPart(route),
  );
  return [
    ...unique([...answered, ...more]),
    ...open.map((route) => ({ ...route, bytes: 0, ms: 0, shape: /** @type {const} */ ('greeting') })),
  ];
}

/** Paths of the GETs in OpenAPI documents that need no query. @param {Map<string, string>} texts by path */
function describedIn(texts) {
  return DOCUMENTS.flatMap((document) => {
    const { paths, servers, basePath } = Object(jsonIn(texts.get(document) ?? ''));
    const [, prefix = ''] = PREFIX.exec(basePath ?? servers?.[0]?.url ?? '') ?? [];
    return Object.entries(Object(paths)).flatMap(([path, { get, parameters = [] }]) => {
      const asked = [...parameters, ...(get?.parameters ?? [])];
      const isPlain = !asked.some(({ in: place, required }) => required && place !== 'path');
      return get && isPlain ? `${prefix}${path}` : [];
    });
  });
}

/**
 * Whether it refuses a client that asks often, as a load tool does.
 * @type {(url: string, answers: RouteAnswer[], signal?: AbortSignal) => Promise<boolean>}
 */
export async function isLimited(url, answers, signal) {
  const path = answers.find(({ method, status }) => method === 'GET' && status === 200)?.path;
  const end = performance.now() + ANSWER_MS;
  for (let times = 0; path && times < OFTEN && performance.now() < end && !signal?.aborted; times++) {
    const answer = await fetch(new URL(path, url), { signal: abortIn(ANSWER_MS) }).catch(() => undefined);
    await answer?.body?.cancel();
    if (answer?.status === 429) return true;
  }
  return false;
}

/** @type {<T extends { method: string, path: string }>(routes: T[]) => T[]} */
function unique(routes) {
  const by = new Map(routes.toReversed().map((route) => [`${route.method} ${route.path}`, route]));
  return routes.filter((route) => by.get(`${route.method} ${route.path}`) === route);
}

/** With values of the list above. @type {(path: string, texts: Map<string, string>) => string | undefined} */
function filledIn(path, texts) {
  const found = PARAMETER.exec(path);
  if (!found) return path;
  const name = found.slice(1).find(Boolean) ?? '';
  const above = path.slice(0, found.index);
  const list = jsonIn(texts.get(above) ?? texts.get(above.replace(/\/$/, '')) ?? '');
  const rows = [list, ...Object.values(Object(list))].find(Array.isArray) ?? [];
  const row = Object(rows[0]);
  const value = [name, 'id', '_id', name.replace(/^.*(?=[iI]d$)/, '').toLowerCase(), 'slug', 'uuid', 'name']
    .map((key) => row[key])
    .find((each) => ['string', 'number'].includes(typeof each));
  if (value === undefined) return undefined;
  return filledIn(`${above}${encodeURIComponent(value)}${path.slice(found.index + found[0].length)}`, texts);
}

/** @type {(answer: Response, text: string | undefined) => RouteAnswer['shape']} */
function shapeOf({ headers }, text) {
  if (text === undefined) return 'stream';
  if (DOCUMENTATION.test(text)) return 'documentation';
  const value = jsonIn(text);
  if (Object(value).error || FAILED.test(text)) return 'error';
  const isNested = Array.isArray(value) || Object.values(Object(value)).some((each) => Object(each) === each);
  if (isNested || (value !== undefined && text.length > GREETING_BYTES)) return 'data';
  if (!/html/.test(headers.get('content-type') ?? '') || text.length < GREETING_BYTES) return 'greeting';
  return /<form\b/i.test(text) ? 'form' : 'page';
}
