/**
 * What init makes of repositories: each kind found, nothing invented, and every perf.yml planned by the real
 * planner.
 */

import assert from 'node:assert/strict';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { gitignore, perfYml, toDosIn } from '../../scripts/init/files.js';
import { findServers } from '../../scripts/init/init.js';
import { readRepository } from '../../scripts/init/repository.js';
import { unknownInputs, workflowYml } from '../../scripts/init/workflow.js';
import { found, repository, written } from './found.js';

const LISTENS = 'app.listen(process.env.PORT);';
/** @type {[string, string][]} */
const PYTHON = [
  ['api/pyproject.toml', 'dependencies = ["flask", "gunicorn"]'],
  ['api/app.py', 'app = Flask(__name__)'],
];

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
    [5, 6],
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
      ...(name === 'a' || name === 'c' ? ['one', 'two'] : ['index']).map((file) => [
        `apps/${name}/${file}.js`,
        LISTENS,
      ]),
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

test('the servers of a workspace are found, each for its own changes', () => {
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
  assert.deepEqual(cases.map(({ server, route }) => `${server} ${route}`).sort(), ['api /', 'web /']);
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
    parse(
      workflowYml(new Map(files), written(findServers(new Map(files), '').servers)),
    ).jobs.perf.steps.slice(1, -1);
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
      { run: 'npm install --global corepack && corepack enable' },
    ],
  );
  const python = (/** @type {string} */ lock) => stepsFor([`api/${lock}`, ''], ...PYTHON);
  assert.deepEqual(python('uv.lock'), [{ run: 'pipx install uv' }]);
  assert.deepEqual(python('poetry.lock'), [{ run: 'pipx install poetry' }]);
  assert.deepEqual(python('Pipfile.lock'), [{ run: 'pipx install pipenv' }]);
  assert.deepEqual(stepsFor(['package.json', manifest.replace('node app.js', 'A=1 bun app.js')]), [
    { run: 'npm install --global bun' },
  ]);
  assert.deepEqual(stepsFor(['bun.lock', ''], ['package.json', manifest]), [
    { run: 'npm install --global bun' },
  ]);
});

test('a Node that is older than the one of perf-action is the server’s alone', () => {
  const server = { 'package.json': { dependencies: { express: '4' } }, 'server.js': LISTENS };
  const versionOf = (/** @type {string} */ version) =>
    found({ ...server, '.node-version': version }).planned[0]?.version;
  const asked = ['18.16.1', 'v16', '20', '24', 'lts/*', 'lts/fermium', 'lts/new'];
  assert.deepEqual(asked.map(versionOf), ['18.16.1', '16', ...Array(3), '14', undefined]);
  const rangeOf = (/** @type {string} */ node) =>
    found({ ...server, 'package.json': { ...server['package.json'], engines: { node } } }).planned[0]
      ?.version;
  assert.deepEqual(['18.x', '^16.1', '>=18', '<18'].map(rangeOf), ['18', '16.1', undefined, undefined]);
  const stepsOf = (/** @type {string} */ version) => {
    const sources = new Map([['.node-version', version]]);
    return parse(workflowYml(sources, [{ folder: '' }])).jobs.perf.steps.length;
  };
  assert.deepEqual(['18.16.1', '20', '24', 'lts/*', 'lts/fermium'].map(stepsOf), [2, 3, 3, 3, 2]);
});

test('the workflow has the versions under which the servers were tried, and the Node that a range asks for', () => {
  const stepsOf = (/** @type {string} */ engines, /** @type {object[]} */ ...servers) => {
    const sources = new Map([['package.json', JSON.stringify({ engines: { node: engines } })]]);
    const text = workflowYml(
      sources,
      servers.map((server) => ({ folder: '', ...server })),
    );
    return parse(text)
      .jobs.perf.steps.slice(1, -1)
      .map((/** @type {any} */ step) => step.with);
  };
  const tried = { runtime: 'node', version: '22.11.0' };
  assert.deepEqual(stepsOf('>=24', {}), [{ 'node-version-file': 'package.json' }]);
  assert.deepEqual(stepsOf('>=24', tried), [{ 'node-version-file': 'package.json' }]);
  assert.deepEqual(stepsOf('>=18', tried), [{ 'node-version': '22' }]);
  assert.deepEqual(stepsOf('18.x', { ...tried, version: undefined, node: '18' }), []);
  assert.deepEqual(
    stepsOf('', tried, { runtime: 'java', version: '21.0.5' }, { runtime: 'python3', version: '3.11.2' }),
    [
      { 'node-version': '22' },
      { distribution: 'temurin', 'java-version': '21' },
      { 'python-version': '3.11' },
    ],
  );
});

test('a published library without a start is no server, unless its main program listens', () => {
  const files = { 'index.js': `exports.serve = () => http.createServer(app).listen(port);` };
  const library = { name: 'framework', files: ['index.js'] };
  assert.deepEqual(found({ ...files, 'package.json': library }).servers, []);
  assert.equal(found({ ...files, 'package.json': { ...library, private: true } }).servers.length, 1);
  const program = { ...library, main: 'dist/index.mjs', dependencies: { express: '5' } };
  assert.equal(found({ ...files, 'package.json': program }).servers.length, 1);
  const middleware = { ...program, main: 'lib/limit.js' };
  assert.deepEqual(found({ ...files, 'package.json': middleware }).servers, []);
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

test('of programs alike any may be meant, and the one in the folder before all', () => {
  const files = {
    'package.json': { dependencies: { koa: '2' } },
    '404/app.js': `app.use(notFound);\n${LISTENS}`,
    'blog/app.js': `router.get('/', list);\n${LISTENS}`,
    'blog/test.js': `server.listen();`,
  };
  const [server] = found(files).servers;
  assert.deepEqual(server?.starts, ['node 404/app.js', 'node blog/app.js']);
  assert.match(
    server?.toDos[0] ?? '',
    /nothing says which of these programs to measure: choose a start line/,
  );
  const sources = readRepository(repository(files));
  assert.equal(written(findServers(sources, 'shop', [], 'blog').servers)[0]?.start, 'node blog/app.js');
});

test('a repository that serves a client alone has no server', () => {
  const client = {
    scripts: { start: 'webpack serve' },
    dependencies: { react: '19' },
    devDependencies: { express: '5' },
  };
  assert.deepEqual(found({ 'package.json': client, 'src/app.jsx': 'render()' }).servers, []);
});
