/**
 * How frameworks write down routes and their prefixes: a row for each way, with an example, which a test reads. Groups of the
 * patterns: `path`; `prefix`; `on`, the variable that a route or router is declared on; `router` and `module`, what is mounted.
 * @typedef {[example: string, pattern: RegExp, files?: RegExp]} Syntax
 */

const syntax = (/** @type {TemplateStringsArray} */ text, /** @type {string[]} */ ...parts) =>
  new RegExp(String.raw(text, ...parts), 'g');

/** A path without parameters, patterns or holes. */
const PLAIN = String.raw`(?<path>/[\w./~-]*)`;
const QUOTED = `['"\`]${PLAIN}['"\`]`;
const LITERAL = String.raw`['"\x60](?<prefix>[^'"\x60\s]*)['"\x60]`;
const GET = String.raw`method:\s*['"]GET['"]`;
/** The variable a route is declared on; clients and caches are not routers. */
const ON = String.raw`(?:(?<on>\b(?!axios|https?\b|client|fetch|request|supertest|cache|redis|config|headers|map\b)[\w$]+)\s*)?`;

/** @type {Syntax[]} */
export const ROUTES = [
  // Express, Fastify, Koa's router, Hono, Gin, Echo, Fiber, Slim.
  [`app.get('/path', list);`, syntax`${ON}(?:\.|->)(?:get|GET|Get)(?:<[^()]*>)?\(\s*${QUOTED}\s*,`],
  // AdonisJS.
  [`router.on('/path').render('home');`, syntax`${ON}\.on\(\s*${QUOTED}\s*\)\s*\.render`],
  // Express.
  [`app.route('/path').all(log).get(list);`, syntax`${ON}\.route\(\s*${QUOTED}\s*\)[^;]{0,300}?\.get\(`],
  // Fastify and hapi.
  [
    `app.route({ method: 'GET', url: '/path' });`,
    syntax`${ON}\.route\(\{\s*${GET},\s*(?:url|path):\s*${QUOTED}`,
  ],
  [
    `app.route({ path: '/path', method: 'GET' });`,
    syntax`${ON}\.route\(\{\s*(?:url|path):\s*${QUOTED},\s*${GET}`,
  ],
  // Go's own router, and Gorilla's.
  [
    `http.HandleFunc("GET /path", list)`,
    syntax`${ON}\.Handle(?:Func)?\(\s*"(?:GET )?${PLAIN}(?:\{\$\})?"(?![^\n]*Methods\("(?!GET))`,
    /\.go$/,
  ],
  // Laravel.
  [`Route::get('/path', List::class);`, /Route::get\(\s*['"](?<path>\/?[\w./~-]*)['"]/g, /\.php$/],
  // FastAPI and Flask.
  [
    `@app.route("/path", methods=["GET"])`,
    /@(?<on>\w+)\.(?:get|route)\(\s*["'](?<path>\/[\w./~-]*|)["'](?![^)]*methods\s*=\s*\[(?![^\]]*GET))/g,
    /\.py$/,
  ],
  // Django.
  [`path("/path", list)`, /\bpath\(\s*["'](?<path>[\w./~-]*)["']\s*,\s*(?!include|admin\b)/g, /urls\.py$/],
];

/** The prefix that a router gets when it is created. @type {Syntax[]} */
export const ROUTERS = [
  // Koa's.
  [
    `const items = new Router({ prefix: '/prefix' });`,
    syntax`(?<on>[\w$]+)\s*=\s*(?:new\s+)?\w*Router\w*\([^()]*?\bprefix:\s*${LITERAL}`,
  ],
  // Hono's.
  [
    `const items = new Hono().basePath('/prefix');`,
    syntax`(?<on>[\w$]+)\s*=\s*new\s+\w*Hono\w*(?:<[^>]*>)?\(\)\s*\.basePath\(\s*${LITERAL}`,
  ],
  // Flask's and FastAPI's.
  [
    `items = Blueprint("items", __name__, url_prefix="/prefix")`,
    syntax`(?<on>\w+)\s*=\s*(?:Blueprint|APIRouter)\([^()]*?\b(?:url_)?prefix\s*=\s*${LITERAL}`,
  ],
];

/** What mounts a router; others call a function for it, see prefixes.js. @type {Syntax[]} */
export const MOUNTS = [
  // Gin, Echo and Fiber.
  [`a := b.Group("/prefix")`, /(?<router>\w+)\s*:?=\s*(?<on>\w+)\.Group\(\s*"(?<prefix>\/[\w./-]*)"/g],
  // Django.
  [
    `path("/prefix", include("shop.urls"))`,
    /\bpath\(\s*["'](?<prefix>[\w./-]*)["']\s*,\s*include\(\s*["'](?<module>[\w.]+)["']/g,
  ],
];

/** Begins a block whose routes all get a prefix. @type {Syntax[]} */
export const BLOCKS = [
  // chi.
  [`r.Route("/prefix", func(r chi.Router) {`, /\.Route\(\s*"(?<prefix>\/[\w./-]*)"\s*,\s*func\b/g],
  // Fastify, with its prefix behind the block.
  [`app.register(async function (app) {`, /\.register\(\s*(?:async\s*)?(?:function\b|\()/g],
];
