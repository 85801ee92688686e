/** Real services: started, known to servers by address, gone afterwards. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { serviceVersions, startServices } from '../../scripts/deploy/services/start-services.js';
import { runCli } from './tools.js';
import { scratchFolder } from '../scratch.js';

const { DATABASE_URL: _database, MYSQL_URL: _mysql, REDIS_URL: _redis, ...env } = process.env;
const signal = new AbortController().signal;

/** @type {(url: string) => Promise<boolean>} */
function answers(url) {
  const { port, hostname } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    socket.once('connect', () => resolve(!!socket.destroy()));
    socket.once('error', () => resolve(false));
  });
}

test('PostgreSQL and Redis run with a database a side, and leave nothing', async () => {
  const services = await startServices(['postgres', 'redis'], { sides: 2, env, signal });
  const [postgres, redis] = services.started;
  assert.ok(postgres && redis);
  const urls = [postgres, redis].map(({ urlOf }) => [urlOf(0), urlOf(1)]);
  try {
    assert.deepEqual([postgres.failure?.message, redis.failure?.message], [undefined, undefined]);
    const ask = (/** @type {string} */ url, /** @type {string} */ sql) =>
      execFileSync('psql', [url, '-Atc', sql], { encoding: 'utf8', stdio: 'pipe' }).trim();
    ask(urls[0]?.[0] ?? '', 'create table notes (text text)');
    assert.equal(ask(urls[0]?.[0] ?? '', "select to_regclass('notes')"), 'notes');
    assert.equal(ask(urls[0]?.[1] ?? '', "select to_regclass('notes')"), '', 'the other side has its own');
    const key = (/** @type {string} */ url, /** @type {string[]} */ ...words) =>
      execFileSync('redis-cli', ['-u', url, ...words], { encoding: 'utf8', stdio: 'pipe' }).trim();
    key(urls[1]?.[0] ?? '', 'set', 'note', 'here');
    assert.equal(key(urls[1]?.[1] ?? '', 'get', 'note'), '');
  } finally {
    await services.stop();
  }
  for (const url of urls.flat()) assert.equal(await answers(url), false, url);
  for (const { groups = [] } of services.started)
    for (const { pid } of groups) assert.ok(!existsSync(`/proc/${pid}`));
});

test('MariaDB runs with a database a side, and leaves nothing', async () => {
  const services = await startServices(['mysql'], { sides: 2, env, signal });
  const [mysql] = services.started;
  assert.ok(mysql);
  assert.equal(mysql.failure, undefined, mysql.failure?.logTail?.join('\n'));
  try {
    const ask = (/** @type {number} */ side, /** @type {string} */ sql) => {
      const { hostname, port, username, pathname } = new URL(mysql.urlOf(side));
      const to = ['--no-defaults', '-h', hostname, '-P', port, '-u', username, '-N', '-e', sql];
      return execFileSync('mariadb', [...to, pathname.slice(1)], { encoding: 'utf8', stdio: 'pipe' }).trim();
    };
    ask(0, 'create table notes (text text)');
    assert.equal(ask(0, 'show tables'), 'notes');
    assert.equal(ask(1, 'show tables'), '', 'the other side has its own');
  } finally {
    await services.stop();
  }
  assert.equal(await answers(mysql.urlOf(0)), false);
  assert.ok(!existsSync(`/proc/${mysql.groups?.[0]?.pid}`));
});

/** Asks a side's service, as its users do. @type {Record<string, (url: string, ask: string[]) => void>} */
const CLIENTS = {
  postgres: (url, ask) => void execFileSync('psql', [url, '-Atc', ask.join(';')], { stdio: 'pipe' }),
  mysql(url, ask) {
    const { hostname, port, username, pathname } = new URL(url);
    const to = ['--no-defaults', '-h', hostname, '-P', port, '-u', username, '-N', '-e', ask.join(';')];
    execFileSync('mariadb', [...to, pathname.slice(1)], { stdio: 'pipe' });
  },
  redis(url, ask) {
    for (const words of ask) execFileSync('redis-cli', ['-u', url, ...words.split(' ')], { stdio: 'pipe' });
  },
};
const SQL = [
  'begin',
  ...Array(3).fill("select /* by ann */ 'hidden', item from notes where item = 7"),
  'commit',
];
/** @type {[id: string, setup: string, ask: string[], counted: Record<string, number>][]} */
const COUNTED = [
  [
    'postgres',
    'create table notes (item int)',
    SQL,
    { BEGIN: 1, 'select $1, item from notes where item = $2': 3, COMMIT: 1 },
  ],
  [
    'mysql',
    'create table notes (item int)',
    SQL,
    { BEGIN: 1, 'SELECT ?, item FROM notes WHERE item = ?': 3, COMMIT: 1 },
  ],
  ['redis', 'set note 7', ['get note', 'get note', 'info'], { 'Redis GET': 2 }],
];
for (const [id, setup, ask, counted] of COUNTED)
  test(`${id} counts the statements of each side, by text without comments and values`, async () => {
    const services = await startServices([id], { sides: 2, isCounting: true, env, signal });
    try {
      const [{ failure, urlOf, statementsOf } = {}] = services.started;
      assert.ok(urlOf && statementsOf, failure?.logTail?.join('\n'));
      for (const side of [0, 1]) CLIENTS[id]?.(urlOf(side), [setup]);
      const start = [await statementsOf(0), await statementsOf(1)];
      CLIENTS[id]?.(urlOf(1), ask);
      const more = [];
      for (const side of [0, 1])
        for (const [name, count] of (await statementsOf(side)) ?? [])
          if (count > (start[side]?.get(name) ?? 0))
            more.push([side, name, count - (start[side]?.get(name) ?? 0)]);
      const expected = Object.entries(counted).map(([name, count]) => [1, name, count]);
      assert.deepEqual(more.sort(), expected.sort());
    } finally {
      await services.stop();
    }
  });

