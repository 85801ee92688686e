/** Repositories that init read wrongly once, each after a real one; every row stands for its kind. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { perfYml, toDosIn } from '../../scripts/init/files.js';
import { libraryIn } from '../../scripts/init/init.js';
import { found, testFound } from './found.js';

const LISTENS = 'app.listen(process.env.PORT || 3000);';
const EXPRESS = { scripts: { start: 'node server.js' }, dependencies: { express: '5' } };
const JSON_BODY = { 'content-type': 'application/json' };
const fixed = (/** @type {string} */ port, /** @type {string} */ place) =>
  `it listens on ${port} (${place}), not on PORT: read PORT, or base and head cannot run at the same time`;

/** @type {[name: string, files: Record<string, string | object>, expected: object][]} */
const CASES = [
  [
    'an ASP.NET server, not the client beside it',
    {
      'src/Web/ClientApp/package.json': { scripts: { start: 'ng serve' }, dependencies: { express: '5' } },
      'src/Web/ClientApp/server.ts': `app.get('/', page);\n${LISTENS}`,
      'src/Web/Program.cs':
        'var app = WebApplication.CreateBuilder(args).Build();\napp.MapGet("/health", () => "ok");\napp.Run();\n',
      'src/Web/Web.csproj': '<Project Sdk="Microsoft.NET.Sdk.Web"></Project>',
    },
    {
      evidence: 'ASP.NET in src/Web/Web.csproj',
      runtime: 'dotnet',
      build: 'dotnet publish Web.csproj --configuration Release --output bin/publish',
      start: 'ASPNETCORE_URLS=http://$HOST:$PORT dotnet bin/publish/Web.dll',
      route: { path: '/health', declaredAt: 'src/Web/Program.cs:2' },
    },
  ],
  [
    "the arguments of Deno's image, and a route that ends",
    {
      Dockerfile: 'FROM denoland/deno:2.1.4\nCOPY . .\nEXPOSE 8000\nCMD ["run", "-A", "main.tsx"]\n',
      'deno.json': { tasks: { dev: 'deno run -A --watch main.tsx' }, imports: { hono: 'npm:hono@4' } },
      'main.tsx': `const app = new Hono();\napp.get('/sse', (c) => streamSSE(c, send));\napp.get('/', (c) => c.text('hello'));\nDeno.serve(app.fetch);`,
    },
    {
      runtime: 'deno',
      start: 'deno run -A main.tsx',
      route: { path: '/', declaredAt: 'main.tsx:3' },
      toDos: [fixed('8000', 'main.tsx')],
    },
  ],
  [
    'the prefix of a router, from the settings',
    {
      'requirements.txt': 'fastapi==0.115.0\nuvicorn==0.30.0\n',
      'app/config.py': 'class Settings(BaseSettings):\n    API_V1_STR: str = "/api/v1"\n',
      'app/main.py':
        'from app import utils\napp = FastAPI()\napp.include_router(utils.router, prefix=settings.API_V1_STR)\n',
      'app/utils.py':
        'router = APIRouter(prefix="/utils")\n\n@router.get("/health-check/")\ndef health_check() -> bool:\n    return True\n',
    },
    { route: { path: '/api/v1/utils/health-check/', declaredAt: 'app/utils.py:3' }, toDos: [] },
  ],
  [
    'the server of a workspace, not the package that has the types of a framework',
    {
      'package.json': { private: true, workspaces: ['apps/*', 'packages/*'] },
      'apps/server/package.json': {
        scripts: { start: 'bun src/index.ts' },
        dependencies: { hono: '4', api: '*' },
      },
      'apps/server/src/index.ts': `app.get('/ping', pong);\nexport default { port: Number(process.env.PORT ?? 3000), fetch: app.fetch };`,
      'packages/api/package.json': {
        name: 'api',
        main: 'src/index.ts',
        dependencies: { next: '15', '@trpc/server': '10' },
      },
      'packages/api/src/index.ts':
        "export const router = t.router({ apiKey: t.procedure.query(() => 'key') });",
    },
    { folder: 'apps/server', runtime: 'bun', start: 'bun src/index.ts', toDos: [] },
  ],
  [
    'an example of a library',
    {
      'package.json': { name: 'tiny-router', main: 'index.js', files: ['index.js'] },
      'index.js':
        'module.exports = () => ({ listen: (...args) => http.createServer(answer).listen(...args) });',
      'examples/hello/index.js': "router().get('/', hello).listen(3000);",
    },
    {
      evidence: 'an example of the library tiny-router in package.json',
      start: 'node examples/hello/index.js',
      route: { path: '/', declaredAt: 'examples/hello/index.js:1' },
      toDos: [
        'tiny-router is a library, measured by one of its examples: a server that uses it as its users do shows more',
        fixed('3000', 'examples/hello/index.js:1'),
      ],
    },
  ],
  [
    'a password that is read from a file',
    {
      'package.json': { ...EXPRESS, dependencies: { express: '5', mysql2: '3' } },
      'server.js': `mysql.createPool({ host: process.env.DATABASE_HOST, port: process.env.DATABASE_PORT, password: readFileSync(process.env.DATABASE_PASSWORD, 'utf8') });\napp.get('/', list);\n${LISTENS}`,
      'compose.yaml': 'services:\n  db:\n    image: mariadb:10\n',
    },
    {
      needs: ['mysql'],
      start:
        'printf %s "$MYSQL_PASSWORD" > .perf-password && DATABASE_HOST=$MYSQL_HOST DATABASE_PORT=$MYSQL_PORT DATABASE_PASSWORD=.perf-password node server.js',
      toDos: [],
    },
  ],
  [
    'SQLite, the default of several drivers, and a port that is a flag',
    {
      'go.mod':
        'module notes\nrequire (\n\tgithub.com/go-sql-driver/mysql v1.8.1\n\tgithub.com/lib/pq v1.10.9\n)\n',
      'cmd/notes/main.go':
        'package main\n\nvar (\n\tdriver = flag.String("driver", "sqlite", "sqlite, mysql or postgres")\n\tport   = flag.String("port", "8081", "port to listen on")\n)\n\nfunc main() {\n\te.GET("/healthz", ok)\n\te.Start(":" + *port)\n}\n',
    },
    { needs: [], start: './bin/cmd-notes --port $PORT', toDos: [] },
  ],
  [
    'a start script that sets a port of its own',
    {
      'package.json': { ...EXPRESS, scripts: { start: 'PORT=5314 node server.js' } },
      'server.js': `app.get('/', hello);\n${LISTENS}`,
    },
    { start: 'node server.js', toDos: [] },
  ],
  [
    "SQLite by Prisma, with its migrations, and an example's placeholder",
    {
      '.env.example': 'DATABASE_URL="file:./data.db"\nSENTRY_DSN="your-dsn"\n',
      'package.json': {
        ...EXPRESS,
        dependencies: { express: '5', '@prisma/client': '6' },
        devDependencies: { prisma: '6' },
      },
      'prisma/migrations/1_start/migration.sql': 'CREATE TABLE "Note" ("id" INTEGER NOT NULL);',
      'prisma/schema.prisma': 'datasource db {\n  provider = "sqlite"\n  url = env("DATABASE_URL")\n}',
      'server.js': `report(process.env.SENTRY_DSN);\napp.get('/notes', list);\n${LISTENS}`,
    },
    {
      needs: [],
      start: 'npx prisma migrate deploy && node server.js',
      env: { NODE_ENV: 'production', DATABASE_URL: 'file:./data.db' },
      toDos: ['give values under env: SENTRY_DSN'],
    },
  ],
  [
    'every route, the most telling first, a token that is required, and a schema',
    {
      'package.json': { ...EXPRESS, dependencies: { express: '5', pg: '8' } },
      'schema.sql': 'CREATE TABLE orders (id serial PRIMARY KEY);',
      'server.js': `if (!process.env.API_TOKEN) throw new Error('API_TOKEN is not set');
new Pool({ connectionString: process.env.DATABASE_URL });
app.get('/health', ok);
app.get('/orders', async (_, response) => response.json((await pool.query('SELECT 1')).rows));
app.post('/quotes', (request, response) => response.json({ price: 3 * request.body.quantity }));
app.get('/me', (request, response) => {
  if (request.headers.authorization !== \`Bearer \${process.env.API_TOKEN}\`) return response.status(401).end();
});
${LISTENS}`,
    },
    {
      start: 'psql --quiet --file schema.sql "$DATABASE_URL" && node server.js',
      env: { NODE_ENV: 'production', API_TOKEN: 'perf-test' },
      route: { path: '/orders', declaredAt: 'server.js:4' },
      otherRoutes: [
        {
          path: '/me',
          headers: { authorization: 'Bearer perf-test' },
          toDo: 'write a token that your server accepts on /me',
          declaredAt: 'server.js:6',
        },
        {
          path: '/quotes',
          method: 'POST',
          headers: JSON_BODY,
          body: '{"quantity":1}',
          toDo: 'write a body that your server accepts on /quotes',
          declaredAt: 'server.js:5',
        },
        { path: '/health', declaredAt: 'server.js:3' },
      ],
      toDos: ['API_TOKEN: write what your server accepts instead of perf-test'],
    },
  ],
  [
    'axum, on a port of its own',
    {
      'Cargo.toml': '[package]\nname = "realworld"\n\n[dependencies]\naxum = "0.8"\n',
      'src/main.rs':
        'async fn main() {\n    let app = Router::new().route("/api/tags", get(tags));\n    TcpListener::bind("0.0.0.0:8080");\n}\n',
    },
    {
      evidence: 'axum in Cargo.toml',
      build: 'cargo build --release',
      start: './target/release/realworld',
      route: { path: '/api/tags', declaredAt: 'src/main.rs:2' },
      toDos: [fixed('8080', 'src/main.rs:3')],
    },
  ],
  [
    'controllers of ASP.NET, in the folder named after them, and a group of routes',
    {
      'Shop.csproj': '<Project Sdk="Microsoft.NET.Sdk.Web"><AssemblyName>shop</AssemblyName></Project>',
      'Controllers/ItemsController.cs':
        '[ApiController]\n[Route("api/[controller]")]\npublic class ItemsController : ControllerBase {\n  [HttpGet("{id}")] public Item One(int id) => find(id);\n  [HttpGet] public Item[] All() => all();\n}\n',
      'Program.cs':
        'var key = Environment.GetEnvironmentVariable("API_KEY") ?? throw new Exception();\nvar v1 = app.MapGroup("/v1");\nv1.MapPost("/orders", Create);\n',
    },
    {
      start: 'ASPNETCORE_URLS=http://$HOST:$PORT dotnet bin/publish/shop.dll',
      env: { API_KEY: 'perf-test' },
      route: { path: '/api/items', declaredAt: 'Controllers/ItemsController.cs:5' },
      otherPaths: ['/api/items/1', 'POST /v1/orders'],
    },
  ],
  [
    'a member of a workspace of Cargo, Actix, with a flag for its port',
    {
      'Cargo.toml': '[workspace]\nmembers = ["api"]\n',
      'api/Cargo.toml': '[package]\nname = "api"\n[dependencies]\nactix-web = { workspace = true }\n',
      'api/src/main.rs':
        'struct Args {\n  #[arg(short, long, default_value_t = 8080)]\n  port: u16,\n}\nasync fn main() { App::new().service(web::scope("/v1").service(list)) }\n#[get("/items")]\nasync fn list() {}\n#[post("/items")]\nasync fn add() {}\n',
    },
    {
      folder: '',
      build: 'cargo build --release --package api',
      start: './target/release/api --port $PORT',
      paths: [],
      otherPaths: ['POST /items'],
      toDos: [],
    },
  ],
  [
    'Rocket, which reads its own variables, with routes of a module below a prefix',
    {
      'Cargo.toml': '[package]\nname = "web"\n[dependencies]\nrocket = "0.5"\n',
      'src/main.rs': 'mod items;\nfn main() { rocket::build().mount("/api", items::routes()) }\n',
      'src/items.rs': '#[get("/items")]\nfn all() {}\n',
    },
    {
      start: 'ROCKET_ADDRESS=$HOST ROCKET_PORT=$PORT ./target/release/web',
      route: { path: '/api/items', declaredAt: 'src/items.rs:1' },
    },
  ],
  [
    'SQLite by Drizzle',
    {
      'package.json': {
        ...EXPRESS,
        dependencies: { express: '5', 'better-sqlite3': '11' },
        devDependencies: { 'drizzle-kit': '0.30' },
      },
      'drizzle.config.ts': "export default { dialect: 'sqlite' };",
      'drizzle/0000_start.sql': 'CREATE TABLE items (id integer);',
      'server.js': `app.get('/items', list);\n${LISTENS}`,
    },
    { needs: [], start: 'npx drizzle-kit migrate && node server.js' },
  ],
  [
    'a client of Knex that is SQLite by default, with its migrations',
    {
      'package.json': { ...EXPRESS, dependencies: { express: '5', knex: '3', pg: '8', sqlite3: '5' } },
      'knexfile.js': "module.exports = { client: process.env.DB_CLIENT || 'sqlite3' };",
      'server.js': `app.get('/items', list);\n${LISTENS}`,
    },
    { needs: [], start: 'npx knex migrate:latest && node server.js' },
  ],
  [
    'routes of Flask with a body, and a key that is required',
    {
      'requirements.txt': 'flask\n',
      'app.py':
        'app = Flask(__name__)\nKEY = os.environ["API_KEY"]\n\n@app.route("/items", methods=["POST"])\ndef add():\n    return {}\n\n@app.route("/items/<int:id>")\ndef one(id):\n    return {}\n\n@app.route("/search")\ndef search():\n    return request.args["q"]\n\n@app.get("/items")\ndef all():\n    return []\n',
    },
    {
      env: { API_KEY: 'perf-test' },
      route: { path: '/items', declaredAt: 'app.py:16' },
      otherPaths: ['/search', '/items/1', 'POST /items'],
    },
  ],
  [
    'an address that is a flag of Go, and a variable without which it ends',
    {
      'go.mod': 'module shop\n',
      'main.go':
        'package main\n\nvar addr = flag.String("addr", ":8080", "where to listen")\n\nfunc main() {\n\ttoken := os.Getenv("SHOP_TOKEN")\n\tif token == "" {\n\t\tlog.Fatal("SHOP_TOKEN")\n\t}\n\thttp.HandleFunc("POST /orders", add)\n\thttp.HandleFunc("GET /orders/{id}", one)\n\thttp.HandleFunc("GET /orders", all)\n\thttp.ListenAndServe(*addr, nil)\n}\n',
    },
    {
      start: './bin/shop --addr $HOST:$PORT',
      env: { SHOP_TOKEN: 'perf-test' },
      route: { path: '/orders', declaredAt: 'main.go:12' },
      otherPaths: ['/orders/1', 'POST /orders'],
    },
  ],
  [
    'a port in an option, and a health check in a folder of its own, after other handlers',
    {
      'package.json': { scripts: { start: 'next start -p 3000' }, dependencies: { next: '16' } },
      'app/api/health/route.ts': '',
      'app/api/items/route.ts': '',
    },
    {
      start: 'npx next start -p $PORT',
      route: { path: '/api/items', declaredAt: 'app/api/items/route.ts' },
      otherPaths: ['/api/health'],
    },
  ],
  [
    'a file that holds a password, by the name of its variable',
    {
      'requirements.txt': 'fastapi\npsycopg\n',
      'main.py':
        'app = FastAPI()\nconnect(host=os.environ["DB_HOST"], password=open(os.environ["DB_PASSWORD_FILE"]).read())\n\n@app.get("/items")\ndef all():\n    return []\n',
    },
    {
      needs: ['postgres'],
      start:
        'printf %s "$PGPASSWORD" > .perf-password && DB_HOST=$PGHOST DB_PASSWORD_FILE=.perf-password .venv/bin/uvicorn --host $HOST --port $PORT main:app',
      toDos: [],
    },
  ],
  [
    'a global prefix that no source gives, and a controller that asks for a body',
    {
      'package.json': {
        scripts: { build: 'nest build', start: 'node dist/main' },
        dependencies: { '@nestjs/core': '11' },
      },
      'src/main.ts': "app.setGlobalPrefix(config.get('API_PREFIX'));\nawait app.listen(process.env.PORT);",
      'src/health/health.controller.ts':
        "@Controller('health')\nexport class Health {\n  @Get()\n  check() {}\n}",
      'src/items.controller.ts':
        "@Controller('items')\nexport class Items {\n  @Post()\n  add() {}\n  @Get()\n  all() {}\n}",
    },
    {
      route: {
        path: '/items',
        declaredAt: 'src/items.controller.ts:5',
        toDo: 'write the prefix config.get, which could not be read, before /items',
      },
      otherPaths: ['POST /items', '/health'],
    },
  ],
  [
    'Elysia under Bun, with groups of routes',
    {
      'package.json': {
        scripts: { start: 'NODE_ENV=production bun run src/index.ts' },
        dependencies: { elysia: '1' },
      },
      'bun.lock': '',
      'src/index.ts':
        "import { Elysia } from 'elysia';\nnew Elysia().group('/v1', (app) => {\n  return app.get('/items', all).post('/items', add);\n}).listen(process.env.PORT);",
    },
    {
      runtime: 'bun',
      install: 'bun install --frozen-lockfile',
      start: 'NODE_ENV=production bun run src/index.ts',
      route: { path: '/v1/items', declaredAt: 'src/index.ts:3' },
    },
  ],
  [
    'a program of Deno that exports its handler',
    { 'deno.jsonc': '{}', 'main.ts': "app.get('/items', all);\nexport default { fetch: app.fetch };" },
    {
      runtime: 'deno',
      start: 'deno serve --allow-all --host $HOST --port $PORT main.ts',
      route: { path: '/items', declaredAt: 'main.ts:1' },
      toDos: [],
    },
  ],
  [
    'the address in the command of a Dockerfile',
    { Dockerfile: 'FROM python:3\nCMD gunicorn --bind 0.0.0.0:8000 app:app\n' },
    { start: 'gunicorn --bind $HOST:$PORT app:app' },
  ],
];

