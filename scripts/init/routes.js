/**
 * Finds something a server answers: what its sources declare, by the looks of it.
 * @import { Route, Sources } from './types.js'
 */

/** A path without parameters, patterns or holes. */
const PLAIN = `(/[\\w./~-]*)`;
/** How routes are declared, the path in the last group. */
const DECLARATIONS = [
  // Express, Fastify, Koa's router and their kin: app.get('/path', ...), r.GET("/path", ...).
  new RegExp(`\\.(?:get|GET|Get)\\(\\s*['"\`]${PLAIN}['"\`]\\s*,`, 'g'),
  // Fastify and Hapi: { method: 'GET', url: '/path' }.
  new RegExp(`method:\\s*['"]GET['"],\\s*(?:url|path):\\s*['"]${PLAIN}['"]`, 'g'),
  // Go: HandleFunc("/path", ...), Handle("GET /path", ...).
  new RegExp(`\\bHandle(?:Func)?\\(\\s*"(?:GET )?${PLAIN}(?:\\{\\$\\})?"`, 'g'),
  // Laravel: Route::get('/path', ...).
  new RegExp(`Route::get\\(\\s*['"]${PLAIN}['"]`, 'g'),
];
/** Controllers put the path together: @Controller('cats') with @Get('all'), @RequestMapping("/cats") with @GetMapping. */
const CONTROLLER = /@(?:Controller|RestController)\b/;
const PREFIX = /@(?:Controller|RequestMapping)\(\s*(?:(?:value|path)\s*=\s*)?['"]([\w/-]+)['"]/;
const HANDLER = /@(?:Get|GetMapping)\((?:\s*(?:(?:value|path)\s*=\s*)?['"]([\w/.-]*)['"])?\s*\)/g;
const BARE_HANDLER = /@GetMapping\s*\n/g;

/**
 * @param {Sources} sources those of the server
 * @returns {Route} the root where it is answered, else the first that is found; where none is, a guess
 */
export function findRoute(sources) {
  const routes = [...sources].flatMap(([file, text]) => routesIn(file, text));
  return routes.find(({ path }) => path === '/') ?? routes[0] ?? { path: '/' };
}

/**
 * @param {string} file
 * @param {string} text
 * @returns {Route[]} in the file's order
 */
function routesIn(file, text) {
  const declared = DECLARATIONS.flatMap((pattern) =>
    [...text.matchAll(pattern)].map((match) => ({ index: match.index, path: match[1] ?? '/' })),
  );
  const prefix = PREFIX.exec(text)?.[1];
  const handlers = CONTROLLER.test(text)
    ? [...text.matchAll(HANDLER), ...text.matchAll(BARE_HANDLER)].map((match) => ({
        index: match.index,
        path: join(prefix, match[1]),
      }))
    : [];
  return [...declared, ...handlers]
    .sort((a, b) => a.index - b.index)
    .map(({ index, path }) => ({ path, at: `${file}:${lineOf(text, index)}` }));
}

/** @param {(string | undefined)[]} parts */
function join(...parts) {
  return `/${parts
    .flatMap((part) => (part ?? '').split('/'))
    .filter(Boolean)
    .join('/')}`;
}

/**
 * @param {string} text
 * @param {number} index
 */
export function lineOf(text, index) {
  return text.slice(0, index).split('\n').length;
}