test('versions are known before anything is started', async () => {
  const versions = await serviceVersions(['mysql', 'postgres', 'redis'], env);
  assert.match(versions.mysql ?? '', /^\d+\.\d+/);
  assert.match(versions.postgres ?? '', /^\d+\.\d+/);
  assert.match(versions.redis ?? '', /^\d+\.\d+/);
});

/** Asks both services once before it listens, and Redis again for every request. */
const SERVER = `
import { createServer } from 'node:http';
import { connect } from 'node:net';
const at = (url) => ({ host: new URL(url).hostname, port: Number(new URL(url).port) });
connect(at(process.env.DATABASE_URL)).once('connect', () => {
  const redis = connect(at(process.env.REDIS_URL));
  const waiting = [];
  redis.on('data', (answers) => { for (const line of String(answers).split('\\r\\n').filter(Boolean)) waiting.shift()?.end(line); });
  redis.once('connect', () =>
    createServer((_, response) => { waiting.push(response); redis.write('PING\\r\\n'); }).listen(process.env.PORT, process.env.HOST));
});
`;

test('a server gets the addresses of what it needs, and nothing of it stays', async () => {
  const folder = scratchFolder();
  writeFileSync(join(folder, 'server.mjs'), SERVER);
  const entry =
    'start: node server.mjs, needs: [redis, postgres], routes: [{ path: /, expect: { body: +PONG } }]';
  writeFileSync(join(folder, 'perf.yml'), `servers:\n  - { id: pinger, ${entry} }\n`);
  const scratch = join(folder, 'tmp');
  mkdirSync(scratch);
  // PostgreSQL runs as another user than root.
  chmodSync(folder, 0o755);
  const options = '--connections 4 --rate 100 --duration 1s --warmup 0 --rounds 1 --reference off'.split(' ');
  const { code, stdout, stderr } = await runCli(['run', ...options], {
    cwd: folder,
    env: { ...env, TMPDIR: scratch },
  });
  assert.equal(code, 0, stdout + stderr);
  const { environment, cases } = JSON.parse(readFileSync(join(folder, 'perf-results/run.json'), 'utf8'));
  assert.match(environment.tools.redis, /^\d+\./);
  assert.ok(cases[0].summary.requests > 0);
  assert.deepEqual(readdirSync(scratch), []);
});

/** Answers what its table holds, and does not start without it. */
const READER = `
const { execFileSync } = require('node:child_process');
const body = execFileSync('psql', [process.env.DATABASE_URL, '-Atc', 'select text from notes'], { encoding: 'utf8' }).trim();
require('node:http').createServer((_, response) => response.end(body)).listen(process.env.PORT, process.env.HOST);
`;

test('each side gets its own migration, once, and a failed one is told with its output', async () => {
  const folder = scratchFolder();
  const psql = 'psql "$DATABASE_URL" -v ON_ERROR_STOP=1';
  const manifest = (/** @type {string} */ id, /** @type {string} */ setup, /** @type {string} */ body) =>
    `  - { id: ${id}, setup: '${psql} ${setup}', start: node reader.js, needs: [postgres], routes: [{ path: /, expect: { body: ${body} } }] }\n`;
  const write = (/** @type {string} */ text) => {
    // A second run of it would fail, since the table exists.
    writeFileSync(
      join(folder, 'schema.sql'),
      `create table notes (text text); insert into notes values ('${text}');`,
    );
    const servers =
      manifest('reader', '-f schema.sql', text) + manifest('broken', '-c "table missing"', text);
    writeFileSync(join(folder, 'perf.yml'), `reference: 'off'\nservers:\n${servers}`);
  };
  const git = (/** @type {string[]} */ ...words) =>
    execFileSync('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@b', ...words]);
  writeFileSync(join(folder, 'reader.js'), READER);
  write('old');
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-qm', 'old');
  write('new');
  const options =
    '--against main --connections 4 --duration 1s --warmup 0 --rate 100 --rounds 2 --no-explain'.split(' ');
  const { code, stdout, stderr } = await runCli(['run', ...options], { cwd: folder, env });
  assert.equal(code, 3, stdout + stderr);
  const { cases } = JSON.parse(readFileSync(join(folder, 'perf-results/run.json'), 'utf8'));
  const [reader, broken] = ['reader', 'broken'].map((id) =>
    cases.find((/** @type {{ server: string }} */ { server }) => server === id),
  );
  assert.deepEqual(
    reader.trials.map((/** @type {any} */ { failure }) => failure),
    [null, null],
    stderr,
  );
  assert.ok(reader.summary.requests > 0);
  const [{ failure }] = broken.trials;
  assert.equal(failure.kind, 'setup-failed');
  assert.match(failure.logTail.join('\n'), /relation "missing" does not exist/);
  assert.match(stderr, /preparing reader \(base\): psql .* -f schema\.sql/);
  assert.match(stderr, /broken.*: setup-failed: `psql .*` ended with 1/);
});
