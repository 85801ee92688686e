/** Servers as several instances and behind proxies, with real processes, nginx and certificates. */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { get as plain } from 'node:http';
import { get as secure } from 'node:https';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { startServer } from '../../scripts/deploy/start/start-server.js';
import { installTopologies, topologyRows } from '../../scripts/deploy/preflight/install-topology.js';
import { verify } from '../../scripts/deploy/start/verify.js';
import { readProcesses } from '../../scripts/system/process/proc.js';
import { isGroupAlive } from '../../scripts/system/process/process-group.js';
import { toy } from '../deploy/toys/toys.js';
import { scratchFolder } from '../scratch.js';

const { signal } = new AbortController();
const folder = scratchFolder();

const ANSWER = `(request, response) => {
  if (request.url === '/end') process.exit(3);
  response.setHeader('content-type', 'text/plain');
  response.setHeader('x-from', request.socket.remotePort);
  response.end(String(process.pid) + ' ' + process.argv.slice(2).join(' '));
}`;
const FILES = {
  'module.mjs': `import { createServer } from 'node:http';\ncreateServer(${ANSWER}).listen(process.env.PORT, '127.0.0.1');`,
  'common.cjs': `const { Server } = require('http');\nnew Server(${ANSWER}).listen(process.env.PORT, '127.0.0.1');`,
  'plain.js': `require('http').createServer(${ANSWER}).listen(process.env.PORT, '127.0.0.1');`,
  'options.mjs': `import http from 'node:http';\nhttp.createServer({ keepAliveTimeout: 1000 }, ${ANSWER}).listen(process.env.PORT, '127.0.0.1');`,
  'silent.mjs': 'setInterval(() => {}, 1000);',
  'package.json': '{ "scripts": { "start": "node --max-old-space-size=200 module.mjs one two" } }',
  // Listens in the process of a launcher, which a package has.
  'node_modules/launcher/main.js': `require('http').createServer(${ANSWER}).listen(process.env.PORT, '127.0.0.1');`,
  'raw.mjs': `import { createServer } from 'node:net';
createServer((socket) => socket.once('data', () => socket.end('HTTP/1.1 200 OK\\r\\ncontent-length: 2\\r\\nconnection: close\\r\\n\\r\\nok')).on('error', () => {}))
  .listen(process.env.PORT, '127.0.0.1');`,
};
mkdirSync(join(folder, 'node_modules/launcher'), { recursive: true });
for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);

/**
 * @param {string} start
 * @param {Partial<import('../../scripts/types.js').Server>} [changes]
 */
const server = (start, changes = {}) => toy('arranged', { folder, start, ...changes });

/**
 * @param {string} url
 * @param {number} times
 */
async function pidsAt(url, times) {
  const found = new Set();
  for (let asked = 0; asked < times; asked++) {
    const answer = await fetch(url, { headers: { connection: 'close' } });
    found.add((await answer.text()).split(' ')[0]);
  }
  return found;
}

for (const [start, args] of [
  ['node module.mjs', ''],
  ['node common.cjs', ''],
  ['node plain', ''],
  ['npm start', 'one two'],
])
  test(`\`${start}\` runs as three instances that share its port, and all are gone after stop`, async () => {
    const deployment = { instances: 3, manager: 'cluster' };
    const instance = await startServer(server(start ?? ''), { signal, deployment });
    try {
      assert.equal((await pidsAt(instance.url, 9)).size, 3);
      const text = await (await fetch(instance.url)).text();
      assert.equal(text.replace(/^\d+ /, ''), args);
      const group = [...readProcesses().values()].filter(({ pgrp }) => pgrp === instance.pid);
      assert.ok(group.length >= 4, `${group.length} processes`);
    } finally {
      await instance.stop();
    }
    assert.equal(isGroupAlive(instance.pid), false);
  });

test('an instance that ends takes the server with it, and says so', async () => {
  const deployment = { instances: 2 };
  const instance = await startServer(server('node module.mjs'), { signal, deployment });
  await fetch(`${instance.url}/end`).catch(() => {});
  assert.deepEqual(await instance.exited, { code: 1, signal: null });
  assert.match(instance.logTail().join('\n'), /instance \d of 2 ended with 3/);
  await instance.stop();
});

test('a server inside a launcher fails: it runs as one process', () =>
  assert.rejects(
    startServer(server('node node_modules/launcher/main.js'), {
      signal,
      deployment: { instances: 2 },
    }),
    { kind: 'never-ready', message: /^it answers, but runs as a single process: .*`node server\.js`/ },
  ));

const ROUTE = { id: '/', method: 'GET', path: '/', headers: {}, expect: { status: 200, type: 'text/plain' } };

for (const file of ['module.mjs', 'common.cjs', 'options.mjs'])
  test(`${file} speaks TLS where https is asked for`, async () => {
    const deployment = { instances: 2, proxy: 'https' };
    const instance = await startServer(server(`node ${file}`), { signal, deployment });
    try {
      assert.match(instance.url, /^https:/);
      await verify(instance, [ROUTE]);
    } finally {
      await instance.stop();
    }
  });

