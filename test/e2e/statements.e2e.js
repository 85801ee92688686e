/** Real services count the statements of each request: an N+1 is found, and its statement named. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { copyRepository } from '../../bench/copy-repository.js';
import { STEPS } from '../../scripts/github/action/steps.js';
import { ROOT, runCli } from './tools.js';
import { scratchFolder } from '../scratch.js';

/** @import { CaseComparison, Trial } from '../../scripts/types.js' */

const { DATABASE_URL: _database, MYSQL_URL: _mysql, REDIS_URL: _redis, ...env } = process.env;

/** Sends ONE to the client of a service for each item of /list, and twice for /one; an answer is a line. */
const SERVER = `
const { CLIENT, ONE, PORT, HOST } = process.env;
const { stdin, stdout } = require('node:child_process').spawn('sh', ['-c', CLIENT], { stdio: ['pipe', 'pipe', 'inherit'] });
const waiting = [];
let rest = '';
stdout.on('data', (piece) => {
  const lines = (rest + piece).split('\\n');
  rest = lines.pop();
  for (const _ of lines) if (--waiting[0].left === 0) waiting.shift().response.end('ok');
});
require('node:http').createServer((request, response) => {
  const left = request.url === '/list' ? ITEMS : 2;
  waiting.push({ left, response });
  stdin.write((ONE + '\\n').repeat(left));
}).listen(PORT, HOST);
`;

const READ = "select count(*), 'a' from prices where item = 7;";
const TABLE = 'create table prices (item int)';
/** @type {[needs: string, client: string, one: string, setup: string, name: string][]} */
const SERVICES = [
  [
    'postgres',
    'psql -XAqtn "$DATABASE_URL"',
    READ,
    `psql "$DATABASE_URL" -c "${TABLE}"`,
    'select count(*), $1 from prices where item = $2',
  ],
  [
    'mysql',
    'mariadb --no-defaults -h "$MYSQL_HOST" -P "$MYSQL_PORT" -u "$MYSQL_USER" -Nn "$MYSQL_DATABASE"',
    READ,
    `mariadb --no-defaults -h "$MYSQL_HOST" -P "$MYSQL_PORT" -u "$MYSQL_USER" -e "${TABLE}" "$MYSQL_DATABASE"`,
    'SELECT COUNT (*), ? FROM prices WHERE item = ?',
  ],
  ['redis', 'redis-cli -u "$REDIS_URL"', 'get price', 'redis-cli -u "$REDIS_URL" set price 7', 'Redis GET'],
];

/** @type {(folder: string) => (...words: string[]) => void} */
const gitIn =
  (folder) =>
  (...words) =>
    void execFileSync('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@b', ...words]);

/**
 * A repository in which /list has so many items, and others in what is not committed.
 * @type {(service: typeof SERVICES[0], items: [base: number, head: number], more?: { routes?: string[],
 *   limits?: object, explain?: false }) => string}
 */
function makeShop([needs, CLIENT, ONE, setup], [base, head], { routes = ['/list', '/one'], ...more } = {}) {
  const folder = scratchFolder();
  const server = { id: 'shop', setup, start: 'node server.js', needs: [needs], env: { CLIENT, ONE } };
  writeFileSync(join(folder, 'perf.yml'), JSON.stringify({ servers: [{ ...server, routes }], ...more }));
  const write = (/** @type {number} */ items) =>
    writeFileSync(join(folder, 'server.js'), SERVER.replace('ITEMS', String(items)));
  const git = gitIn(folder);
  write(base);
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-qm', 'base');
  write(head);
  return folder;
}

for (const service of SERVICES) {
  const [needs, , , , name] = service;
  test(`with ${needs}, the route of two that repeats a statement is found, and the statement named`, async () => {
    const folder = makeShop(service, [3, 43]);
    const { code, stdout, stderr } = await runCli(['run', '--counts', '--against', 'main'], {
      cwd: folder,
      env,
    });
    assert.equal(code, 0, stdout + stderr);
    const run = JSON.parse(readFileSync(join(folder, 'perf-results/counts/run.json'), 'utf8'));
    for (const { route, trials } of run.cases)
      for (const { requests, statements } of trials[0].windows)
        assert.deepEqual(statements, {
          ...{ count: requests * (route === '/list' ? 43 : 2), idle: 0 },
          by: { [name]: statements.count },
        });
    const told = stdout.split('\n').filter((line) => line.includes('43 of them'));
    assert.equal(told.length, 1, stdout);
    assert.ok(
      told[0]?.includes(`/list: Statements per request regressed: 3 → 43, 43 of them \`${name}\``),
      told[0],
    );
  });
}

