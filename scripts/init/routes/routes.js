/** Finds a route that a server answers, as its sources declare it. @import { Route, Sources } from '../types.js' */

import { lineOf } from '../folders.js';
import { prefixesOf } from './prefixes.js';
import { ROUTES } from './syntax.js';

/** Words around a route, and paths, that a stranger gets no 200 from. */
const WARY =
  /\b(redirect\w*|auth\w*|requireUser|protect\w*|isLoggedIn|ensure\w+|login_required|UseGuards|PreAuthorize|RolesAllowed|jwt\w*|passport\.\w+|get_current_\w+|verifyToken|bearer\w*)\b/i;
const WARY_PATH =
  /\b(login|logout|signin|signup|auth|oauth|callback|admin|metrics|me|feed|profile|user|current|verify|error|docs?|swagger|stream|events|upload|download)\b|\.\w+$/;
/** The length of the text after a declaration that is searched. */
const GLIMPSE = 250;

/** Of NestJS, Spring, Micronaut and JAX-RS: ("items/{id}", produces = types("text")). */
const ARGUMENTS = /\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)/.source;
/** @Get('all') @UseGuards(Member). */
const ANNOTATIONS = new RegExp(`(?:@[\\w.]+(?:${ARGUMENTS})?\\s*)+`, 'g');
const CLASS = /^(?:(?:export|default|public|abstract|final|open|data)\s+)*class\b/;
const CONTROLLER = /@(?:Controller|RestController|Path|RequestMapping)\b/;
const HANDLER = /@(?:Get|GetMapping|GET|RequestMapping)\b/;
const WITH_PATH = new RegExp(`@(?:Controller|RequestMapping|Path|Get|GetMapping)\\s*(${ARGUMENTS})`, 'g');
/** The only argument, or one of several: ("items"), (path = "items"), ({ path: 'items' }). */
const IN_ARGUMENTS = /(?:^\(\s*\[?\{?\s*|\b(?:path|value|uri)\s*[=:]\s*[[{]?\s*)['"]([^'"]*)['"]/;
/** @Controller({ path: 'items', version: '2' }). */
const VERSION = /\bversion:\s*['"](\d+)['"]/;
const GUARD = /@(?:UseGuards|PreAuthorize|Secured|RolesAllowed|Authenticated|ApiBearerAuth|Redirect|Sse)\b/;
/** Spring and Quarkus refuse a request without this argument. */
const REQUIRED = /@RequestParam(?!\([^)]*(?:required\s*=\s*false|defaultValue))/;

/** guarded: a stranger may get no 200. @typedef {{ index: number, on?: string, path: string, guarded: boolean }} Declared */

/**
 * @param {Sources} sources those of the server
 * @returns {Route} the root if it is answered, else the first that anybody may ask; otherwise a guess
 */
export function findRoute(sources) {
  const prefixOf = prefixesOf(sources);
  const routes = [...sources].flatMap(([file, text]) =>
    [...declaredIn(file, text), ...annotatedIn(file, text)]
      .sort((a, b) => a.index - b.index)
      .flatMap(({ index, on = '', path: written, guarded }) => {
        const path = joined(file, prefixOf({ file, on, index }), written);
        // With parameters or patterns, nobody knows what to ask for.
        if (/[:{<*$]/.test(path)) return [];
        return { path, declaredAt: `${file}:${lineOf(text, index)}`, wary: guarded || WARY_PATH.test(path) };
      }),
  );
  const open = routes.filter(({ wary }) => !wary);
  const route = open.find(({ path }) => path === '/') ?? open[0] ?? routes[0];
  if (route === undefined) return { path: '/' };
  const { path, declaredAt, wary } = route;
  return { path, declaredAt, ...(wary && { isDoubtful: true }) };
}

/** @param {string} file @param {string} text @returns {Declared[]} */
function declaredIn(file, text) {
  return ROUTES.filter(([, , files]) => files?.test(file) ?? true)
    .flatMap(([, pattern]) => [...text.matchAll(pattern)])
    .sort((a, b) => a.index - b.index)
    .map(({ index, 0: { length }, groups: { path = '', on = '' } = {} }, order, all) => {
      const after = text.slice(index + length, Math.min(all[order + 1]?.index ?? Infinity, index + GLIMPSE));
      return { index, on, path, guarded: WARY.test(after) || asksForMore(file, text.slice(index)) };
    });
}

/** @param {string} file @param {string} text @returns {Declared[]} of controllers with annotations */
function annotatedIn(file, text) {
  if (!/\.([cm]?[jt]s|java|kt)$/.test(file)) return [];
  let controller = { is: false, path: '', guarded: false };
  return [...text.matchAll(ANNOTATIONS)].flatMap(({ 0: block, index }) => {
    const after = text.slice(index + block.length, index + block.length + 300);
    if (CLASS.test(after)) {
      const version = VERSION.exec(block)?.[1];
      const path = `${version ? `v${version}/` : ''}${pathIn(block)}`;
      controller = { is: CONTROLLER.test(block), path, guarded: GUARD.test(block) };
      return [];
    }
    if (!controller.is || !HANDLER.test(block) || /RequestMethod\.(?!GET)/.test(block)) return [];
    const signature = after.slice(0, after.search(/\{|$/));
    return {
      index: index + block.search(HANDLER),
      path: `${controller.path}/${pathIn(block)}`,
      guarded: controller.guarded || GUARD.test(block) || REQUIRED.test(signature),
    };
  });
}

/** @param {string} block of annotations */
function pathIn(block) {
  const paths = [...block.matchAll(WITH_PATH)].map((match) => IN_ARGUMENTS.exec(match[1] ?? '')?.[1] ?? '');
  return paths.filter(Boolean).join('/');
}

/** FastAPI refuses a request that lacks an argument without a default. @param {string} file @param {string} text from the declaration on */
function asksForMore(file, text) {
  if (!file.endsWith('.py')) return false;
  const [, names = ''] = /\bdef \w+\(([^)]*)\)/.exec(text.slice(0, 2 * GLIMPSE)) ?? [];
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
