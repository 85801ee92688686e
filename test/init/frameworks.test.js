/** Frameworks, databases and settings, as their own documentation has people write them. */

import { testFound } from './found.js';

const LISTENS = 'app.listen(process.env.PORT);';
const GRAPHQL = { method: 'POST', headers: { 'content-type': 'application/json' } };

/** @type {[name: string, files: Record<string, string | object>, expected: object][]} */
const SERVERS = [
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
    {
      install: 'npm ci',
      build: 'npm run build',
      start: 'npm start',
      route: { path: '/', declaredAt: 'src/app/(shop)/page.tsx' },
      toDos: [],
    },
  ],
  [
    'Next.js with handlers alone',
    {
      'package.json': { scripts: { start: 'next dev' }, dependencies: { next: '16' } },
      'app/api/items/[id]/route.js': '',
      'app/api/items/route.js': '',
    },
    { start: 'npx next start', route: { path: '/api/items', declaredAt: 'app/api/items/route.js' } },
  ],
  [
    'Nuxt',
    {
      'package.json': { scripts: { build: 'nuxt build' }, dependencies: { nuxt: '4' } },
      'server/api/items.get.ts': '',
    },
    {
      start: 'node .output/server/index.mjs',
      route: { path: '/api/items', declaredAt: 'server/api/items.get.ts' },
      toDos: [],
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
    {
      build: 'npm run build',
      start: 'npm start',
      route: { path: '/', declaredAt: 'app/routes/_index.tsx' },
      toDos: [],
    },
  ],
  [
    'Hono below a base path',
    {
      'package.json': { main: 'index.js', dependencies: { hono: '4', '@hono/node-server': '1' } },
      'index.js': 'export const version = 1;',
      'app.mjs':
        "const api = new Hono().basePath('/api');\napi.get('/items', (c) => c.json([]));\nserve({ fetch: api.fetch, port: process.env.PORT });",
    },
    { start: 'node app.mjs', route: { path: '/api/items', declaredAt: 'app.mjs:2' } },
  ],
  [
    'Polka',
    {
      'package.json': { dependencies: { polka: '0.5' } },
      'index.js': `polka().get('/hello', hello);\n${LISTENS}`,
    },
    { start: 'node index.js', route: { path: '/hello', declaredAt: 'index.js:1' } },
  ],
  [
    'Koa with prefixed routers, without a start script',
    {
      'package.json': { dependencies: { koa: '3', '@koa/router': '14' } },
      'src/app.js': `import items from './routes/items.js';\napp.use(items.routes());\n${LISTENS}`,
      'src/routes/items.js':
        "const router = new Router({ prefix: '/items' });\nrouter.get('/all', all);\nexport default router;",
    },
    { start: 'node src/app.js', route: { path: '/items/all', declaredAt: 'src/routes/items.js:2' } },
  ],
  [
    'Express: routers in routers, guards, and what is commented out',
    {
      'package.json': { scripts: { start: 'nodemon server.js' }, dependencies: { express: '5' } },
      'server.js': `const api = require('./routes');\n// app.get('/old', old);\napp.use('/api', limit, api);\n${LISTENS}`,
      'routes/index.js':
        "const router = Router();\nrouter.use('/users', require('./users'));\nrouter.use('/tags', require('./tags'));",
      'routes/users.js': "router.get('/', requireUser, all);\nrouter.get('/me', me);",
      'routes/tags.js': "/* router.get('/none', none); */\nrouter.get('/', all);",
    },
    { start: 'node server.js', route: { path: '/api/tags', declaredAt: 'routes/tags.js:2' } },
  ],
  [
    'Fastify plugins with prefixes',
    {
      'package.json': { scripts: { start: 'node server.js' }, dependencies: { fastify: '5' } },
      'server.js': `import items from './items.js';\napp.register(items, { prefix: '/v1' });\n${LISTENS}`,
      'items.js':
        "export default async function (app) {\n  app.register(async (inner) => {\n    inner.get('/all', all);\n  }, { prefix: '/items' });\n}",
    },
    { route: { path: '/v1/items/all', declaredAt: 'items.js:3' } },
  ],
  [
    'Nest with a global prefix and a version',
    {
      'package.json': {
        scripts: { build: 'nest build', start: 'nest start' },
        dependencies: { '@nestjs/core': '11' },
      },
      'src/main.ts': "app.setGlobalPrefix('api');\nawait app.listen(process.env.PORT);",
      'src/cats.controller.ts':
        "@ApiTags('cats')\n@Controller({ path: 'cats', version: '2' })\nexport class Cats {\n  @UseGuards(Auth)\n  @Get()\n  mine() {}\n\n  @Get('all')\n  all() {}\n}",
    },
    {
      start: 'node dist/main.js',
      route: { path: '/api/v2/cats/all', declaredAt: 'src/cats.controller.ts:8' },
    },
  ],
  [
    'tRPC over its own server',
    {
      'package.json': { scripts: { build: 'tsc' }, dependencies: { '@trpc/server': '11' } },
      'tsconfig.json': '{ "compilerOptions": { "outDir": "dist", "rootDir": "src" } }',
      'src/server.ts':
        'const itemRouter = router({\n  one: publicProcedure.input(id).query(one),\n  list: publicProcedure.query(() => []),\n});\nconst app = router({ items: itemRouter });\ncreateHTTPServer({ router: app }).listen(Number(process.env.PORT));',
    },
    { start: 'node dist/server.js', route: { path: '/items.list', declaredAt: 'src/server.ts:3' } },
  ],
  [
    'Apollo by itself',
    {
      'package.json': { main: 'index.js', dependencies: { '@apollo/server': '5', graphql: '16' } },
      'index.js':
        'const typeDefs = `\n  type Query {\n    book(id: ID!): Book\n    title: String!\n  }\n`;\nawait startStandaloneServer(server, { listen: { port: process.env.PORT } });',
    },
    {
      start: 'node index.js',
      route: { path: '/', ...GRAPHQL, body: '{"query":"{ title }"}', declaredAt: 'index.js' },
    },
  ],
  [
    'Yoga and Mercurius, at the usual path',
    {
      'package.json': { dependencies: { 'graphql-yoga': '5' } },
      'index.mjs': 'createServer(createYoga({ schema })).listen(process.env.PORT);',
    },
    { start: 'node index.mjs', route: { path: '/graphql', ...GRAPHQL, body: '{"query":"{ __typename }"}' } },
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
    { start: 'npx tsx src/index.ts' },
  ],
  [
    'FastAPI with routers',
    {
      'requirements.txt': 'fastapi\nuvicorn[standard]\n',
      'app/main.py':
        'from .routers import items\n\napp = FastAPI()\napp.include_router(items.router, prefix="/api")\n',
      'app/routers/items.py':
        'router = APIRouter(prefix="/items")\n\n@router.get("/find")\ndef find(q: str):\n    return q\n\n@router.get("/")\ndef all():\n    return []\n',
    },
    {
      runtime: 'python3',
      start: '.venv/bin/uvicorn --host $HOST --port $PORT app.main:app',
      route: { path: '/api/items/', declaredAt: 'app/routers/items.py:7' },
    },
  ],
  [
    'Flask with a blueprint and a factory',
    {
      'requirements.txt': 'Flask==3.1\n',
      'shop/__init__.py':
        'def create_app():\n    app = Flask(__name__)\n    from .items import bp\n    app.register_blueprint(bp, url_prefix="/items")\n    return app\n',
      'shop/items.py':
        'bp = Blueprint("items", __name__)\n\n# @bp.get("/old")\n@bp.route("/all")\ndef all():\n    return []\n',
    },
    {
      install:
        'python3 -m venv .venv && .venv/bin/pip install --quiet --disable-pip-version-check -r requirements.txt gunicorn',
      start: ".venv/bin/gunicorn --bind $HOST:$PORT --threads 4 'shop:create_app()'",
      route: { path: '/items/all', declaredAt: 'shop/items.py:4' },
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
      'site/urls.py': 'urlpatterns = [path("admin/", admin.site.urls), path("api/", include("items.urls"))]',
      'items/urls.py': 'urlpatterns = [path("items/", views.all)]',
    },
    {
      needs: ['postgres'],
      start:
        'DB_HOST=$PGHOST DB_PORT=$PGPORT .venv/bin/python manage.py migrate --verbosity 0 && DB_HOST=$PGHOST DB_PORT=$PGPORT .venv/bin/gunicorn --bind $HOST:$PORT --threads 4 site.wsgi:application',
      route: { path: '/api/items/', declaredAt: 'items/urls.py:1' },
      toDos: [],
    },
  ],
  [
    'Django below the repository that lists its packages',
    {
      'requirements.txt': 'django>=5\n',
      'my site/manage.py': '',
      'my site/shop/wsgi.py': 'application = get_wsgi_application()',
      'my site/shop/urls.py': 'urlpatterns = [path("items/", views.all)]',
    },
    {
      folder: '',
      start:
        ".venv/bin/python 'my site/manage.py' migrate --verbosity 0 && .venv/bin/gunicorn --bind $HOST:$PORT --threads 4 --chdir 'my site' shop.wsgi:application",
      route: { path: '/items/', declaredAt: 'my site/shop/urls.py:1' },
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
    {
      runtime: 'php',
      needs: ['postgres'],
      start:
        'DB_HOST=$PGHOST php artisan migrate --force && DB_HOST=$PGHOST php -S $HOST:$PORT -t public public/index.php',
      env: {
        APP_URL: 'http://localhost',
        DB_CONNECTION: 'pgsql',
        APP_ENV: 'production',
        APP_DEBUG: 'false',
        APP_KEY: 'base64:b25seS1mb3ItbWVhc3VyaW5nLTAxMjM0NTY3ODlhYmM=',
        PHP_CLI_SERVER_WORKERS: '4',
      },
      route: { path: '/api/items', declaredAt: 'routes/api.php:1' },
      toDos: ["this is PHP's built-in server; php-fpm or FrankenPHP answer differently under load"],
    },
  ],
  [
    'Rails',
    {
      Gemfile: 'gem "rails", "~> 8.0"\ngem "pg"\n',
      'config/routes.rb':
        'Rails.application.routes.draw do\n  namespace :api do\n    get "items", to: "items#index"\n  end\nend\n',
    },
    {
      runtime: 'ruby',
      needs: ['postgres'],
      route: { path: '/api/items', declaredAt: 'config/routes.rb:3' },
      toDos: [],
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
    {
      start:
        'java -Dquarkus.http.host=$HOST -Dquarkus.http.port=$PORT -jar target/quarkus-app/quarkus-run.jar',
      route: { path: '/shop/items/all', declaredAt: 'src/main/java/Items.java:3' },
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
    {
      build: 'sh ./gradlew --quiet --no-daemon shadowJar',
      start: 'java -Dmicronaut.server.host=$HOST -Dmicronaut.server.port=$PORT -jar build/libs/*-all.jar',
      route: { path: '/items', declaredAt: 'src/main/java/Items.java:3' },
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
    {
      folder: '',
      build: 'mvn --batch-mode --quiet -DskipTests --projects api --also-make package',
      start:
        'SPRING_DATASOURCE_URL=jdbc:postgresql://$PGHOST:$PGPORT/$PGDATABASE SPRING_DATASOURCE_USERNAME=$PGUSER java -Dserver.address=$HOST -Dserver.port=$PORT -jar api/target/api-*.jar',
      needs: ['postgres'],
      route: { path: '/items', declaredAt: 'api/src/main/java/App.java:8' },
      toDos: [],
    },
  ],
  [
    'a Spring module of a Maven build inside another, its jar named after it, below a path of its settings',
    {
      'pom.xml': '<modules><module>our services</module><module>common</module></modules>',
      'common/pom.xml': '<artifactId>common</artifactId>',
      'our services/pom.xml':
        '<modules><module>orders</module></modules><artifactId>spring-boot-starter-parent</artifactId>',
      'our services/orders/pom.xml':
        '<artifactId>orders</artifactId><build><finalName>${project.artifactId}</finalName></build>',
      'our services/orders/src/main/resources/application.yml':
        'management:\n  endpoints:\n    web:\n      base-path: /manage\nserver:\n  port: 80\n  servlet:\n    context-path: /shop\n',
      'our services/orders/src/main/java/App.java':
        '@SpringBootApplication\n@RestController\nclass App {\n  @GetMapping("/items")\n  String all() { return ""; }\n}',
    },
    {
      folder: '',
      build: "mvn --batch-mode --quiet -DskipTests --projects 'our services/orders' --also-make package",
      start: "java -Dserver.address=$HOST -Dserver.port=$PORT -jar 'our services/orders'/target/orders.jar",
      route: { path: '/shop/items', declaredAt: 'our services/orders/src/main/java/App.java:4' },
    },
  ],
  [
    'Spring Boot, whose settings give a path to its own endpoints alone',
    {
      'build.gradle': "id 'org.springframework.boot'",
      'src/main/resources/application.properties':
        'management.endpoints.web.base-path=/manage\nspring.data.rest.base-path=/data\n',
      'src/main/java/App.java':
        '@SpringBootApplication\n@RestController\nclass App {\n  @GetMapping("/items")\n  String all() { return ""; }\n}',
    },
    { route: { path: '/items', declaredAt: 'src/main/java/App.java:4' } },
  ],
  [
    'a Spring module of a Gradle build, in a folder whose name is no pattern',
    {
      'settings.gradle': "include ':core', ':c++:api'",
      'c++/api/build.gradle': "plugins { id 'org.springframework.boot' }",
      'c++/api/src/main/java/App.java': '@SpringBootApplication\nclass App {}',
    },
    { id: 'api', folder: '', build: 'gradle --quiet --no-daemon :c++:api:bootJar' },
  ],
  [
    'Go: groups, and a client beside the server',
    {
      'go.mod': 'module shop\nrequire github.com/gin-gonic/gin v1.11.0',
      'cmd/server/main.go':
        'package main\n\nfunc main() {\n\tr := gin.New()\n\tv1 := r.Group("/v1")\n\tv1.GET("/items", all)\n\tr.Run(":" + os.Getenv("PORT"))\n}',
      'cmd/client/main.go': 'package main\n\nfunc main() {\n\thttp.Get("/v1/items")\n}',
    },
    { id: 'server', route: { path: '/v1/items', declaredAt: 'cmd/server/main.go:6' } },
  ],
  [
    'Go: chi, with routes in routes',
    {
      'go.mod': 'module shop',
      'main.go':
        'package main\n\nfunc main() {\n\tr.Route("/api", func(r chi.Router) {\n\t\tr.Get("/items", all)\n\t})\n\thttp.ListenAndServe(":8080", r)\n}',
    },
    { route: { path: '/api/items', declaredAt: 'main.go:5' } },
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
    { needs: ['mysql'], start: 'npx prisma db push && node index.js', toDos: [] },
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
    { needs: ['postgres'], start: 'DB_HOST=$PGHOST DB_USERNAME=$PGUSER DB_NAME=$PGDATABASE node index.js' },
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
    { needs: ['postgres', 'mongo', 'redis'], toDos: [] },
  ],
  [
    'settings from the example beside the code, and made up where any will do',
    {
      'package.json': { scripts: { start: 'node --env-file=.env index.js' }, dependencies: { express: '5' } },
      '.env.example': 'PORT=3000\nGREETING="hello there" \nUNUSED=1\n',
      'index.js': `process.env.GREETING; process.env.JWT_SECRET; process.env.SESSION_SECRET || 'x';\n${LISTENS}`,
    },
    {
      start: 'node index.js',
      env: {
        NODE_ENV: 'production',
        GREETING: 'hello there',
        JWT_SECRET: 'only-for-measuring-0123456789abcdef',
      },
    },
  ],
  [
    'settings that git ignores, copied',
    {
      'package.json': { scripts: { start: 'node --env-file=.env index.js' }, dependencies: { express: '5' } },
      '.env': 'GREETING=hello\n',
      'index.js': `process.env.GREETING;\n${LISTENS}`,
    },
    {
      start: 'node --env-file=.env index.js',
      copy: ['.env'],
      toDos: [
        '.env is copied: if git ignores it, the workflow on GitHub has to write it first; or put its values under env',
        'the sources name no route, so / is a guess: write one that answers with status 200',
      ],
    },
  ],
  ['a Procfile', { Procfile: 'web: ./serve --port $PORT\n' }, { start: './serve --port $PORT' }],
];

for (const [name, files, expected] of SERVERS) testFound(name, files, expected);