test('a run with clocks names the statement that one route of two repeats, and is unsure of the time', async () => {
  const [postgres] = SERVICES;
  assert.ok(postgres);
  // Three starts are enough for an exact count, and too few for a claim about time.
  const folder = makeShop(postgres, [3, 23], { limits: { statements: 100 } });
  const short = '--rounds 3 --duration 1s --connections 10 --reference off'.split(' ');
  const { stdout, stderr } = await runCli(['run', '--against', 'main', ...short], { cwd: folder, env });
  assert.match(
    stdout,
    /^🟡 Statements per request 3 → 23 \(shop \/list\)\. Unsure about .*shop \/list/,
    stdout + stderr,
  );
  const told = stdout.split('\n').filter((line) => line.includes('Statements per request regressed'));
  assert.equal(told.length, 1, stdout);
  assert.match(told[0] ?? '', /shop \/list: .* 3 → 23, 23 of them `select count\(\*\), \$1 from prices/);
});

test('a comparison within a budget finds a statement more in one of three routes that share their starts', async () => {
  const [postgres] = SERVICES;
  assert.ok(postgres);
  const routes = ['/list', '/one', '/two'];
  const folder = makeShop(postgres, [1, 2], { routes, limits: { statements: 100 }, explain: false });
  const own = '--budget 1m --reference off'.split(' ');
  const { stdout, stderr } = await runCli(['run', '--against', 'main', ...own], { cwd: folder, env });
  const read = (/** @type {string} */ name) =>
    JSON.parse(readFileSync(join(folder, 'perf-results', name), 'utf8'));
  for (const { trials } of read('run.json').cases)
    assert.ok(trials.every((/** @type {Trial} */ { windows }) => windows.length === 1));
  const counted = read('comparison.json').cases.map((/** @type {CaseComparison} */ { metrics }) => {
    const change = metrics.find(({ metric }) => metric === 'statements');
    return [change?.verdict, change?.why.code, change?.base, change?.head];
  });
  const same = ['same', 'exact-count', 2, 2];
  assert.deepEqual(counted, [['regressed', 'exact-count', 1, 2], same, same], stdout + stderr);
});

test('the N+1 of the example is told by the table that it reads', async () => {
  const folder = copyRepository(join(ROOT, 'examples/sequelize-orders'), scratchFolder());
  const git = gitIn(folder);
  git('apply', 'n-plus-one.patch');
  const { code, stdout, stderr } = await runCli(['run', '--counts', '--against', 'HEAD'], {
    cwd: folder,
    env,
  });
  assert.equal(code, 1, 'a limit of five is broken');
  const named = 'SELECT ... FROM "lines" AS "line" WHERE "line"."orderId" = $1';
  assert.ok(
    stdout.includes(`/orders: Statements per request regressed: 1 → 41, 40 of them \`${named}\``),
    stdout + stderr,
  );
  assert.ok(!stdout.includes('/orders/7: Statements'), stdout);
});

test('a job that asks for counts reports them, and its baseline is left as it is', async () => {
  const folder = scratchFolder();
  const git = gitIn(folder);
  const write = (/** @type {string} */ more) =>
    writeFileSync(
      join(folder, 'server.js'),
      `const http = require('node:http');
const ask = (done) => http.get(\`http://127.0.0.1:\${process.env.PORT}/\`, (answer) => answer.resume().on('end', done));
http.createServer((request, response) => (request.url === '/' ? response.end() : ${more}))
  .listen(process.env.PORT, process.env.HOST);`,
    );
  write('ask(() => response.end())');
  const servers = [{ id: 'shop', start: 'node server.js', routes: ['/one'] }];
  writeFileSync(join(folder, 'perf.yml'), JSON.stringify({ servers, gates: { outgoing: 'regressed' } }));
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-qm', 'one');
  write('ask(() => ask(() => response.end()))');
  const summary = join(folder, 'summary.md');
  const inputs = { against: 'main', comment: 'false', options: '{"counts":true}' };
  const job = {
    ...{ ...env, RUNNER_TEMP: folder, GITHUB_STEP_SUMMARY: summary },
    PERF_INPUTS: JSON.stringify(inputs),
  };
  const { signal } = new AbortController();
  const planned = await STEPS.plan({ env: job, cwd: folder, signal });
  const measuring = { ...job, PERF_PLAN: planned?.plan, PERF_OUT: planned?.out };
  const measured = await STEPS.run({ env: measuring, cwd: folder, signal });
  assert.deepEqual([measured?.code, measured?.verdict], ['1', 'same']);
  const told = { ...job, PERF_OUT: measured?.['results-path'], PERF_CODE: measured?.code };
  await STEPS.comment({ env: told, cwd: folder, signal });
  const text = readFileSync(summary, 'utf8');
  assert.match(
    text,
    /### 🔴 The counts of 1 of 1 case changed\n[^]*- \*\*shop\*\*: Outgoing requests per request regressed: 1 → 2, 2 of them `127\.0\.0\.1`/,
  );
  assert.doesNotMatch(text, /req\/s|CPU/);
});

test('a service by address is said not to be counted, once, and a limit that nobody can judge is a mistake', async () => {
  const folder = scratchFolder();
  writeFileSync(
    join(folder, 'server.js'),
    "require('node:http').createServer((_, r) => r.end()).listen(process.env.PORT, process.env.HOST);",
  );
  const servers = [{ id: 'shop', start: 'node server.js', needs: ['redis'], routes: ['/one', '/two'] }];
  writeFileSync(join(folder, 'perf.yml'), JSON.stringify({ servers }));
  // The run connects to see whether anything listens, and hangs up.
  const elsewhere = createServer((socket) => socket.on('error', () => {}).end('-NOAUTH'));
  await once(elsewhere.listen(0, '127.0.0.1'), 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (elsewhere.address());
  const there = { ...env, REDIS_URL: `redis://127.0.0.1:${port}` };
  const { code, stdout, stderr } = await runCli(['run', '--counts'], { cwd: folder, env: there });
  assert.equal(code, 0, stderr);
  assert.equal(stdout.split('the statements of Redis were not counted').length, 2, stdout);
  writeFileSync(join(folder, 'perf.yml'), JSON.stringify({ servers, limits: { statements: 3 } }));
  const refused = await runCli(['run'], { cwd: folder, env: there });
  elsewhere.close();
  assert.equal(refused.code, 2);
  assert.match(
    refused.stderr,
    /limits: statements are counted in the PostgreSQL, MariaDB or Redis that a run starts/,
  );
});
