import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { serviceVersions, startServices, whySilent } from '../../scripts/deploy/services/start-services.js';
import {
  addressVariables,
  runningService,
  servicesNeeded,
  whyNotServed,
} from '../../scripts/deploy/services.js';
import { scratchFolder } from '../scratch.js';

const { signal } = new AbortController();

test('a service that does not start is a failure with its last lines', async () => {
  const folder = scratchFolder();
  writeFileSync(join(folder, 'redis-server'), '#!/bin/sh\necho out of memory; exit 1\n', { mode: 0o755 });
  const services = await startServices(['redis'], { sides: 1, env: { PATH: folder }, signal });
  await services.stop();
  const { kind, logTail } = services.started[0]?.failure ?? {};
  assert.deepEqual([kind, logTail], ['service-failed', ['out of memory']]);
});

test('a service that is not installed is a failure, with the command that installs it', async () => {
  const why = /^Redis is not installed: apt-get install redis-server; or set REDIS_URL/;
  const env = { PATH: '/nowhere' };
  assert.match(whyNotServed(['redis'], env) ?? '', why);
  const { started } = await startServices(['redis'], { sides: 1, env, signal });
  assert.match(started[0]?.failure?.message ?? '', why);
  assert.deepEqual(await serviceVersions(['redis'], env), {});
});

test('a running service that the environment names is used, and DATABASE_URL belongs to the service that it names', () => {
  const servers = [{ needs: ['redis', 'postgres'] }, { needs: ['redis'] }, { needs: [] }];
  const both = [{ needs: ['mysql', 'postgres'] }];
  const toStart = (/** @type {typeof both} */ all, /** @type {NodeJS.ProcessEnv} */ env) =>
    servicesNeeded(all).filter((id) => runningService(id, env) === undefined);
  assert.deepEqual(toStart(servers, {}), ['postgres', 'redis']);
  assert.deepEqual(toStart(servers, { REDIS_URL: 'redis://10.0.0.1' }), ['postgres']);
  assert.deepEqual(toStart(both, { DATABASE_URL: 'mysql://root@10.0.0.1/shop' }), ['postgres']);
  assert.deepEqual(toStart(both, { DATABASE_URL: 'postgresql://10.0.0.1/shop' }), ['mysql']);
});

test('the address of a running service is set under every name that clients know', async (context) => {
  const mongod = createServer();
  context.after(() => mongod.close());
  await once(mongod.listen(0, '127.0.0.1'), 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (mongod.address());
  const env = { MONGO_URI: `mongodb://127.0.0.1:${port}/shop` };
  const { started, stop } = await startServices(['mongo'], { sides: 2, env, signal });
  await stop();
  assert.deepEqual(
    started.map(({ id, groups, urlOf }) => [id, groups, urlOf(0), urlOf(1)]),
    [['mongo', undefined, env.MONGO_URI, env.MONGO_URI]],
  );
  assert.equal(addressVariables('mongo', env.MONGO_URI).MONGODB_URL, env.MONGO_URI);
  const address = 'mysql://u:p%40@10.0.0.1:3306/shop';
  assert.deepEqual(addressVariables('mysql', address), {
    MYSQL_URL: address,
    DATABASE_URL: address,
    MYSQL_HOST: '10.0.0.1',
    MYSQL_PORT: '3306',
    MYSQL_USER: 'u',
    MYSQL_PASSWORD: 'p@',
    MYSQL_DATABASE: 'shop',
  });
});

test('an address that is no URL is passed whole, and a password may hold a percent sign', () => {
  const address = 'postgres://h1:5432,h2:5432/shop';
  assert.equal(addressVariables('postgres', address).DATABASE_URL, address);
  assert.equal(addressVariables('postgres', address).PGHOST, undefined);
  assert.equal(addressVariables('postgres', 'postgres://u:100%@h/shop').PGPASSWORD, '100%');
});

/** @type {[what: string, id: string, answer: string | undefined, problem?: RegExp][]} */
const RUNNING = [
  ['that answers is used', 'redis', '-NOAUTH'],
  ['that speaks first is used', 'mysql', 'hello'],
  [
    'that never answers is one line without its password',
    'postgres',
    '',
    /^PostgreSQL at 127\.0\.0\.1:\d+ \(DATABASE_URL\) accepts connections but did not answer/,
  ],
  [
    'that nobody listens for is one line',
    'redis',
    undefined,
    /^Redis at 127\.0\.0\.1:\d+ \(REDIS_URL\) refuses connections$/,
  ],
];
for (const [what, id, answer, problem] of RUNNING)
  test(`a running service ${what}`, async () => {
    const server = createServer((socket) => socket.write(answer ?? ''));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
    if (answer === undefined) server.close();
    const variable = id === 'redis' ? 'REDIS_URL' : 'DATABASE_URL';
    const running = { variable, address: `${id}://user:hidden@127.0.0.1:${port}/shop` };
    const answerMs = answer === '' ? 200 : 5000;
    const why = await whySilent(id, running, { signal, answerMs });
    server.close();
    if (problem === undefined) assert.equal(why, undefined);
    else assert.match(why ?? '', problem);
    assert.doesNotMatch(why ?? '', /hidden/);
  });

test('a running service that does not answer is a failure', async () => {
  const env = { REDIS_URL: 'redis://127.0.0.1:1' };
  const { started } = await startServices(['redis'], { sides: 1, env, signal });
  assert.match(started[0]?.failure?.message ?? '', /^Redis at 127\.0\.0\.1:1 \(REDIS_URL\) refuses/);
});

test('MongoDB, which Debian lacks, needs an address', () => {
  assert.match(
    whyNotServed(['mongo'], { PATH: '/usr/bin', DATABASE_URL: 'postgres://10.0.0.1/shop' }) ?? '',
    /^Debian has no package for MongoDB: set MONGODB_URL to the address of a running one \(mongodb:/,
  );
  assert.equal(whyNotServed(['mongo'], { DATABASE_URL: 'mongodb+srv://10.0.0.1/shop' }), undefined);
});
