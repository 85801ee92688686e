/** Which routes of a real Express application execute changed code, as `plan --touched` says. */

import assert from 'node:assert/strict';
import { appendFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { before, beforeEach, test } from 'node:test';
import { scratchFolder } from '../scratch.js';
import { gitIn, ROOT, runCli, runTool } from './tools.js';

/** @import { RunCase, Touched } from '../../scripts/types.js' */

const INSTALLED = scratchFolder();
const REPOSITORY = scratchFolder();
const git = gitIn(REPOSITORY);

/** The version of a package is a folder here. */
const INSTALL = `cp -r ${INSTALLED}/$(node -p 'require("./package.json").dependencies.express')/node_modules .`;
const manifest = (/** @type {string} */ express) =>
  JSON.stringify({ private: true, dependencies: { express } });

const perfYml = (more = {}) =>
  JSON.stringify({
    reference: 'off',
    servers: [
      {
        ...{ id: 'api', install: INSTALL, start: 'node server.js', ...more },
        routes: [
          { path: '/orders' },
          { path: '/users' },
          { path: '/items/${id}', data: [{ id: 1 }, { id: 2 }, { id: 3 }] },
          { method: 'POST', path: '/orders', body: { id: 7 }, expect: { status: 201 } },
        ],
      },
    ],
  });

/** @type {Record<string, string>} */
const FILES = {
  'perf.yml': perfYml(),
  '.gitignore': 'node_modules\nperf-results\n',
  'package.json': manifest('before'),
  'server.js': `
const express = require('express');
const { listOrders, addOrder } = require('./src/orders');
const { listUsers } = require('./src/users');
const { itemOf } = require('./src/items');
const { trace } = require('./src/trace');
const app = express();
app.use(trace);
app.use(express.json());
app.get('/orders', (request, response) => response.json(listOrders()));
app.post('/orders', (request, response) => response.status(201).json(addOrder(request.body)));
app.get('/users', async (request, response) => response.json(await listUsers()));
app.get('/items/:id', (request, response) => response.json(itemOf(Number(request.params.id))));
app.listen(process.env.PORT, process.env.HOST);
`,
  'src/orders.js': `
const orders = [{ id: 1, net: 3 }, { id: 2, net: 5 }];
function priceOf(order) { return order.net * 1.2; }
function listOrders() { return orders.map((order) => ({ ...order, price: priceOf(order) })); }
function addOrder({ id }) { return { id, count: orders.length }; }
module.exports = { listOrders, addOrder };
`,
  'src/users.js': `
const { poolOf } = require('./pool');
const pool = poolOf(10);
let names = ['ann', 'bob'];
let timer;
function refresh() { names = [...names]; }
async function listUsers() { timer ??= setInterval(refresh, 100); await pool.wait(); return names; }
module.exports = { listUsers };
`,
  'src/pool.js': `
exports.poolOf = (size) => ({ size, wait: async () => {} });
exports.unused = () => 0;
`,
  'src/items.js': `
function itemOf(id) { return id === 3 ? rare(id) : { id }; }
function rare(id) { return { id, rare: true }; }
module.exports = { itemOf };
`,
  'src/trace.js': `
let count = 0;
function trace(request, response, next) { response.set('x-count', String(count++ % 10)); next(); }
module.exports = { trace };
`,
  'src/prices.json': '[1, 2]',
  'test/orders.test.js': '// none yet\n',
};

before(async () => {
  const cwd = join(INSTALLED, 'before');
  mkdirSync(cwd);
  for (const file of ['package.json', 'package-lock.json'])
    cpSync(join(ROOT, 'servers/express', file), join(cwd, file));
  const { code, output } = await runTool(['npm', 'ci', '--no-audit', '--no-fund'], { cwd });
  assert.equal(code, 0, output);
  write(FILES);
  await git('init', '-q', '-b', 'main');
  await git('add', '-A');
  await git('commit', '-q', '-m', 'base');
});

beforeEach(async () => {
  await git('reset', '-q', '--hard');
  await git('clean', '-fdq');
});

/** @param {Record<string, string>} files */
function write(files) {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(REPOSITORY, name)), { recursive: true });
    writeFileSync(join(REPOSITORY, name), text);
  }
}

