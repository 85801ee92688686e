/**
 * What init writes for repositories of many kinds, and that the real planner reads it: a change shows as a
 * difference to read.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { perfYml } from '../../scripts/init/files.js';
import { assertGolden } from '../report/golden.js';
import { found } from './found.js';

const LISTENS = 'app.listen(process.env.PORT);';
const EXPRESS = { scripts: { start: 'node server.js' }, dependencies: { express: '5' } };
const nest = (/** @type {Record<string, string>} */ scripts) => ({
  scripts: { build: 'nest build', ...scripts },
  dependencies: { '@nestjs/core': '11' },
});
const MAIN = 'package main\n\nfunc main() {\n\thttp.ListenAndServe(":"+os.Getenv("PORT"), shared.Mux())\n}';
const FLASK = {
  'api/pyproject.toml': 'dependencies = ["flask", "gunicorn"]',
  'api/app.py': 'app = Flask("a")',
};

/** @type {[name: string, files: Record<string, string | object>][]} */
const KINDS = [
  [
    'Next.js, by its home page',
    {
      'package.json': {
        scripts: { dev: 'next dev', build: 'next build', start: 'next start' },
        dependencies: { next: '16' },
      },
      'package-lock.json': {},
      'src/app/(shop)/page.tsx': 'export default function Page() {}',
      'src/app/api/items/route.ts': 'export function GET() {}',
    },
  ],
  [
    'Nuxt',
    {
      'package.json': { scripts: { build: 'nuxt build' }, dependencies: { nuxt: '4' } },
      'server/api/items.get.ts': '',
    },
  ],
  [
    'Remix',
    {
      'package.json': {
        scripts: { build: 'remix vite:build', start: 'remix-serve ./build/server/index.js' },
        dependencies: { '@remix-run/serve': '2', '@remix-run/node': '2' },
      },
      'app/routes/_index.tsx': '',
    },
  ],
  [
    'Koa without a start script',
    { 'package.json': { dependencies: { koa: '3', '@koa/router': '14' } }, 'src/app.js': LISTENS },
  ],
  [
    'tRPC over its own server',
    {
      'package.json': { scripts: { build: 'tsc' }, dependencies: { '@trpc/server': '11' } },
      'tsconfig.json': '{ "compilerOptions": { "outDir": "dist", "rootDir": "src" } }',
      'src/server.ts': 'createHTTPServer({ router: app }).listen(Number(process.env.PORT));',
    },
  ],
  [
    'TypeScript without a build',
    {
      'package.json': {
        scripts: { dev: 'tsx watch src/index.ts' },
        dependencies: { express: '5' },
        devDependencies: { tsx: '4' },
      },
      'src/index.ts': LISTENS,
    },
  ],
  [
    'Flask with a factory',
    {
      'requirements.txt': 'Flask==3.1\n',
      'shop/__init__.py': 'def create_app():\n    app = Flask(__name__)\n    return app\n',
    },
  ],
  [
    'Django',
    {
      'requirements.txt': 'django>=5\npsycopg[binary]\n',
      'manage.py': '',
      'site/settings.py':
        'DATABASES = {"default": {"HOST": os.environ["DB_HOST"], "PORT": os.environ["DB_PORT"]}}',
      'site/wsgi.py': 'application = get_wsgi_application()',
    },
  ],
  [
    'Django below the repository that lists its packages',
    {
      'requirements.txt': 'django>=5\n',
      'my site/manage.py': '',
      'my site/shop/wsgi.py': 'application = get_wsgi_application()',
    },
  ],
  [
    'Laravel with its database, its settings and a route of its API',
    {
      'composer.json': '{ "require": { "laravel/framework": "^12" } }',
      artisan: '#!/usr/bin/env php',
      'public/index.php': '<?php',
      'routes/api.php': "Route::get('/items', fn () => []);",
      'config/app.php':
        "return ['key' => env('APP_KEY'), 'debug' => env('APP_DEBUG'), 'url' => env('APP_URL')];",
      'config/database.php': "[env('DB_CONNECTION'), env('DB_HOST'), env('REDIS_DB')]",
      '.env.example':
        'APP_KEY=\nAPP_DEBUG=true\nAPP_URL=http://localhost\nDB_CONNECTION=pgsql\nDB_HOST=127.0.0.1\n',
    },
  ],
  [
    'Rails',
    {
      Gemfile: 'gem "rails", "~> 8.0"\ngem "pg"\n',
      'config/routes.rb':
        'Rails.application.routes.draw do\n  namespace :api do\n    get "items", to: "items#index"\n  end\nend\n',
    },
  ],
  [
    'Quarkus',
    {
      'pom.xml': '<groupId>io.quarkus</groupId>',
      'src/main/resources/application.properties': 'quarkus.http.root-path=/shop\n',
      'src/main/java/Items.java':
        '@Path("/items")\npublic class Items {\n  @GET\n  @Path("/all")\n  @Produces("text/plain")\n  public String all() { return ""; }\n}',
    },
  ],
  [
    'Micronaut by Gradle, whose wrapper is there, and not by Maven',
    {
      'pom.xml': '<groupId>io.micronaut</groupId>',
      'build.gradle': 'id("io.micronaut.application")',
      gradlew: '',
      'src/main/java/Items.java':
        '@Controller("/items")\npublic class Items {\n  @Get(produces = "text/plain")\n  String all() { return ""; }\n}',
    },
  ],
  [
    'a Spring module of a Maven build, with its database',
    {
      'pom.xml': '<modules><module>api</module><module>core</module></modules>',
      'core/pom.xml': '<artifactId>core</artifactId>',
      'api/pom.xml':
        '<parent><artifactId>shop</artifactId></parent><artifactId>api</artifactId><dependencies><dependency><artifactId>spring-boot-starter-web</artifactId></dependency><dependency><artifactId>postgresql</artifactId></dependency></dependencies>',
      'api/src/main/java/App.java':
        '@SpringBootApplication\nclass App {}\n\n@RestController\nclass Items {\n  @GetMapping("/find")\n  String find(@RequestParam String q) { return q; }\n  @GetMapping("/items")\n  String all() { return ""; }\n}',
    },
  ],
  [
    'a Spring module of a Maven build inside another, in a folder with a space',
    {
      'pom.xml': '<modules><module>our services</module><module>common</module></modules>',
      'common/pom.xml': '<artifactId>common</artifactId>',
      'our services/pom.xml':
        '<modules><module>orders</module></modules><artifactId>spring-boot-starter-parent</artifactId>',
      'our services/orders/pom.xml': '<artifactId>orders</artifactId>',
      'our services/orders/src/main/java/App.java':
        '@SpringBootApplication\n@RestController\nclass App {\n  @GetMapping("/items")\n  String all() { return ""; }\n}',
    },
  ],
  [
    'a Spring module of a Gradle build, in a folder whose name is no pattern',
    {
      'settings.gradle': "include ':core', ':c++:api'",
      'c++/api/build.gradle': "plugins { id 'org.springframework.boot' }",
      'c++/api/src/main/java/App.java': '@SpringBootApplication\nclass App {}',
    },
  ],
  [
    'Go: groups, and a client beside the server',
    {
      'go.mod': 'module shop\nrequire github.com/gin-gonic/gin v1.11.0',
      'cmd/server/main.go':
        'package main\n\nfunc main() {\n\tr := gin.New()\n\tv1 := r.Group("/v1")\n\tv1.GET("/items", all)\n\tr.Run(":" + os.Getenv("PORT"))\n}',
      'cmd/client/main.go': 'package main\n\nfunc main() {\n\thttp.Get("/v1/items")\n}',
    },
  ],
  [
    "Prisma's database, not every driver there is",
    {
      'package.json': {
        scripts: { start: 'node index.js' },
        dependencies: { express: '5', '@prisma/client': '6', mysql2: '3', pg: '8' },
        devDependencies: { prisma: '6' },
      },
      'index.js': `app.get('/', all);\n${LISTENS}`,
      'prisma/schema.prisma': 'datasource db {\n  provider = "mysql"\n  url = env("DATABASE_URL")\n}',
    },
  ],
  [
    "TypeORM's, given in parts",
    {
      'package.json': {
        scripts: { start: 'node index.js' },
        dependencies: { express: '5', typeorm: '0.3', pg: '8' },
      },
      'index.js': `new DataSource({ type: 'postgres', host: process.env.DB_HOST, username: process.env.DB_USERNAME, database: process.env.DB_NAME });\n${LISTENS}`,
    },
  ],
  [
    "Drizzle's and docker-compose.yml's",
    {
      'package.json': {
        scripts: { start: 'node index.js' },
        dependencies: { express: '5', 'drizzle-orm': '0.4' },
      },
      'index.js': `connect(process.env.DATABASE_URL, process.env.MONGO_URL, process.env.REDIS_URL);\napp.get('/', all);\n${LISTENS}`,
      'drizzle.config.ts': "export default { dialect: 'postgresql' };",
      'docker-compose.yml':
        'services:\n  cache:\n    image: redis:7\n  docs:\n    image: mongo\n#  old:\n#    image: mysql\n',
    },
  ],
  [
    'settings from the example beside the code, and made up where any will do',
    {
      'package.json': { scripts: { start: 'node --env-file=.env index.js' }, dependencies: { express: '5' } },
      '.env.example': 'PORT=3000\nGREETING="hello there" \nUNUSED=1\n',
      'index.js': `process.env.GREETING; process.env.JWT_SECRET; process.env.SESSION_SECRET || 'x';\n${LISTENS}`,
    },
  ],
  [
    'settings that git ignores, copied',
    {
      'package.json': { scripts: { start: 'node --env-file=.env index.js' }, dependencies: { express: '5' } },
      '.env': 'GREETING=hello\n',
      'index.js': `process.env.GREETING;\n${LISTENS}`,
    },
  ],
  [
    'settings that git ignores beside their example, which alone is in a checkout',
    {
      'package.json': {
        scripts: {
          start: 'node --env-file=./.env index.js',
          'db:migrate': 'node --env-file=.env migrate.js',
        },
        dependencies: { express: '5', pg: '8' },
      },
      '.env': 'GREETING=mine\n',
      '.env.example': 'GREETING=hello\n',
      'index.js': `connect(process.env.DATABASE_URL, process.env.GREETING);\n${LISTENS}`,
    },
  ],
  [
    'a file of settings that the start line names',
    {
      'package.json': {
        scripts: { start: 'node --env-file=.env.production index.js' },
        dependencies: { express: '5' },
      },
      '.env.production': 'GREETING=hello\nJWT_SECRET=ours\n',
      'index.js': `use(process.env.GREETING, process.env.JWT_SECRET);\n${LISTENS}`,
    },
  ],
  ['a Procfile', { Procfile: 'web: ./serve --port $PORT\n' }],
  [
    "the express-generator's layout below the top, for production alone",
    {
      'api/package.json': { scripts: { 'start:prod': 'node ./bin/www' }, dependencies: { express: '4' } },
      'api/bin/www': 'const port = process.env.PORT; http.createServer(app).listen(port);',
      'api/routes/index.js': "router.get('/items', function () {});",
    },
  ],
  [
    'a Nest app: its build needs what NODE_ENV=production leaves out',
    {
      'package.json': {
        name: '@acme/cats',
        scripts: { build: 'nest build', start: 'nest start', 'start:prod': 'node dist/main' },
        dependencies: { '@nestjs/core': '11', '@nestjs/platform-fastify': '11', ioredis: '5' },
      },
      'package-lock.json': {},
      'src/main.ts': 'await app.listen(process.env.PORT ?? 3000); new Redis(process.env.REDIS_URL)',
      'src/cats.controller.ts':
        "@Controller('cats')\nexport class C {\n  @Get(':id') one() {}\n  @Get('all') all() {}\n}",
    },
  ],
  [
    'plain Node, without a dependency',
    { 'package.json': {}, 'server.mjs': 'createServer(answer).listen(process.env.PORT);' },
  ],
  [
    'a start of several commands, under the old yarn',
    {
      'package.json': {
        scripts: { start: 'cross-env A=1 node app.js', build: 'tsc' },
        dependencies: { koa: '3', pg: '8' },
      },
      'yarn.lock': '# yarn lockfile v1',
      'app.js': LISTENS,
    },
  ],
  [
    "today's yarn, which makes no node_modules",
    {
      'package.json': { scripts: { start: 'node app.js' }, dependencies: { koa: '3' } },
      'yarn.lock': '__metadata:\n  version: 8\n',
      'app.js': LISTENS,
    },
  ],
  [
    "today's yarn, set to make node_modules",
    {
      'package.json': { scripts: { start: 'node app.js' }, dependencies: { koa: '3' } },
      'yarn.lock': '__metadata:\n  version: 8\n',
      '.yarnrc.yml': 'nodeLinker: node-modules\n',
      'app.js': LISTENS,
    },
  ],
  [
    'Spring Boot by Maven, its wrapper there',
    {
      'pom.xml': '<artifactId>spring-boot-starter-web</artifactId>',
      mvnw: '',
      'src/main/java/a/App.java':
        '@SpringBootApplication\n@RestController\n@RequestMapping("/v1")\nclass App {\n  @GetMapping("/cats")\n  void a() {}\n}',
    },
  ],
  [
    'Spring Boot by Gradle',
    {
      'build.gradle.kts': 'id("org.springframework.boot") version "3"',
      'src/main/kotlin/App.kt': '@SpringBootApplication class App',
    },
  ],
  [
    'PHP with a public folder',
    {
      'composer.json': '{}',
      'public/index.php': '<?php',
      'routes/web.php': "Route::get('/welcome', fn () => 1);",
    },
  ],
  ['nothing but a Dockerfile', { Dockerfile: 'FROM python:3\nCMD ["python3", "-m", "shop server"]\n' }],
  [
    'an ASP.NET server, not the client beside it',
    {
      'src/Web/ClientApp/package.json': { scripts: { start: 'ng serve' }, dependencies: { express: '5' } },
      'src/Web/ClientApp/server.ts': `app.get('/', page);\n${LISTENS}`,
      'src/Web/Program.cs':
        'var app = WebApplication.CreateBuilder(args).Build();\napp.MapGet("/health", () => "ok");\napp.Run();\n',
      'src/Web/Web.csproj': '<Project Sdk="Microsoft.NET.Sdk.Web"></Project>',
    },
  ],
  [
    "the arguments of Deno's image, and a route that ends",
    {
      Dockerfile: 'FROM denoland/deno:2.1.4\nCOPY . .\nEXPOSE 8000\nCMD ["run", "-A", "main.tsx"]\n',
      'deno.json': { tasks: { dev: 'deno run -A --watch main.tsx' }, imports: { hono: 'npm:hono@4' } },
      'main.tsx': `const app = new Hono();\napp.get('/sse', (c) => streamSSE(c, send));\napp.get('/', (c) => c.text('hello'));\nDeno.serve(app.fetch);`,
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
  ],
  [
    'a password that is read from a file',
    {
      'package.json': { ...EXPRESS, dependencies: { express: '5', mysql2: '3' } },
      'server.js': `mysql.createPool({ host: process.env.DATABASE_HOST, port: process.env.DATABASE_PORT, password: readFileSync(process.env.DATABASE_PASSWORD, 'utf8') });\napp.get('/', list);\n${LISTENS}`,
      'compose.yaml': 'services:\n  db:\n    image: mariadb:10\n',
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
  ],
  [
    'a start script that sets a port of its own',
    {
      'package.json': { ...EXPRESS, scripts: { start: 'PORT=5314 node server.js' } },
      'server.js': `app.get('/', hello);\n${LISTENS}`,
    },
  ],
  [
    'axum, on a port of its own',
    {
      'Cargo.toml': '[package]\nname = "realworld"\n\n[dependencies]\naxum = "0.8"\n',
      'src/main.rs':
        'async fn main() {\n    let app = Router::new().route("/api/tags", get(tags));\n    TcpListener::bind("0.0.0.0:8080");\n}\n',
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
  ],
  [
    'Rocket, which reads its own variables, with routes of a module below a prefix',
    {
      'Cargo.toml': '[package]\nname = "web"\n[dependencies]\nrocket = "0.5"\n',
      'src/main.rs': 'mod items;\nfn main() { rocket::build().mount("/api", items::routes()) }\n',
      'src/items.rs': '#[get("/items")]\nfn all() {}\n',
    },
  ],
  [
    'a port in an option, and a health check in a folder of its own, after other handlers',
    {
      'package.json': { scripts: { start: 'next start -p 3000' }, dependencies: { next: '16' } },
      'app/api/health/route.ts': '',
      'app/api/items/route.ts': '',
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
  ],
  [
    'a program of Deno that exports its handler',
    { 'deno.jsonc': '{}', 'main.ts': "app.get('/items', all);\nexport default { fetch: app.fetch };" },
  ],
  [
    'the address in the command of a Dockerfile',
    { Dockerfile: 'FROM python:3\nCMD gunicorn --bind 0.0.0.0:8000 app:app\n' },
  ],
  ['a Go module by itself', { 'api/go.mod': 'module api\n', 'api/main.go': MAIN }],
  [
    'a Go module of a workspace',
    { 'go.work': 'use ./api\nuse ./shared\n', 'api/go.mod': 'module api\n', 'api/main.go': MAIN },
  ],
  [
    'a Go module that replaces another by the folder beside it',
    { 'api/go.mod': 'module api\n\nreplace shared => ../shared\n', 'api/main.go': MAIN },
  ],
  ['a Python project by itself', { ...FLASK, 'api/uv.lock': '' }],
  ["a member of uv's workspace", { ...FLASK, 'uv.lock': '' }],
  [
    'a Python project with a package beside it',
    { 'api/requirements.txt': 'flask\n-e ../shared\n', 'api/app.py': 'app = Flask("a")' },
  ],
  [
    'a program for Bun is run by Bun',
    {
      'package.json': { name: 'fast' },
      'app.ts': `Bun.serve({ port: process.env.PORT, fetch: () => new Response('ok') });`,
    },
  ],
  [
    'a packageManager without a lock file says who installs',
    {
      'package.json': {
        packageManager: 'pnpm@9.1.0',
        scripts: { build: 'tsc' },
        dependencies: { express: '5' },
      },
      'index.js': `app.get('/items', all);\n${LISTENS}`,
    },
  ],
  [
    'Adonis is recognized, with its rendered pages, and is built into build/',
    {
      'package.json': {
        scripts: { start: 'node bin/server.js', build: 'node ace build' },
        dependencies: { '@adonisjs/core': '^6' },
      },
      'bin/server.ts': 'new Ignitor(APP_ROOT).httpServer().start();',
      'bin/test.ts': 'server.listen();',
      'ace.js': 'server.listen();',
      'start/routes.ts': "router.on('/').render('pages/home')",
    },
  ],
  [
    'a member of a workspace needs the databases of the libraries that it imports, and the settings of the root',
    {
      'package.json': { workspaces: ['apps/*', 'libs/*'] },
      '.env.example': 'MODE=fast\n',
      'libs/db/package.json': { name: '@x/db', dependencies: { pg: '8' } },
      'libs/db/index.js': 'connect(process.env.DATABASE_URL, process.env.MODE);',
      'apps/api/package.json': { dependencies: { express: '5', '@x/db': '*' } },
      'apps/api/server.js': `app.get('/', home);\n${LISTENS}`,
    },
  ],
  [
    "a member of uv's workspace is installed by uv, with the server that FastAPI brings, and migrated by Alembic",
    {
      'uv.lock': '',
      'pyproject.toml': '[tool.uv.workspace]\nmembers = ["backend"]\n',
      'backend/pyproject.toml': 'dependencies = ["fastapi[standard]", "psycopg"]',
      'backend/app/main.py':
        'app = FastAPI()\n\n@app.get("/health")\ndef health():\n    return settings.DATABASE_URL\n',
      'backend/app/alembic/env.py': 'run_migrations_online()',
    },
  ],
  [
    "one of several applications of Nest, started by its file's name without an ending",
    {
      'package.json': nest({ 'start:prod': 'node dist/apps/shop/main' }),
      'apps/admin/src/main.ts': `import { Users } from './users';\n${LISTENS}`,
      'apps/admin/src/users.ts': "@Controller('users')\nexport class Users {\n  @Get() all() {}\n}",
      'apps/shop/src/main.ts': `import { Items } from './items';\n${LISTENS}`,
      'apps/shop/src/items.ts': "@Controller('items')\nexport class Items {\n  @Get() all() {}\n}",
    },
  ],
  [
    'a folder of servers without scripts: start lines to choose from',
    {
      'package.json': { private: true, dependencies: { '@nestjs/core': '11', elysia: '1', koa: '2' } },
      'src/bun/elysia.ts': "import { Elysia } from 'elysia';\nnew Elysia().get('/id/:id', one).listen(3000);",
      'src/node/koa.js': 'new Koa().use(hi).listen(3000);',
    },
  ],
  [
    "start lines to choose from, under today's yarn",
    {
      'package.json': { dependencies: { koa: '3' } },
      'yarn.lock': '__metadata:\n  version: 8\n',
      'one/app.js': LISTENS,
      'two/app.js': LISTENS,
    },
  ],
];
/** @type {string[]} */
const written = [];

for (const [name, files] of KINDS)
  test(`found and planned: ${name}`, () => {
    const { servers, planned, cases } = found(files);
    assert.equal(servers.length, 1, JSON.stringify(servers));
    assert.equal(cases.length, servers[0]?.start === undefined ? 0 : 1);
    assert.equal(planned[0]?.start, servers[0]?.start);
    written.push(`# ${name}\n${perfYml(servers).split('\n').slice(3).join('\n')}`);
  });

test('what is written for each kind stays the same', () =>
  assertGolden('../init/kinds.yml', written.join('\n')));