for (const [name, files, expected] of CASES) testFound(name, files, expected);

test('a folder of servers without scripts gets no start line, but those to choose from', () => {
  const { servers } = found({
    'package.json': { private: true, dependencies: { '@nestjs/core': '11', elysia: '1', koa: '2' } },
    'src/bun/elysia.ts': "import { Elysia } from 'elysia';\nnew Elysia().get('/id/:id', one).listen(3000);",
    'src/node/koa.js': 'new Koa().use(hi).listen(3000);',
  });
  assert.equal(servers[0]?.start, undefined);
  const text = perfYml(servers);
  assert.match(text, /\n {4}# start: bun src\/bun\/elysia\.ts\n {4}# start: node src\/node\/koa\.js\n/);
  assert.match(toDosIn(text)[0]?.what ?? '', /^nothing says which of these programs to measure/);
});

test('a repository that serves a client alone has no server, and a library is known as one', () => {
  const client = {
    scripts: { start: 'webpack serve' },
    dependencies: { react: '19' },
    devDependencies: { express: '5' },
  };
  assert.deepEqual(found({ 'package.json': client, 'src/app.jsx': 'render()' }).servers, []);
  const libraries = [
    ['package.json', '{ "name": "tiny", "exports": "./index.js" }', 'tiny'],
    ['package.json', '{ "name": "mine", "private": true, "main": "index.js" }', undefined],
    ['Cargo.toml', '[package]\nname = "parser"\n', 'parser'],
    ['go.mod', 'module example.com/lib\n', 'example.com/lib'],
    ['pyproject.toml', '[project]\nname = "things"\n', 'things'],
  ];
  for (const [file = '', text = '', name] of libraries)
    assert.equal(libraryIn(new Map([[file, text]])), name);
});
