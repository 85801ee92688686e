/** What init makes of repositories: each kind found, nothing invented, and every perf.yml planned by the real planner. */

import assert from 'node:assert/strict';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { gitignore, perfYml, toDosIn } from '../../scripts/init/files.js';
import { findServers } from '../../scripts/init/init.js';
import { readRepository } from '../../scripts/init/repository.js';
import { unknownInputs, workflowYml } from '../../scripts/init/workflow.js';
import { found, repository, testFound } from './found.js';

const LISTENS = 'app.listen(process.env.PORT);';
/** @type {[string, string][]} */
const PYTHON = [
  ['api/pyproject.toml', 'dependencies = ["flask", "gunicorn"]'],
  ['api/app.py', 'app = Flask(__name__)'],
];

/** @type {[name: string, files: Record<string, string | object>, expected: object][]} */
const KINDS = [
  [
    'an Express app without scripts',
    {
      'package.json': { name: 'Orders API', dependencies: { express: '^5' } },
      'package-lock.json': {},
      'index.js': `app.get('/items/:id', one);\napp.get('/items', all);\n${LISTENS}`,
    },
    {
      id: 'orders-api',
      install: 'npm ci',
      start: 'node index.js',
      route: { path: '/items', declaredAt: 'index.js:2' },
    },
  ],
  [
    "the express-generator's layout",
    {
      'package.json': { scripts: { start: 'node ./bin/www' }, dependencies: { express: '4' } },
      'bin/www': 'const port = process.env.PORT; http.createServer(app).listen(port);',
      'routes/index.js': "router.get('/', function () {});",
      'routes/users.js': "router.get('/users', function () {});",
    },
    {
      id: 'shop',
      install: 'npm install --no-audit --no-fund',
      start: 'node ./bin/www',
      route: { path: '/', declaredAt: 'routes/index.js:1' },
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
    {
      id: 'cats',
      install: 'npm ci',
      build: 'npm run build',
      start: 'node dist/main',
      needs: ['redis'],
      route: { path: '/cats/all', declaredAt: 'src/cats.controller.ts:4' },
      toDos: [],
    },
  ],
  [
    'a Fastify app under pnpm, started for work only',
    {
      'package.json': {
        main: './src/server.js',
        scripts: { start: 'nodemon' },
        dependencies: { fastify: '5' },
      },
      'pnpm-lock.yaml': '',
      'src/server.js': `fastify.route({ method: 'GET', url: '/health', handler });\n${LISTENS}`,
    },
    {
      install: 'pnpm install --frozen-lockfile',
      start: 'node src/server.js',
      route: { path: '/health', declaredAt: 'src/server.js:1' },
    },
  ],
  [
    'plain Node, without a dependency',
    { 'package.json': {}, 'server.mjs': 'createServer(answer).listen(process.env.PORT);' },
    { install: undefined, start: 'node server.mjs', route: { path: '/' } },
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
    {
      install: 'yarn install --frozen-lockfile',
      build: 'yarn run build',
      start: 'yarn start',
      needs: ['postgres'],
      toDos: [
        'no source reads DATABASE_URL, the address of postgres',
        'the sources name no route, so / is a guess: write one that answers with status 200',
      ],
    },
  ],
  [
    "today's yarn, which makes no node_modules",
    {
      'package.json': { scripts: { start: 'node app.js' }, dependencies: { koa: '3' } },
      'yarn.lock': '__metadata:\n  version: 8\n',
      'app.js': LISTENS,
    },
    { install: 'yarn install --immutable', start: 'yarn node app.js' },
  ],
  [
    "today's yarn, set to make node_modules",
    {
      'package.json': { scripts: { start: 'node app.js' }, dependencies: { koa: '3' } },
      'yarn.lock': '__metadata:\n  version: 8\n',
      '.yarnrc.yml': 'nodeLinker: node-modules\n',
      'app.js': LISTENS,
    },
    { install: 'yarn install --immutable', start: 'node app.js' },
  ],
  [
    'Spring Boot by Maven, its wrapper there',
    {
      'pom.xml': '<artifactId>spring-boot-starter-web</artifactId>',
      mvnw: '',
      'src/main/java/a/App.java':
        '@SpringBootApplication\n@RestController\n@RequestMapping("/v1")\nclass App {\n  @GetMapping("/cats")\n  void a() {}\n}',
    },
    {
      runtime: 'java',
      build: 'sh ./mvnw --batch-mode --quiet -DskipTests package',
      route: { path: '/v1/cats', declaredAt: 'src/main/java/a/App.java:5' },
    },
  ],
  [
    'Spring Boot by Gradle',
    {
      'build.gradle.kts': 'id("org.springframework.boot") version "3"',
      'src/main/kotlin/App.kt': '@SpringBootApplication class App',
    },
    { runtime: 'java', build: 'gradle --quiet --no-daemon bootJar' },
  ],
  [
    'a Go service in cmd',
    {
      'go.mod': 'module shop\nrequire github.com/jackc/pgx/v5 v5.0.0',
      'cmd/api/main.go':
        'package main\n\nfunc main() {\n\tmux.HandleFunc("GET /orders", list)\n\tpgxpool.New(ctx, os.Getenv("DATABASE_URL"))\n\thttp.ListenAndServe(":"+os.Getenv("PORT"), mux)\n}',
    },
    {
      id: 'api',
      build: 'go build -o bin/cmd-api ./cmd/api',
      start: './bin/cmd-api',
      needs: ['postgres'],
      route: { path: '/orders', declaredAt: 'cmd/api/main.go:4' },
      toDos: [],
    },
  ],
  [
    'PHP with a public folder',
    {
      'composer.json': '{}',
      'public/index.php': '<?php',
      'routes/web.php': "Route::get('/welcome', fn () => 1);",
    },
    { runtime: 'php', route: { path: '/welcome', declaredAt: 'routes/web.php:1' } },
  ],
  [
    'nothing but a Dockerfile',
    { Dockerfile: 'FROM python:3\nCMD ["python3", "-m", "shop server"]\n' },
    { runtime: 'python3', start: 'python3 -m "shop server"' },
  ],
];

for (const [name, files, expected] of KINDS) testFound(name, files, expected);

test('a library and an empty folder are no servers', () => {
  assert.deepEqual(
    found({ 'package.json': { main: 'index.js' }, 'index.js': 'module.exports = 1' }).servers,
    [],
  );
  assert.deepEqual(found({ 'README.md': '' }).servers, []);
  assert.deepEqual(found({ 'go.mod': 'module lib', 'lib.go': 'package lib' }).servers, []);
  assert.deepEqual(found({ 'package.json': '{ broken', 'index.js': '' }).servers, []);
});

test('a repository with a start script has that one, with what is to be done', () => {
  const { servers, planned } = found({
    'package.json': { name: 'odd', scripts: { start: 'odd-server --go' }, dependencies: { odd: '1' } },
    'src/main.js': 'mount()',
  });
  assert.equal(planned[0]?.start, 'npm start');
  assert.equal(servers.length, 1);
  assert.match(perfYml(servers), /# To do: no server framework recognized/);
  assert.deepEqual(
    toDosIn(perfYml(servers)).map(({ line }) => line),
    [5],
  );
});

test('examples, clients and tests are left out beside a server, and taken where there is nothing else', () => {
  const server = { 'index.js': LISTENS, 'package.json': { dependencies: { express: '5' } } };
  const below = (/** @type {string[]} */ ...folders) =>
    Object.fromEntries(
      folders.flatMap((folder) => Object.entries(server).map(([file, text]) => [`${folder}/${file}`, text])),
    );
  const folders = (/** @type {Record<string, string | object>} */ files) =>
    found(files).servers.map(({ folder }) => folder);
  assert.deepEqual(folders(below('api', 'examples/hello', 'client', 'test/server')), ['api']);
  assert.deepEqual(folders(below('examples/hello')), ['examples/hello']);
});

test('of more than five servers the likeliest are taken, and the others named', () => {
  const files = Object.fromEntries(
    ['a', 'b', 'c', 'd', 'e', 'f', 'g'].flatMap((name) => [
      [`apps/${name}/package.json`, { name, dependencies: { express: '5' } }],
      [
        `apps/${name}/index.js`,
        name === 'a' || name === 'c' ? LISTENS : `app.get('/${name}', all); ${LISTENS}`,
      ],
    ]),
  );
  const sources = readRepository(repository(files));
  const { servers, more } = findServers(sources, 'shop');
  assert.deepEqual(
    [servers.map(({ id }) => id).join(''), more.map(({ id }) => id).join('')],
    ['bdefg', 'ac'],
  );
  assert.deepEqual(
    findServers(sources, 'shop', ['c']).servers.map(({ id }) => id),
    ['c'],
  );
});

test('results are ignored by git once', () => {
  assert.equal(gitignore(''), 'perf-results/\n');
  assert.equal(gitignore('dist'), 'dist\nperf-results/\n');
  assert.equal(gitignore('/perf-results\n'), '/perf-results\n');
});

test('the servers of a workspace are found, each at its own route and for its own changes', () => {
  const { servers, cases, planned } = found({
    'package.json': { workspaces: ['apps/*', 'packages/*'] },
    'package-lock.json': {},
    'apps/api/package.json': {
      name: '@m/api',
      main: 'index.js',
      dependencies: { fastify: '5', '@m/money': '*' },
    },
    'packages/ui/package.json': { name: '@m/ui' },
    'apps/api/index.js': `fastify.get('/orders', list); ${LISTENS}`,
    'apps/web/package.json': {
      name: '@m/web',
      scripts: { start: 'node server.js' },
      dependencies: { express: '5' },
    },
    'apps/web/server.js': `app.get('/', home); ${LISTENS}`,
    'packages/money/package.json': { name: '@m/money' },
    'packages/money/index.js': '',
  });
  assert.deepEqual(
    servers.map(({ id, install }) => [id, install]),
    [
      ['api', 'npm ci'],
      ['web', 'npm ci'],
    ],
  );
  assert.deepEqual(cases.map(({ server, route }) => `${server} ${route}`).sort(), ['api /orders', 'web /']);
  assert.deepEqual(planned.find(({ id }) => id === 'api')?.paths, [
    'apps/api/**',
    'packages/money/**',
    'package.json',
    'package-lock.json',
  ]);
});

test('two servers of one name get ids of their own', () => {
  const app = { 'package.json': { name: 'app', dependencies: { express: '5' } }, 'index.js': LISTENS };
  const files = Object.fromEntries(
    ['a', 'b'].flatMap((folder) => Object.entries(app).map(([file, text]) => [`${folder}/${file}`, text])),
  );
  assert.deepEqual(
    found(files).servers.map(({ id }) => id),
    ['app', 'app-2'],
  );
});

test('what others wrote or tools made is not looked at', () => {
  const root = repository({
    'node_modules/express/package.json': { dependencies: { express: '5' } },
    'dist/index.js': LISTENS,
    '.git/package.json': {},
    'package.json': {},
  });
  assert.deepEqual([...readRepository(root).keys()], ['package.json']);
});

test('what may not be read is left out', { skip: process.getuid?.() === 0 && 'root may read all' }, () => {
  const root = repository({ 'package.json': {}, 'data/package.json': {}, '.env': 'KEY=1' });
  const closed = [join(root, 'data'), join(root, '.env')];
  for (const path of closed) chmodSync(path, 0);
  try {
    assert.deepEqual([...readRepository(root).keys()], ['package.json']);
  } finally {
    for (const path of closed) chmodSync(path, 0o700);
  }
});

test('the workflow gives the action what it knows, and brings the Node the repository asks for', () => {
  const plain = workflowYml(new Map(), []);
  assert.deepEqual(unknownInputs(plain, ['against']), []);
  assert.deepEqual(unknownInputs(plain, ['budget']), ['against']);
  const stepsFor = (/** @type {[string, string][]} */ ...files) =>
    parse(workflowYml(new Map(files), findServers(new Map(files), '').servers)).jobs.perf.steps.slice(1, -1);
  const manifest = '{ "scripts": { "start": "node app.js" }, "dependencies": { "express": "5" } }';
  assert.deepEqual(
    stepsFor(
      ['.nvmrc', '22'],
      ['backend/.nvmrc', '24'],
      ['backend/pnpm-lock.yaml', ''],
      ['backend/package.json', manifest],
      ['docs/uv.lock', ''],
    ),
    [
      { uses: 'actions/setup-node@v7', with: { 'node-version-file': 'backend/.nvmrc' } },
      { run: 'corepack enable' },
    ],
  );
  const python = (/** @type {string} */ lock) => stepsFor([`api/${lock}`, ''], ...PYTHON);
  assert.deepEqual(python('uv.lock'), [{ run: 'pipx install uv' }]);
  assert.deepEqual(python('poetry.lock'), [{ run: 'pipx install poetry' }]);
  assert.deepEqual(python('Pipfile.lock'), [{ run: 'pipx install pipenv' }]);
  assert.deepEqual(stepsFor(['bun.lock', ''], ['package.json', manifest]), [
    { run: 'npm install --global bun' },
  ]);
});

test('of several programs in one package the route is that of the one that is started, or a to-do', () => {
  const files = {
    'package.json': { dependencies: { koa: '2' } },
    'first/app.js': `const app = new Koa();\napp.use(answer);\napp.listen(3000);`,
    'second/server.js': `router.get('/posts', list);\n${LISTENS}`,
  };
  const [unknown] = found(files).servers;
  assert.equal(unknown?.start, 'node second/server.js');
  assert.equal(unknown?.route.path, '/posts');
  const [started] = found({
    ...files,
    'package.json': { scripts: { start: 'node first/app.js' }, dependencies: { koa: '2' } },
  }).servers;
  assert.deepEqual(
    [started?.start, started?.route.path, started?.route.declaredAt],
    ['node first/app.js', '/', undefined],
  );
  assert.match(started?.toDos.join() ?? '', /the sources name no route, so \/ is a guess/);
  const [imports] = found({
    ...files,
    'package.json': { scripts: { start: 'node first/app.js' }, dependencies: { koa: '2' } },
    'first/app.js': `const posts = require('./posts');\n${LISTENS}`,
    'first/posts.js': `router.get('/mine', list);`,
  }).servers;
  assert.equal(imports?.route.path, '/mine');
});

test('a published library without a start is no server', () => {
  const files = { 'index.js': `exports.serve = () => http.createServer(app).listen(port);` };
  const library = { name: 'framework', files: ['index.js'] };
  assert.deepEqual(found({ ...files, 'package.json': library }).servers, []);
  assert.equal(found({ ...files, 'package.json': { ...library, private: true } }).servers.length, 1);
});

test('a program for Bun is run by Bun', () => {
  const [bun] = found({
    'package.json': { name: 'fast' },
    'app.ts': `Bun.serve({ port: process.env.PORT, fetch: () => new Response('ok') });`,
  }).servers;
  assert.deepEqual([bun?.start, bun?.runtime], ['bun app.ts', 'bun']);
});

test('variables without a value, and those that @fastify/env requires, are to-dos', () => {
  const [server] = found({
    'package.json': { dependencies: { fastify: '5', '@fastify/env': '5' } },
    '.env.example': 'STRIPE_KEY=\nLEVEL=info\nPORT=3000\n',
    'server.js': `app.register(require('@fastify/env'), { schema: { required: ['PORT', 'API_ORIGIN'] } });
use(process.env.STRIPE_KEY, process.env.LEVEL);
app.get('/items', list);
${LISTENS}`,
  }).servers;
  assert.equal(server?.env?.LEVEL, 'info');
  assert.match(server?.toDos.join() ?? '', /give values under env: STRIPE_KEY, API_ORIGIN/);
});

test('libraries of a workspace are built before the server that imports them, in the order they need', () => {
  const files = {
    'package.json': { workspaces: ['apps/*', 'libs/*'] },
    'package-lock.json': {},
    'libs/base/package.json': { name: '@x/base', scripts: { build: 'tsc' } },
    'libs/plain/package.json': { name: '@x/plain' },
    'libs/log/package.json': { name: '@x/log', scripts: { build: 'tsc' }, dependencies: { '@x/base': '*' } },
    'apps/api/package.json': {
      scripts: { build: 'tsc', start: 'node dist/main.js' },
      dependencies: { express: '5', '@x/log': '*', '@x/plain': '*', '@x/base': '*' },
    },
    'apps/api/main.ts': `app.get('/items', all);\n${LISTENS}`,
  };
  const [server] = found(files).servers;
  assert.equal(
    server?.build,
    '(cd ../../libs/base && npm run build) && (cd ../../libs/log && npm run build) && npm run build',
  );
});

test('a packageManager without a lock file says who installs', () => {
  const [server] = found({
    'package.json': {
      packageManager: 'pnpm@9.1.0',
      scripts: { build: 'tsc' },
      dependencies: { express: '5' },
    },
    'index.js': `app.get('/items', all);\n${LISTENS}`,
  }).servers;
  assert.deepEqual([server?.install, server?.build], ['pnpm install', 'pnpm run build']);
});

test('Adonis is recognized, with its rendered pages, and is built into build/', () => {
  const [server] = found({
    'package.json': {
      scripts: { start: 'node bin/server.js', build: 'node ace build' },
      dependencies: { '@adonisjs/core': '^6' },
    },
    'bin/server.ts': 'new Ignitor(APP_ROOT).httpServer().start();',
    'bin/test.ts': 'server.listen();',
    'ace.js': 'server.listen();',
    'start/routes.ts': "router.on('/').render('pages/home')",
  }).servers;
  assert.deepEqual(
    [server?.evidence, server?.start, server?.route.path, server?.toDos],
    ['AdonisJS in package.json', 'node build/bin/server.js', '/', []],
  );
});

test('a start that builds first is started without its build, and Nx builds where its project says', () => {
  const build = found({
    'package.json': {
      scripts: { start: 'npm run build && node dist/server.js', build: 'tsc' },
      dependencies: { fastify: '5' },
    },
    'src/server.ts': `app.get('/', home);\n${LISTENS}`,
  }).servers;
  assert.equal(build[0]?.start, 'node dist/server.js');
  const nx = found({
    'package.json': { scripts: { start: 'nx serve', build: 'nx build' }, dependencies: { express: '5' } },
    'project.json': '{ "targets": { "build": { "options": { "outputPath": "dist/api" } } } }',
    'src/main.ts': `app.get('/', home);\n${LISTENS}`,
  }).servers;
  assert.equal(nx[0]?.start, 'node dist/api/main.js');
});

test('a migration whose script reads .env finds an empty one', () => {
  const [server] = found({
    'package.json': {
      scripts: { start: 'node app.js', 'db:migrate': 'node --env-file=.env migrate.js' },
      dependencies: { express: '5', pg: '8' },
    },
    'app.js': `connect(process.env.DATABASE_URL);\n${LISTENS}`,
  }).servers;
  assert.equal(server?.start, 'touch .env && npm run db:migrate && node app.js');
});

test('settings come from env-example files too, from the one for the database that is used', () => {
  const [server] = found({
    'package.json': { scripts: { start: 'node app.js' }, dependencies: { express: '5', pg: '8' } },
    'env-example-document': 'DATABASE_TYPE=mongodb\n',
    'env-example-relational':
      'DATABASE_TYPE=postgres\nDATABASE_HOST=db\nRATE_LIMIT_MAX=4 # for tests\nQUEUE=redis://redis:6379/1\n',
    'app.js': `const { DATABASE_URL, DATABASE_TYPE, DATABASE_HOST, RATE_LIMIT_MAX, QUEUE } = process.env;\n${LISTENS}`,
  }).servers;
  assert.deepEqual(server?.env, {
    NODE_ENV: 'production',
    DATABASE_TYPE: 'postgres',
    RATE_LIMIT_MAX: '1000000000',
  });
  assert.match(server?.toDos.join() ?? '', /give values under env: QUEUE/);
});

test('a value of an example that is made of others is a to-do, since nobody sets those', () => {
  const [server] = found({
    'package.json': { scripts: { start: 'node app.js' }, dependencies: { express: '5' } },
    '.env.example': 'BASE_URL=http://localhost:${PORT}\nLEVEL=info\n',
    'app.js': `const { BASE_URL, LEVEL } = process.env;\n${LISTENS}`,
  }).servers;
  assert.deepEqual(server?.env, { NODE_ENV: 'production', LEVEL: 'info' });
  assert.match(server?.toDos.join() ?? '', /give values under env: BASE_URL/);
});

test('what @fastify/env has a default for needs no value', () => {
  const [server] = found({
    'package.json': { dependencies: { fastify: '5', '@fastify/env': '5', '@fastify/rate-limit': '11' } },
    'server.js': `const env = require('@fastify/env');
const schema = { required: ['ORIGIN', 'SECURED'], properties: { SECURED: { type: 'boolean', default: true } } };
app.get('/', home);
${LISTENS}`,
  }).servers;
  assert.deepEqual(server?.toDos, [
    '@fastify/rate-limit answers 429 to a client that asks often: lift its limit while measuring',
    'give values under env: ORIGIN',
  ]);
});

test('a route that looks guarded is taken only with a to-do', () => {
  const [server] = found({
    'package.json': { dependencies: { express: '5' } },
    'server.js': `app.get('/docs', serveDocs);\n${LISTENS}`,
  }).servers;
  assert.equal(server?.route.path, '/docs');
  assert.deepEqual(server?.toDos, ['check that /docs answers anybody with status 200']);
});

test('of programs alike the one with a route is taken, the one in the folder before it, and the others are named', () => {
  const files = {
    'package.json': { dependencies: { koa: '2' } },
    '404/app.js': `app.use(notFound);\n${LISTENS}`,
    'blog/app.js': `router.get('/', list);\n${LISTENS}`,
    'blog/test.js': `server.listen();`,
    'cookies/app.js': `app.use(count);\n${LISTENS}`,
  };
  const [server] = found(files).servers;
  assert.deepEqual([server?.start, server?.route.declaredAt], ['node blog/app.js', 'blog/app.js:1']);
  assert.deepEqual(server?.toDos, [
    'blog/app.js is one of several programs here: 404/app.js, cookies/app.js could be meant',
  ]);
  const sources = readRepository(repository(files));
  assert.equal(findServers(sources, 'shop', [], 'cookies').servers[0]?.start, 'node cookies/app.js');
});

test('a member of a workspace needs the databases of the libraries that it imports, and the settings of the root', () => {
  const [server] = found({
    'package.json': { workspaces: ['apps/*', 'libs/*'] },
    '.env.example': 'MODE=fast\n',
    'libs/db/package.json': { name: '@x/db', dependencies: { pg: '8' } },
    'libs/db/index.js': 'connect(process.env.DATABASE_URL, process.env.MODE);',
    'apps/api/package.json': { dependencies: { express: '5', '@x/db': '*' } },
    'apps/api/server.js': `app.get('/', home);\n${LISTENS}`,
  }).servers;
  assert.deepEqual([server?.needs, server?.env], [['postgres'], { NODE_ENV: 'production', MODE: 'fast' }]);
});

test("a member of uv's workspace is installed by uv, with the server that FastAPI brings, and migrated by Alembic", () => {
  const [server] = found({
    'uv.lock': '',
    'pyproject.toml': '[tool.uv.workspace]\nmembers = ["backend"]\n',
    'backend/pyproject.toml': 'dependencies = ["fastapi[standard]", "psycopg"]',
    'backend/app/main.py':
      'app = FastAPI()\n\n@app.get("/health")\ndef health():\n    return settings.DATABASE_URL\n',
    'backend/app/alembic/env.py': 'run_migrations_online()',
  }).servers;
  assert.deepEqual(
    [server?.install, server?.start, server?.toDos],
    [
      'uv sync --frozen',
      'uv run alembic upgrade head && uv run uvicorn --host $HOST --port $PORT app.main:app',
      [],
    ],
  );
});