test('each start has a separate certificate', async () => {
  const deployment = { instances: 1, proxy: 'https' };
  const start = () => startServer(server('node module.mjs'), { signal, deployment });
  const [first, second] = await Promise.all([start(), start()]);
  const wrong = verify({ ...first, certificate: second.certificate ?? '' }, [ROUTE]);
  await assert.rejects(wrong, /no answer \(.*certificate/);
  await Promise.all([first.stop(), second.stop()]);
});

test('a server that node:http does not create fails, and the message names https+nginx', () =>
  assert.rejects(
    startServer(server('node raw.mjs'), { signal, deployment: { instances: 1, proxy: 'https' } }),
    {
      kind: 'never-ready',
      message: /^it answers HTTP where HTTPS was asked for: .*; use proxy: https\+nginx/,
    },
  ));

for (const proxy of ['nginx', 'https+nginx'])
  test(`${proxy} passes requests on over connections that are kept, and is gone after stop`, async () => {
    const instance = await startServer(server('node module.mjs'), {
      signal,
      deployment: { instances: 1, proxy },
      connections: 4,
    });
    const pid = instance.proxy?.pid ?? assert.fail();
    try {
      assert.equal(instance.url.startsWith('https:'), proxy !== 'nginx');
      const asked = 4 * availableParallelism();
      const from = new Set();
      for (let time = 0; time < asked; time++) from.add(await portSeenBy(instance));
      // Each of nginx's workers keeps connections of its own.
      assert.ok(from.size <= availableParallelism(), `${from.size} connections for ${asked} requests`);
      assert.notEqual(pid, instance.pid);
    } finally {
      await instance.stop();
    }
    assert.equal(isGroupAlive(pid), false);
    assert.equal(isGroupAlive(instance.pid), false);
  });

/**
 * @param {{ url: string, certificate?: string }} instance
 * @returns {Promise<string | string[] | undefined>} of whoever asks the server itself
 */
function portSeenBy({ url, certificate }) {
  const [get, options] = certificate === undefined ? [plain, {}] : [secure, { ca: certificate }];
  return new Promise((resolve, reject) => {
    get(url, { ...options, agent: false }, (answer) => {
      answer.resume().on('end', () => resolve(answer.headers['x-from']));
    }).on('error', reject);
  });
}

test('no key and no configuration is left', async () => {
  const scratch = join(folder, 'scratch');
  mkdirSync(scratch);
  const inside = [{ env: {}, scratch }];
  const deployment = { instances: 1, proxy: 'https+nginx' };
  const instance = await startServer(server('node module.mjs'), { signal, deployment, inside });
  const [own = ''] = readdirSync(scratch);
  assert.deepEqual(
    ['certificate.pem', 'key.pem', 'nginx.conf'].filter(
      (file) => !readdirSync(join(scratch, own)).includes(file),
    ),
    [],
  );
  await instance.stop();
  assert.deepEqual(readdirSync(scratch), []);
});

test('missing programs come with the command that installs them', async () => {
  const empty = { PATH: folder, HOME: folder, XDG_CACHE_HOME: folder };
  const direct = { instances: 1 };
  const missingIn = (/** @type {import('../../scripts/types.js').Deployment[]} */ deployments, env = empty) =>
    topologyRows(deployments, env).filter(({ found }) => found === undefined);
  assert.deepEqual(missingIn([direct, { ...direct, instances: 2 }]), []);
  const https = { ...direct, proxy: 'https' };
  assert.deepEqual(missingIn([direct, { ...https, manager: 'pm2' }, https]), [
    { what: 'proxy openssl', found: undefined, mend: 'sudo apt-get install openssl' },
    {
      what: 'manager pm2',
      found: undefined,
      mend: 'sudo apt-get install npm && npm install --global pm2',
    },
  ]);
  const withNpm = join(folder, 'with-npm');
  mkdirSync(withNpm);
  writeFileSync(join(withNpm, 'npm'), '#!/bin/sh\n', { mode: 0o755 });
  assert.deepEqual(missingIn([{ ...direct, manager: 'pm2' }], { ...empty, PATH: withNpm }), []);
  await assert.rejects(installTopologies([{ ...direct, manager: 'pm2' }], { env: empty, signal }), {
    name: 'UserError',
    message: /^manager: pm2 could not be downloaded \(.*\); install it with: npm install --global pm2$/,
  });
});

test('instances that share a core get more time', async () => {
  const silent = server('node silent.mjs', { ready: { path: '/', timeoutSeconds: 0.5 } });
  const deployment = { instances: 3 * availableParallelism() };
  await assert.rejects(startServer(silent, { signal, deployment }), {
    kind: 'never-ready',
    message: /^not ready after [1-9]\d* s /,
  });
});