/**
 * @param {string} file
 * @param {string} from
 * @param {string} to
 */
function change(file, from, to) {
  const text = readFileSync(join(REPOSITORY, file), 'utf8');
  assert.ok(text.includes(from), `${file} has no ${from}`);
  writeFileSync(join(REPOSITORY, file), text.replace(from, to));
}

/** @returns {Promise<Touched>} */
async function touched() {
  const { code, stdout, stderr } = await runCli(['plan', '--against', 'main', '--touched', '--json'], {
    cwd: REPOSITORY,
  });
  assert.equal(code, 0, stderr + stdout);
  return JSON.parse(stdout).touched;
}

/**
 * @param {Touched} found
 * @returns {Record<string, string[]>} functions of the touched routes
 */
const functionsOf = ({ routes }) =>
  Object.fromEntries(
    routes
      .filter((each) => each.touched)
      .map(({ route, functions }) => [
        route,
        functions.map(({ name, file, line }) => `${name} ${file}:${line}`),
      ]),
  );

const ALL = ['/orders', '/users', '/items/${id}', 'POST /orders'];

test('a changed function of a service touches its route, also where one row alone executes it; and a comment none', async () => {
  change('src/orders.js', 'order.net * 1.2', '1.2 * order.net');
  change('src/items.js', 'rare: true', "rare: 'yes'");
  change('src/users.js', 'async function listUsers', '/** All. */\nasync function listUsers');
  write({ 'test/orders.test.js': 'throw new Error();\n', 'README.md': 'more\n' });
  const found = await touched();
  assert.deepEqual(found.reasons, []);
  assert.deepEqual(functionsOf(found), {
    '/orders': ['priceOf src/orders.js:3'],
    '/items/${id}': ['rare src/items.js:3'],
  });
  const { stdout } = await runCli(['plan', '--against', 'main', '--touched'], { cwd: REPOSITORY });
  assert.match(
    stdout,
    /^2 of 4 routes execute changed code: GET \/orders \(`priceOf` in src\/orders\.js\), GET \/items\/\$\{id\} \(`rare` in src\/items\.js\)\n\n· Untouched: GET \/users, POST \/orders$/m,
  );
});

test('a comment and a test alone touch none', async () => {
  change('src/orders.js', 'function priceOf', '// The price.\nfunction priceOf');
  write({ 'test/orders.test.js': 'throw new Error();\n' });
  assert.deepEqual(await touched(), {
    routes: ALL.map((route) => ({ server: 'api', route, touched: false, functions: [] })),
    reasons: [],
  });
});

test('shared middleware touches all routes, and what only a write executes that one', async () => {
  change('src/trace.js', 'count++ % 10', '++count % 10');
  change('src/orders.js', 'count: orders.length', 'count: orders.length + 1');
  const found = await touched();
  assert.deepEqual(found.reasons, []);
  const trace = 'trace src/trace.js:3';
  assert.deepEqual(functionsOf(found), {
    ...Object.fromEntries(ALL.map((route) => [route, [trace]])),
    'POST /orders': ['addOrder src/orders.js:5', trace],
  });
});

