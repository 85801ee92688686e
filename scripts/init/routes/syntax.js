/**
 * How frameworks write down routes and their prefixes: a row for each way, with an example, which a test
 * reads. Groups of the patterns: `method` (GET without one); `path`; `prefix`, or the `name` of what holds
 * it; `on`, the variable that a route or router is declared on; `router` and `module`, what is mounted.
 * @typedef {[example: string, pattern: RegExp, files?: RegExp]} Syntax
 */

const syntax = (/** @type {TemplateStringsArray} */ text, /** @type {string[]} */ ...parts) =>
  new RegExp(String.raw(text, ...parts), 'g');

const VERBS = ['get', 'post', 'put', 'patch', 'delete'];
/** get, GET, Get and their kin. */
const METHOD = `(?<method>${VERBS.flatMap((verb) => [verb, verb.toUpperCase(), `${verb[0]?.toUpperCase()}${verb.slice(1)}`]).join('|')})`;
const PATH = String.raw`(?<path>/[^'"\x60\s]*)`;
const QUOTED = `['"\`](?:${PATH})['"\`]`;
/** Written down, or the name of what holds it. */
const LITERAL = String.raw`(?:['"\x60](?<prefix>[^'"\x60\s]*)['"\x60]|(?<name>[A-Za-z_$][\w$.]*))`;
const WITH_METHOD = String.raw`method:\s*['"]${METHOD}['"]`;
/** The variable a route is declared on; clients and caches are not routers. */
const ON = String.raw`(?:(?<on>[\w$]+)\s*)?(?<!\b(?:axios|https?|client|fetch|request|supertest|cache|redis|config|headers|map)\s*)`;

/** @type {Syntax[]} */
export const ROUTES = [
  // Express, Fastify, Koa's router, Hono, Gin, Echo, Fiber, Slim.
  [`app.get('/path', list);`, syntax`${ON}(?:\.|->)${METHOD}(?:<[^()]*>)?\(\s*${QUOTED}\s*,`],
  // AdonisJS.
  [`router.on('/path').render('home');`, syntax`${ON}\.on\(\s*${QUOTED}\s*\)\s*\.render`],
  // Express.
  [
    `app.route('/path').all(log).get(list);`,
    syntax`${ON}\.route\(\s*${QUOTED}\s*\)[^;]{0,300}?\.${METHOD}\(`,
  ],
  // Fastify and hapi.
  [
    `app.route({ method: 'GET', url: '/path' });`,
    syntax`${ON}\.route\(\{\s*${WITH_METHOD},\s*(?:url|path):\s*${QUOTED}`,
  ],
  [
    `app.route({ path: '/path', method: 'GET' });`,
    syntax`${ON}\.route\(\{\s*(?:url|path):\s*${QUOTED},\s*${WITH_METHOD}`,
  ],
  // Go's own router, and Gorilla's.
  [
    `http.HandleFunc("GET /path", list)`,
    syntax`(?:(?<on>\w+)\s*)?\.Handle(?:Func)?\(\s*"(?:${METHOD} )?(?<path>/[^"\s]*?)(?:\{\$\})?"`,
    /\.go$/,
  ],
  // Laravel.
  [`Route::get('/path', List::class);`, syntax`Route::${METHOD}\(\s*['"](?<path>/?[^'"\s]*)['"]`, /\.php$/],
  // FastAPI and Flask.
  [
    `@app.route("/path", methods=["GET"])`,
    syntax`@(?<on>\w+)\.(?:${METHOD}|route)\(\s*["'](?<path>/[^"'\s]*|)["']`,
    /\.py$/,
  ],
  // Django.
  [`path("/path", list)`, /\bpath\(\s*["'](?<path>[^"'\s]*)["']\s*,(?!\s*(?:include|admin\b))/g, /urls\.py$/],
  // axum and Actix; then Actix and Rocket.
  [`.route("/path", get(list))`, syntax`\.route\(\s*"${PATH}"\s*,\s*(?:\w+::)*${METHOD}\b`, /\.rs$/],
  [
    `#[get("/path")]`,
    syntax`#\[${METHOD}\(\s*"${PATH}"[^\]]*\](?:\s*(?:pub\s+)?(?:async\s+)?fn\s+(?<on>\w+))?`,
    /\.rs$/,
  ],
  // ASP.NET.
  [`app.MapGet("/path", List);`, syntax`${ON}\.Map${METHOD}\(\s*"(?<path>[^"\s]*)"`, /\.cs$/],
];

/** The prefix that a router gets when it is created. @type {Syntax[]} */
export const ROUTERS = [
  // Koa's and Elysia's.
  [
    `const items = new Router({ prefix: '/prefix' });`,
    syntax`(?<on>[\w$]+)\s*=\s*(?:new\s+)?\w*(?:Router|Elysia)\w*\([^()]*?\bprefix:\s*${LITERAL}`,
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
  // Gin, Echo and Fiber; ASP.NET.
  [`a := b.Group("/prefix")`, /(?<router>\w+)\s*:?=\s*(?<on>\w+)\.(?:Map)?Group\(\s*"(?<prefix>\/[^"\s]*)"/g],
  // Actix; then axum, Rocket and Actix.
  [
    `web::scope("/prefix").service(list)`,
    /web::scope\(\s*"(?<prefix>\/[^"\s]*)"\s*\)(?<router>(?:\s*\.service\(\s*\w+\s*\))+)/g,
  ],
  [
    `.nest("/prefix", items::router())`,
    /\.(?:nest|mount|service)\(\s*(?:web::scope\(\s*)?"(?<prefix>\/[^"\s]*)"\s*\)?[,.]\s*(?:\w+\()?(?<module>\w+)::/g,
  ],
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
  // Elysia.
  [`.group('/prefix', (app) => {`, /\.group\(\s*['"](?<prefix>\/[\w./-]*)['"]\s*,/g],
  // Fastify, with its prefix behind the block.
  [`app.register(async function (app) {`, /\.register\(\s*(?:async\s*)?(?:function\b|\()/g],
];
