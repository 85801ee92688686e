/**
 * Finds a route that a server answers, as its sources declare it.
 * @import { Route, Sources } from '../types.js'
 */

import { lineOf } from '../folders.js';
import { annotatedRoutes } from './annotations.js';
import { prefixesOf } from './prefixes.js';

/** A path without parameters, patterns or holes. */
const PLAIN = `(?<path>/[\\w./~-]*)`;
const GET = `method:\\s*['"]GET['"]`;
const QUOTED = `['"\`]${PLAIN}['"\`]`;
/** The variable a route is declared on; clients and caches are not routers. */
const ON = `(?:(?<on>\\b(?!axios|https?\\b|client|fetch|request|supertest|cache|redis|config|headers|map\\b)[\\w$]+)\\s*)?`;

/** @type {{ files?: RegExp, pattern: RegExp }[]} */
const DECLARATIONS = [
  // Express, Fastify, Koa's router, Hono, Gin, Echo, Fiber, Slim: app.get('/path', ...), r.GET("/path", ...).
  { pattern: new RegExp(`${ON}(?:\\.|->)(?:get|GET|Get)(?:<[^()]*>)?\\(\\s*${QUOTED}\\s*,`, 'g') },
  // AdonisJS: router.on('/path').render(...).
  { pattern: new RegExp(`${ON}\\.on\\(\\s*${QUOTED}\\s*\\)\\s*\\.render`, 'g') },
  // Express: router.route('/path').get(...).
  { pattern: new RegExp(`${ON}\\.route\\(\\s*${QUOTED}\\s*\\)[^;]{0,300}?\\.get\\(`, 'g') },
  // Fastify and Hapi: { method: 'GET', url: '/path' }, either way round.
  { pattern: new RegExp(`${ON}\\.route\\(\\{\\s*${GET},\\s*(?:url|path):\\s*${QUOTED}`, 'g') },
  { pattern: new RegExp(`${ON}\\.route\\(\\{\\s*(?:url|path):\\s*${QUOTED},\\s*${GET}`, 'g') },
  // Go: HandleFunc("/path", ...), Handle("GET /path", ...).
  {
    files: /\.go$/,
    pattern: new RegExp(
      `${ON}\\.Handle(?:Func)?\\(\\s*"(?:GET )?${PLAIN}(?:\\{\\$\\})?"(?![^\\n]*Methods\\("(?!GET))`,
      'g',
    ),
  },
  // Laravel: Route::get('/path', ...).
  { files: /\.php$/, pattern: new RegExp(`Route::get\\(\\s*['"](?<path>/?[\\w./~-]*)['"]`, 'g') },
  // FastAPI and Flask: @app.get("/path"), @app.route("/path").
  {
    files: /\.py$/,
    pattern: new RegExp(
      `@(?<on>\\w+)\\.(?:get|route)\\(\\s*["'](?<path>/[\\w./~-]*|)["'](?![^)]*methods\\s*=\\s*\\[(?![^\\]]*GET))`,
      'g',
    ),
  },
  // Django: path("path/", view).
  {
    files: /urls\.py$/,
    pattern: /\bpath\(\s*["'](?<path>[\w./~-]*)["']\s*,\s*(?!include|admin\b)/g,
  },
];

/** Words around a route, and paths, that a stranger gets no 200 from. */
const WARY =
  /\b(redirect\w*|auth\w*|requireUser|protect\w*|isLoggedIn|ensure\w+|login_required|UseGuards|PreAuthorize|RolesAllowed|jwt\w*|passport\.\w+|get_current_\w+|verifyToken|bearer\w*)\b/i;
const WARY_PATH =
  /\b(login|logout|signin|signup|auth|oauth|callback|admin|metrics|me|feed|profile|user|current|verify|error|docs?|swagger|stream|events|upload|download)\b|\.\w+$/;
/** The length of the text after a declaration that is searched. */
const GLIMPSE = 250;

/**
 * @param {Sources} sources those of the server
 * @returns {Route} the root if it is answered, else the first that anybody may ask; otherwise a guess
 */
export function findRoute(sources) {
  const prefixOf = prefixesOf(sources);
  const routes = [...sources].flatMap(([file, text]) => routesIn(file, text, prefixOf));
  const open = routes.filter(({ wary }) => !wary);
  const route = open.find(({ path }) => path === '/') ?? open[0] ?? routes[0];
  if (route === undefined) return { path: '/' };
  const { path, declaredAt, wary } = route;
  return { path, declaredAt, ...(wary && { isDoubtful: true }) };
}

/** @param {string} file @param {string} text @param {ReturnType<typeof prefixesOf>} prefixOf */
function routesIn(file, text, prefixOf) {
  const declared = DECLARATIONS.filter(({ files }) => files?.test(file) ?? true)
    .flatMap(({ pattern }) => [...text.matchAll(pattern)])
    .sort((a, b) => a.index - b.index)
    .map((match, order, all) => {
      const { path = '', on = '' } = match.groups ?? {};
      const until = Math.min(all[order + 1]?.index ?? text.length, match.index + GLIMPSE);
      const after = text.slice(match.index + match[0].length, until);
      return {
        index: match.index,
        on,
        path,
        guarded: WARY.test(after) || asksForMore(file, text, match.index),
      };
    });
  const annotated = annotatedRoutes(file, text).map((route) => ({ ...route, on: '' }));
  return [...declared, ...annotated]
    .sort((a, b) => a.index - b.index)
    .flatMap(({ index, on, path: written, guarded }) => {
      const path = joined(file, prefixOf({ file, on, index }), written);
      // With parameters or patterns, nobody knows what to ask for.
      if (/[:{<*$]/.test(path)) return [];
      return { path, declaredAt: `${file}:${lineOf(text, index)}`, wary: guarded || WARY_PATH.test(path) };
    });
}

/** FastAPI refuses a request that lacks an argument without a default. @param {string} file @param {string} text @param {number} index */
function asksForMore(file, text, index) {
  if (!file.endsWith('.py')) return false;
  const [, names = ''] = /\bdef \w+\(([^)]*)\)/.exec(text.slice(index, index + 2 * GLIMPSE)) ?? [];
  return names
    .split(',')
    .some((name) => /^\s*\w+\s*:[^=]*$/.test(name) && !/Request|Depends|Annotated|Response/.test(name));
}

/** In JavaScript a router's own "/" is its prefix; elsewhere the slash counts. @param {string} file @param {string} prefix @param {string} path */
function joined(file, prefix, path) {
  const whole = `/${prefix}/${path}`.replace(/\/+/g, '/');
  const asWritten = path.endsWith('/') || (path === '' && file.endsWith('urls.py'));
  const isScript = /\.([mc]?[jt]sx?|java|kt)$/.test(file);
  return asWritten && !isScript ? whole : whole.replace(/(.)\/$/, '$1');
}