test('what coverage cannot tell of one route touches all, with each reason', async () => {
  change('src/pool.js', '({ size, wait', '({ size: size / 10, wait');
  change('src/pool.js', '=> 0', '=> 1');
  change('src/users.js', 'names = [...names]', 'names = names.slice()');
  change('src/users.js', 'poolOf(10)', 'poolOf(1)');
  write({
    'perf.yml': perfYml({ env: { SIZE: '1' }, setup: 'node seed.js' }),
    'seed.js': '',
    'src/prices.json': '[1]',
  });
  appendFileSync(
    join(REPOSITORY, 'src/trace.js'),
    `new Function('return 1')();
new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]));
new (require('node:worker_threads').Worker)('setInterval(() => {}, 1000)', { eval: true });
require('node:child_process').execFileSync('true');
require('./prices.json');
`,
  );
  const found = await touched();
  assert.deepEqual(Object.keys(functionsOf(found)), ALL);
  const reasons = Object.fromEntries(
    found.reasons.map(({ why, places }) => [why, places.map(({ name, file }) => name || file)]),
  );
  assert.deepEqual(reasons, {
    server: [],
    file: ['perf.yml', 'src/prices.json'],
    setup: ['seed.js'],
    worker: [],
    program: [],
    assembly: [],
    module: ['src/users.js', 'src/trace.js'],
    start: ['poolOf'],
    between: ['refresh'],
    unasked: ['unused'],
    generated: [],
  });
});

test('a package that changed touches the routes that execute what changed in it', async () => {
  cpSync(join(INSTALLED, 'before'), join(INSTALLED, 'after'), { recursive: true });
  const file = join(INSTALLED, 'after/node_modules/express/lib/utils.js');
  const text = readFileSync(file, 'utf8');
  const etag = 'return function generateETag (body, encoding) {';
  assert.ok(text.includes(etag));
  const line = text.slice(0, text.indexOf(etag)).split('\n').length;
  writeFileSync(file, text.replace(etag, `${etag} void 0;`));
  write({ 'package.json': manifest('after') });
  const found = await touched();
  assert.deepEqual(found.reasons, []);
  assert.deepEqual(
    Object.values(functionsOf(found)).flat(),
    ALL.map(() => `generateETag node_modules/express/lib/utils.js:${line}`),
  );
});

/** @param {string} budget */
async function measured(budget) {
  const options = ['--budget', budget, '--tool', 'autocannon', '--connections', '10', '--no-explain'];
  const { code, stdout, stderr } = await runCli(['run', '--against', 'main', ...options], {
    cwd: REPOSITORY,
  });
  const read = (/** @type {string} */ name) =>
    JSON.parse(readFileSync(join(REPOSITORY, 'perf-results', name), 'utf8'));
  return { code, output: stderr + stdout, head: read('run.json'), comparison: read('comparison.json') };
}

test('a run measures the touched route in rounds, and the others as controls in starts that they share', async () => {
  change('src/orders.js', 'order.net * 1.2', '1.2 * order.net');
  const { code, output, head, comparison } = await measured('30s');
  assert.equal(code, 0, output);
  assert.deepEqual(functionsOf(comparison.touched), { '/orders': ['priceOf src/orders.js:3'] });
  assert.deepEqual(head.touched, comparison.touched);
  /** @type {RunCase[]} */
  const cases = head.cases;
  assert.deepEqual(
    cases.map(({ route, role }) => [route, role]),
    ALL.map((route) => [route, route === '/orders' ? undefined : 'control']),
  );
  const windowsIn = (/** @type {RunCase} */ { trials }) => trials.flatMap(({ windows }) => windows);
  assert.ok(
    cases.every((each) => windowsIn(each).length > 0),
    JSON.stringify(cases.map(windowsIn)),
  );
  // The first start of the touched route, with the time that it took, serves all controls.
  const startups = cases.map(({ trials: [trial] }) => trial?.startupMs !== undefined);
  assert.deepEqual(
    startups,
    ALL.map((route) => route === '/orders'),
  );
});

test('where a comment alone changed, the run ends after the controls', async () => {
  change('src/orders.js', 'function priceOf', '// The price.\nfunction priceOf');
  const { code, output, head, comparison } = await measured('10m');
  assert.equal(code, 0, output);
  assert.ok(head.cases.every((/** @type {RunCase} */ { role }) => role === 'control'));
  assert.ok(['same', 'unsure'].includes(comparison.verdict));
});

test('without a second side it says what is missing', async () => {
  const { code, stderr } = await runCli(['plan', '--touched'], { cwd: REPOSITORY });
  assert.deepEqual([code, stderr], [2, 'perf-action: --touched compares two sides: add --against\n']);
});
