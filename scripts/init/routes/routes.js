/** The routes that a server answers, by its sources. @import { Route, Sources } from '../candidates.js' */

import { lineOf } from '../source-tree.js';
import { prefixesOf } from './prefixes.js';
import { ROUTES } from './syntax.js';

/** Words around a route, and paths, that a stranger gets no 200 from, or that never end. */
const WARY =
  /\b(redirect\w*|auth\w*|requireUser|protect\w*|isLoggedIn|ensure\w+|login_required|UseGuards|PreAuthorize|RolesAllowed|jwt\w*|passport\.\w+|get_current_\w+|verifyToken|bearer\w*|streamSSE|event-stream|EventSourceResponse|x-api-key|(?:session|req|request|ctx|state)\.user)\b/i;
const WARY_PATH =
  /\b(login|logout|signin|signup|auth|oauth|callback|admin|metrics|me|feed|profile|user|current|verify|error|docs?|swagger|openapi|stream|sse|events|upload|download|new|add|create|edit)\b|\.\w+$/;
/** Answers that cost nothing, so that no slowdown shows. */
export const HEALTH = /\b(health\w*|live(z|ness)?|read(y|yz|iness)|ping|status|version|alive)\b/i;
/** A handler that reads a database, or waits for something else. */
const WORKS = /\bawait\b|\.(query|find\w*|select|execute|aggregate)\(/;
/** A handler that answers what it has written down, gin.H{...} included. */
const GREETS = /\b(?:return|send\w*|json|text|end|string)\b[\s(]*(?:\d+,\s*)?(?:\w+\.(?:H|Map))?['"`{]/i;
/** A handler that may refuse a request without a query. */
const ASKS = /\b(?:req|request|ctx|context)\.(?:query|args|GET)\b|searchParams|\.URL\.Query\(\)/;
const FIELDS = /\b(?:body|Body)\.(\w+)|\{([\w\s,]+)\}\s*=\s*(?:await\s+)?[\w.]*\b(?:body|Body|json\(\))/g;
/** The lengths of the text after a declaration that is searched for guards, and for the fields of a body. */
const GLIMPSE = 250;
const HANDLER_LENGTH = 600;
/** :id, {id}, <int:id>, [id]; and what a prefix is called that could not be read. */
const PARAMETER = /:\w+(?:\([^)]*\))?\??|\{[^}]*\}|<[^<>]*>/g;
const UNREAD = /<<([^>]*)>>\/?/;
/** Accepted nowhere: what a token stands for in perf.yml. */
export const TOKEN = 'perf-test';

/** Of NestJS, Spring, Micronaut and JAX-RS: ("items/{id}", produces = types("text")). */
const ARGUMENTS = /\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)/.source;
/** @Get('all') @UseGuards(Member). */
const ANNOTATIONS = new RegExp(`(?:@[\\w.]+(?:${ARGUMENTS})?\\s*)+`, 'g');
/** .NET's: [HttpGet("{id}")]. */
const BRACKETS = new RegExp(`\\[((?:Http\\w+|Route|ApiController|Authorize)(?:${ARGUMENTS})?)\\]`, 'g');
const CLASS = /^(?:(?:export|default|public|abstract|final|sealed|open|data)\s+)*class\s+(\w+)/;
const CONTROLLER = /@(?:Controller|RestController|Path|RequestMapping|ApiController|Route)\b/;
const HANDLER = /@(?:Http)?(Get|Post|Put|Patch|Delete|GET|POST|PUT|PATCH|DELETE|Request)(?:Mapping)?\b/;
const WITH_PATH = new RegExp(
  `@(?:Controller|RequestMapping|Path|Route|(?:Http)?(?:Get|Post|Put|Patch|Delete)(?:Mapping)?)\\s*(${ARGUMENTS})`,
  'g',
);
/** The only argument, or one of several: ("items"), (path = "items"), ({ path: 'items' }). */
const IN_ARGUMENTS = /(?:^\(\s*\[?\{?\s*|\b(?:path|value|uri)\s*[=:]\s*[[{]?\s*)['"]([^'"]*)['"]/;
/** @Controller({ path: 'items', version: '2' }). */
const VERSION = /\bversion:\s*['"](\d+)['"]/;
const GUARD =
  /@(?:UseGuards|PreAuthorize|Secured|RolesAllowed|Authenticated|ApiBearerAuth|Authorize|Redirect|Sse)\b/;
/** Spring and Quarkus refuse a request without this argument. */
const REQUIRED = /@RequestParam(?!\([^)]*(?:required\s*=\s*false|defaultValue))/;

/**
 * The text behind it is the `handler`. A stranger may get no 200 where it is `guarded`.
 * @typedef {{ index: number, on?: string, path: string, method?: string, handler: string,
 *   guarded: boolean }} Declared
 */

/** The server's routes, the most telling first. @type {(sources: Sources) => Route[]} */
export function findRoutes(sources) {
  const prefixOf = prefixesOf(sources);
  const routes = [...sources].flatMap(([file, text]) =>
    [...declaredIn(file, text), ...annotatedIn(file, text)]
      .sort((a, b) => a.index - b.index)
      .map((declared) => {
        const path = joined(file, prefixOf({ file, on: '', ...declared }), declared.path);
        return { ...routeOf(path, declared), declaredAt: `${file}:${lineOf(text, declared.index)}` };
      })
      // Nobody knows what a pattern stands for.
      .filter(({ path }) => !/[*$<(]/.test(path)),
  );
  const keyOf = (/** @type {Route} */ { method, path }) => `${method} ${path}`;
  const unique = new Map(routes.toReversed().map((route) => [keyOf(route), route]));
  const [first, ...others] = routes
    .filter((route) => unique.get(keyOf(route)) === route)
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ rank: _, ...route }) => route);
  const isHealth = (/** @type {Route} */ { path }) => Number(HEALTH.test(path));
  return first ? [first, ...others.toSorted((a, b) => isHealth(a) - isHealth(b))] : [];
}

/** `whole` is its path. @type {(whole: string, declared: Declared) => Route & { rank: number }} */
function routeOf(whole, { method = 'GET', handler, guarded }) {
  const unread = UNREAD.exec(whole)?.[1];
  const written = whole.replace(UNREAD, '');
  const path = written.replace(PARAMETER, '1');
  const [parameter] = written.match(PARAMETER) ?? [];
  const hasBody = method !== 'GET' && method !== 'DELETE';
  const isWary = guarded || WARY_PATH.test(path);
  const header = /\bauthorization\b|\bbearer\b/i.test(handler)
    ? 'authorization'
    : /x-api-key/i.exec(handler)?.[0];
  const wants = [
    ...(unread ? [`the prefix ${unread}, which could not be read, before ${path}`] : []),
    ...(parameter ? [`a value that exists for ${parameter} in ${path}`] : []),
    ...(header ? [`a token that your server accepts on ${path}`] : []),
    ...(hasBody ? [`a body that your server accepts on ${path}`] : []),
  ];
  const check = isWary && !header ? `check that ${path} answers anybody with status 200` : undefined;
  const toDo = wants.length > 0 ? `write ${wants.join(', and ')}` : check;
  const headers = {
    ...(header && { [header]: header === 'authorization' ? `Bearer ${TOKEN}` : TOKEN }),
    ...(hasBody && { 'content-type': 'application/json' }),
  };
  return {
    path,
    ...(method !== 'GET' && { method }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(hasBody && { body: bodyFor(handler) }),
    ...(toDo && { toDo }),
    rank: rankOf({ path, method, handler, isWary, hasParameter: parameter !== undefined }),
  };
}

/**
 * @param {{ path: string, method: string, handler: string, isWary: boolean, hasParameter: boolean }} route
 * @returns {number} less is more telling
 */
function rankOf({ path, method, handler, isWary, hasParameter }) {
  const less = [method !== 'GET', isWary, hasParameter, HEALTH.test(path), ASKS.test(handler)].indexOf(true);
  if (less >= 0) return 8 - less;
  if (WORKS.test(handler)) return 0;
  return path !== '/' ? 2 : GREETS.test(handler) ? 3 : 1;
}

/** Returns JSON with the fields that the handler reads. @type {(handler: string) => string} */
function bodyFor(handler) {
  const names = [...handler.matchAll(FIELDS)].flatMap(([, name, list]) => name ?? list?.match(/\w+/g) ?? []);
  return JSON.stringify(Object.fromEntries(names.map((name) => [name, 1])));
}

/** @type {(file: string, text: string) => Declared[]} */
function declaredIn(file, text) {
  return ROUTES.filter(([, , files]) => files?.test(file) ?? true)
    .flatMap(([, pattern]) => [...text.matchAll(pattern)])
    .sort((a, b) => a.index - b.index)
    .map(({ index, 0: { length }, groups = {} }, order, all) => {
      const { path = '', on = '', method } = groups;
      const end = Math.min(all[order + 1]?.index ?? Infinity, index + HANDLER_LENGTH);
      const handler = text.slice(index + length, end);
      const guarded = WARY.test(handler.slice(0, GLIMPSE)) || asksForMore(file, text.slice(index));
      return { index, on, path, handler, guarded, method: (method ?? methodIn(handler)).toUpperCase() };
    });
}

/** Reads Flask's methods=["POST"] and Gorilla's .Methods("POST"). @type {(handler: string) => string} */
function methodIn(handler) {
  const [, list = ''] = /^[^\n]*?\b[Mm]ethods\s*[=(]([^\])]*)/.exec(handler) ?? [];
  return list.includes('GET') ? 'GET' : (/\w+/.exec(list)?.[0] ?? 'GET');
}

/** Finds those of controllers with annotations. @type {(file: string, text: string) => Declared[]} */
function annotatedIn(file, text) {
  if (!/\.([cm]?[jt]s|java|kt|cs)$/.test(file)) return [];
  const code = file.endsWith('.cs') ? text.replace(BRACKETS, '@$1 ') : text;
  let controller = { is: false, path: '', guarded: false };
  return [...code.matchAll(ANNOTATIONS)].flatMap(({ 0: block, index }) => {
    const after = code.slice(index + block.length, index + block.length + HANDLER_LENGTH);
    const [, name] = CLASS.exec(after) ?? [];
    if (name !== undefined) {
      const version = VERSION.exec(block)?.[1];
      const ofClass = pathIn(block).replace('[controller]', name.replace(/Controller$/, '').toLowerCase());
      const path = `${version ? `v${version}/` : ''}${ofClass}`;
      controller = { is: CONTROLLER.test(block), path, guarded: GUARD.test(block) };
      return [];
    }
    const [, verb = ''] = HANDLER.exec(block) ?? [];
    const [, given = 'GET'] = /RequestMethod\.(\w+)/.exec(block) ?? [];
    const method = verb === 'Request' ? given : verb.toUpperCase();
    if (!controller.is || verb === '') return [];
    const signature = after.slice(0, after.search(/\{|$/));
    return {
      index: index + block.search(HANDLER),
      path: `${controller.path}/${pathIn(block)}`,
      method,
      handler: after.slice(0, after.search(/@|$/)),
      guarded: controller.guarded || GUARD.test(block) || REQUIRED.test(signature),
    };
  });
}

/** @param {string} block of annotations */
function pathIn(block) {
  const paths = [...block.matchAll(WITH_PATH)].map((match) => IN_ARGUMENTS.exec(match[1] ?? '')?.[1] ?? '');
  return paths.filter(Boolean).join('/');
}

/**
 * FastAPI refuses a request that lacks an argument without a default. The text begins with the declaration.
 * @type {(file: string, text: string) => boolean}
 */
function asksForMore(file, text) {
  if (!file.endsWith('.py')) return false;
  const [, names = ''] = /\bdef \w+\(([^)]*)\)/.exec(text.slice(0, 2 * GLIMPSE)) ?? [];
  return names
    .split(',')
    .some((name) => /^\s*\w+\s*:[^=]*$/.test(name) && !/Request|Depends|Annotated|Response/.test(name));
}

/** Only JavaScript drops a router's "/". @type {(file: string, prefix: string, path: string) => string} */
function joined(file, prefix, path) {
  const whole = `/${prefix}/${path}`.replace(/\/+/g, '/');
  const asWritten = path.endsWith('/') || (path === '' && file.endsWith('urls.py'));
  const isScript = /\.([mc]?[jt]sx?|java|kt|cs|rs)$/.test(file);
  return asWritten && !isScript ? whole : whole.replace(/(.)\/$/, '$1');
}
