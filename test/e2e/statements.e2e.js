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
 *   limits?: object, explain?: false, source?: string }) => string}
 */
function makeShop([needs, CLIENT, ONE, setup], [base, head], { source = SERVER, ...rest } = {}) {
  const { routes = ['/list', '/one'], ...more } = rest;
  const folder = scratchFolder();
  const server = { id: 'shop', setup, start: 'node server.js', needs: [needs], env: { CLIENT, ONE } };
  writeFileSync(join(folder, 'perf.yml'), JSON.stringify({ servers: [{ ...server, routes }], ...more }));
  const write = (/** @type {number} */ items) =>
    writeFileSync(join(folder, 'server.js'), source.replace('ITEMS', String(items)));
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

/**
 * Speaks the binary protocol of MariaDB: /list executes a statement ITEMS times, /one executes another one
 * with a quoted value, and prepares one of its own.
 */
const PREPARING = `
const { MYSQL_HOST, MYSQL_PORT, MYSQL_USER, MYSQL_DATABASE, PORT, HOST } = process.env;
const socket = require('node:net').connect(MYSQL_PORT, MYSQL_HOST);
const isEnd = (packet) => packet[0] === 0xfe && packet.length < 9;
let rest = Buffer.alloc(0);
let packets = [];
let wake = () => {};
socket.on('data', (piece) => {
  rest = Buffer.concat([rest, piece]);
  for (let length; rest.length >= 4 && rest.length >= 4 + (length = rest.readUIntLE(0, 3)); rest = rest.subarray(4 + length))
    packets.push(rest.subarray(4, 4 + length));
  wake();
});
const until = async (isDone) => {
  while (!isDone()) await new Promise((resolve) => (wake = resolve));
  const [first] = packets;
  packets = [];
  return first;
};
const send = (sequence, ...parts) => {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part)));
  const head = Buffer.alloc(4);
  head.writeUIntLE(body.length, 0, 3);
  head[3] = sequence;
  socket.write(Buffer.concat([head, body]));
};
const int = (value) => { const bytes = Buffer.alloc(4); bytes.writeUInt32LE(value); return bytes; };
const ends = (count) => () => packets.filter(isEnd).length === count;
const prepare = async (sql) => {
  send(0, [0x16], sql);
  return (await until(ends(1))).readUInt32LE(1);
};
const execute = async (id) => {
  send(0, [0x17], int(id), [0], int(1));
  await until(ends(2));
};
const start = async () => {
  await until(() => packets.length > 0);
  const flags = 1 | 8 | 0x200 | 0x8000 | 0x80000;
  send(1, int(flags), int(2 ** 24), [33], Buffer.alloc(23), MYSQL_USER + '\\0', [0], MYSQL_DATABASE + '\\0', 'mysql_native_password\\0');
  await until(() => packets.length > 0);
  return [await prepare(READ), await prepare('select count(*) from prices where item = "s3cret"')];
};
const READ = 'select count(*) from prices where item = 7';
let last = start();
require('node:http').createServer((request, response) => {
  last = last.then(async (kept) => {
    if (request.url === '/list') for (let item = 0; item < ITEMS; item++) await execute(kept[0]);
    else {
      await execute(kept[1]);
      const id = await prepare(READ);
      await execute(id);
      send(0, [0x19], int(id));
    }
    response.end('ok');
    return kept;
  });
}).listen(PORT, HOST);
`;

// Half a minute, for texts that unit tests have: with `scripts/test --all`.
test(
  'of MariaDB, what clients prepare is counted by its text, or as executed, and no value is told',
  { skip: !process.env.PERF_TEST_ALL },
  async () => {
    const [, mysql] = SERVICES;
    assert.ok(mysql);
    const folder = makeShop(mysql, [3, 43], { source: PREPARING });
    const { code, stdout, stderr } = await runCli(['run', '--counts', '--against', 'main'], {
      cwd: folder,
      env,
    });
    assert.equal(code, 0, stdout + stderr);
    assert.match(
      stdout,
      /\/list: .* 3 → 43, 43 of them `select count\(\*\) from prices where item = \?`/,
      stdout,
    );
    const run = readFileSync(join(folder, 'perf-results/counts/run.json'), 'utf8');
    assert.doesNotMatch(run, /s3cret/);
    for (const { route, trials } of JSON.parse(run).cases)
      for (const { requests, statements } of route === '/one' ? trials[0].windows : []) {
        assert.equal(statements.count, 2 * requests);
        assert.deepEqual(statements.by, { SELECT: requests, EXECUTE: requests });
      }
  },
);

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

// A minute of rounds: with `scripts/test --all`.
test(
  'a comparison within a budget finds a statement more in one of three routes that share their starts',
  { skip: !process.env.PERF_TEST_ALL },
  async () => {
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
  },
);

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
