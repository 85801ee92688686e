/** A try of a server in a copy of its repository: what it finds, and what it touches. */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { findService } from '../../scripts/deploy/services.js';
import { harmless } from '../../scripts/init/server-settings.js';
import { canBeAlone, tryServer } from '../../scripts/session/experiments/try-server.js';
import { initRepository } from '../../bench/copy-repository.js';
import { scratchFolder } from '../scratch.js';

const SCRATCH = scratchFolder();
let count = 0;

/** Connects to what .env names, to what the code names, and to a host that is not this machine. */
const CONNECTS = `const { connect } = require('node:net');
const { existsSync, readFileSync, writeFileSync } = require('node:fs');
const { DATABASE_URL } = Object.fromEntries(readFileSync('.env', 'utf8').trim().split('\\n').map((line) => line.split('=')));
const places = [new URL(DATABASE_URL), ...JSON.parse(readFileSync('ports.json', 'utf8')).map((port) => ({ hostname: 'localhost', port })), { hostname: '192.0.2.1', port: 9092 }];
exports.all = async () => {
  for (const { hostname: host, port } of places)
    await new Promise((resolve) => connect({ host, port }).on('connect', resolve).on('error', resolve));
  await fetch(\`http://127.0.0.1:\${places[1].port}/\`).catch(() => {});
};
if (require.main === module) exports.all();
`;
const SERVER = `const { createServer } = require('node:http');
const { existsSync } = require('node:fs');
const { all } = require('./connects.js');
all().then(() =>
  createServer(async (request, response) => {
    if (request.url === '/items') await all();
    const seen = { secret: process.env.MY_SECRET, untracked: existsSync('notes.txt'), list: [1] };
    const isKnown = ['/items', '/'].includes(request.url);
    response.writeHead(isKnown ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(seen));
  }).listen(process.env.PORT, process.env.HOST),
);
`;
/** Fails unless a host elsewhere refuses a connection by HTTPS at once. */
const WEB = `require('node:net').connect(443, '192.0.2.1').on('error', ({ code }) => process.exit(code === 'ECONNREFUSED' ? 0 : 1));
setTimeout(() => process.exit(2), 5000);
`;
/** @type {import('node:net').Server[]} */
const outside = [];
let connections = 0;

before(async () => {
  for (let listener = 0; listener < 3; listener++) {
    const server = createServer((socket) => {
      connections++;
      socket.destroy();
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    outside.push(server);
  }
});
after(() => outside.forEach((server) => server.close()));

const ports = () =>
  outside.map((server) => /** @type {import('node:net').AddressInfo} */ (server.address()).port);

/** @param {Record<string, string>} files */
function repository(files) {
  const root = join(SCRATCH, `shop-${++count}`);
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  initRepository(root);
  return root;
}

/**
 * @param {string} root
 * @param {string} manifest of the server, in YAML's flow style
 * @param {{ words?: string[], listing?: string, env?: NodeJS.ProcessEnv, seconds?: number,
 *   next?: (choice: string) => string | undefined }} [options]
 */
function tryOut(
  root,
  manifest,
  { words = [], listing, env = process.env, seconds = 120, next = () => undefined } = {},
) {
  const steps = {
    attemptOf: (/** @type {string} */ text) => ({
      text: `servers: [{ id: a, routes: [/], ${text} }]\n`,
      pages: [],
      words,
      ...(listing && { listing }),
    }),
    next,
    harmless,
    isAlone: canBeAlone(),
  };
  const { signal } = new AbortController();
  const surroundings = { cwd: root, env, stderr: { write() {} }, signal, secondsLeft: () => seconds };
  return tryServer(root, manifest, steps, surroundings);
}

test('where there is no network of its own, no step of Node reaches a program that ran before, or another host', async (t) => {
  const { PATH } = process.env;
  const folder = scratchFolder();
  writeFileSync(join(folder, 'unshare'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  process.env.PATH = `${folder}:${PATH}`;
  t.after(() => (process.env.PATH = PATH));
  assert.ok(!canBeAlone());
  const root = repository({
    '.env': `DATABASE_URL=postgres://shop:secret@localhost:${ports()[0]}/shop\n`,
    'ports.json': JSON.stringify(ports()),
    'connects.js': CONNECTS,
    'server.js': SERVER,
    'web.js': WEB,
  });
  writeFileSync(join(root, 'notes.txt'), 'not in git');
  process.env.MY_SECRET = 'of the shell';
  const steps =
    'install: node connects.js, build: node connects.js, setup: node connects.js && node web.js, start: node server.js';
  const [tried] = await tryOut(root, steps, { words: ['/items'] });
  delete process.env.MY_SECRET;
  assert.equal(tried?.found.failure, undefined, JSON.stringify(tried?.found.failure));
  assert.deepEqual(
    tried?.found.answers.map(({ path, status, shape }) => [path, status, shape]),
    [['/items', 200, 'data']],
  );
  assert.equal(connections, 0);
  const refused = tried?.found.log.filter((line) => line.includes('refused')) ?? [];
  assert.ok(
    refused.some((line) => line.endsWith('192.0.2.1:9092')),
    refused.join('\n'),
  );
  assert.equal(readFileSync(join(root, '.env'), 'utf8').includes(`localhost:${ports()[0]}`), true);
  assert.equal(tried?.found.answers[0]?.bytes, JSON.stringify({ untracked: false, list: [1] }).length);
  assert.ok(!existsSync(join(root, 'perf.yml')));
});

/** Started with an argument, it only connects. */
const PYTHON = `import http.server, json, os, socket, sys

reached = []
for place in json.load(open('places.json')):
    try:
        if isinstance(place, str):
            socket.socket(socket.AF_UNIX).connect(place)
        else:
            socket.create_connection(('192.0.2.1' if place == 9092 else '127.0.0.1', place), 1)
        reached.append(place)
    except OSError as error:
        print(error, flush=True)

class Items(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200 if self.path == '/items' else 404)
        self.end_headers()
        self.wfile.write(json.dumps({'list': reached}).encode())

if len(sys.argv) == 1:
    http.server.HTTPServer((os.environ['HOST'], int(os.environ['PORT'])), Items).serve_forever()
`;
const skip = !canBeAlone() && 'this system gives no network of its own';

/** A program that is not Node's in each step: the engine of an ORM, a compiler, a migration. */
const ONCE = 'python3 server.py once';
/** Its route is told by its process alone. */
const NATIVE = {
  'package.json': JSON.stringify({
    name: 'shop',
    scripts: { postinstall: ONCE, build: ONCE, migrate: ONCE },
  }),
  'server.js': `const { execSync } = require('node:child_process');
execSync('${ONCE}');
require('node:net').connect(require('./places.json')[0]).on('error', () => {});
globalThis.route = { method: 'GET', path: '/items', handler() {} };
require('node:http').createServer(({ url }, response) => {
  if (url !== '/items') return response.writeHead(404).end();
  execSync('${ONCE}');
  response.end('{"list": []}');
}).listen(process.env.PORT, process.env.HOST);`,
};

test(
  'programs of any language have a network of their own in install, build, setup and start',
  { skip },
  async (t) => {
    const socket = `/run/perf-action-${process.pid}.sock`;
    const developers = createServer(() => connections++).on('error', () => {});
    developers.listen(socket);
    t.after(() => developers.close());
    const places = JSON.stringify([...ports(), 9092, socket]);
    const root = repository({ ...NATIVE, 'places.json': places, 'server.py': PYTHON });
    const seen = connections;
    /** @type {[manifest: string, words: string[], version: RegExp][]} */
    const manifests = [
      [
        `runtime: python3, install: ${ONCE}, build: ${ONCE}, setup: ${ONCE}, start: python3 server.py`,
        ['/items'],
        /^3\./,
      ],
      [
        'install: npm install --no-audit, build: npm run build, setup: npm run migrate, start: node server.js',
        [],
        /^v?\d\d\./,
      ],
    ];
    for (const [manifest, words, version] of manifests) {
      const [tried] = await tryOut(root, manifest, { words });
      assert.equal(tried?.found.failure, undefined, JSON.stringify(tried?.found));
      assert.deepEqual(
        tried?.found.answers.map(({ path, status, bytes }) => [path, status, bytes]),
        [['/items', 200, '{"list": []}'.length]],
      );
      assert.match(tried?.found.version ?? '', version);
      const named = `perf-action refused a connection to localhost:${ports()[0]}`;
      assert.equal(tried?.found.log.includes(named), manifest.includes('node'), tried?.found.log.join('\n'));
    }
    assert.equal(connections, seen);
    writeFileSync(join(root, 'places.json'), JSON.stringify(ports()));
    await promisify(execFile)('sh', ['-c', ONCE], { cwd: root });
    assert.ok(connections >= seen + ports().length, 'without a try they are reached');
    const [failed] = await tryOut(root, 'runtime: python3, install: exit 3, start: python3 server.py');
    assert.equal(failed?.found.failure?.kind, 'install-failed');
  },
);

const noRedis = findService('redis', process.env) === undefined && 'redis-server is not installed';

test('a service of its own is reached in its network', { skip: skip || noRedis }, async () => {
  const root = repository({
    'server.js': `const { connect } = require('node:net');
const { hostname: host, port } = new URL(process.env.REDIS_URL);
require('node:http').createServer(({ url }, response) => {
  if (url !== '/items') return response.writeHead(404).end();
  connect({ host, port }).on('data', (data) => response.end(data)).write('PING\\r\\n');
}).listen(process.env.PORT, process.env.HOST);`,
  });
  const [tried] = await tryOut(root, 'needs: [redis], start: node server.js', { words: ['/items'] });
  assert.equal(tried?.found.failure, undefined, JSON.stringify(tried?.found));
  assert.deepEqual(
    tried?.found.answers.map(({ path, status, bytes }) => [path, status, bytes]),
    [['/items', 200, '+PONG\r\n'.length]],
  );
});

/** Prints what the proxy that it is given says of an address. */
const DOWNLOADS = `import os, sys, urllib.error, urllib.request

os.environ['NO_PROXY'] = os.environ['no_proxy'] = ''
try:
    urllib.request.urlopen(sys.argv[1], timeout=10)
except urllib.error.URLError as error:
    print(error)
`;

test(
  'an installation downloads by the proxy of the caller, and nothing from this machine',
  { skip },
  async (t) => {
    /** @type {(string | undefined)[]} */
    const asked = [];
    const proxy = createHttpServer(({ url, headers }, response) => {
      asked.push(url, headers['proxy-authorization']);
      response.writeHead(418).end();
    }).on('connect', ({ url, headers }, socket) => {
      asked.push(url, headers['proxy-authorization']);
      socket.end('HTTP/1.1 418 Found\r\n\r\n');
    });
    t.after(() => proxy.close());
    await once(proxy.listen(0, '127.0.0.1'), 'listening');
    const { port } = /** @type {import('node:net').AddressInfo} */ (proxy.address());
    const root = repository({ 'downloads.py': DOWNLOADS });
    const seen = connections;
    const outcomeOf = async (/** @type {string} */ url, /** @type {string} */ says, env = process.env) => {
      const line = `[ "$YARN_HTTPS_PROXY" = "$https_proxy" ] && python3 downloads.py ${url} | grep ${says}`;
      const manifest = `runtime: python3, install: '${line}', start: exit 7`;
      const [tried] = await tryOut(root, manifest, { env });
      return tried?.found.failure?.kind;
    };
    for (const scheme of ['https', 'http'])
      assert.equal(await outcomeOf(`${scheme}://127.0.0.1:${ports()[0]}/`, '403'), 'exited-at-start');
    assert.equal(connections, seen);
    const none = { ...process.env, https_proxy: '', HTTPS_PROXY: '' };
    assert.equal(await outcomeOf('https://packages.invalid/a', '502.*invalid', none), 'exited-at-start');
    const env = { ...process.env, https_proxy: `http://me:secret@127.0.0.1:${port}` };
    assert.equal(await outcomeOf('https://packages.invalid/a', '418', env), 'exited-at-start');
    assert.equal(await outcomeOf('http://packages.invalid/a', '418', env), 'exited-at-start');
    const password = `Basic ${btoa('me:secret')}`;
    assert.deepEqual(asked, ['packages.invalid:443', password, 'http://packages.invalid/a', password]);
  },
);

test('what failed is told with its log, and the next choice is tried in the same copy', async () => {
  const root = repository({
    'server.js': `if (!process.env.API_TOKEN) throw new Error('API_TOKEN is not set');
require('node:http').createServer((_, response) => response.end('[1]')).listen(process.env.PORT);`,
  });
  const manifest = 'install: "echo x >> installed", start: node server.js';
  const tried = await tryOut(root, manifest, {
    words: ['/'],
    next: (choice) => (choice === manifest ? `${manifest}, env: { API_TOKEN: a }` : undefined),
  });
  assert.deepEqual(
    tried.map(({ found: { failure } }) => failure?.kind),
    ['exited-at-start', undefined],
  );
  assert.match(tried[0]?.found.log.join('\n') ?? '', /API_TOKEN is not set/);
});

test('a server that listens where it wants is found there', async () => {
  const root = repository({
    'server.js': `require('node:http').createServer((request, response) => response.writeHead(request.url === '/a' ? 200 : 404).end('hello')).listen(0);`,
  });
  const [tried] = await tryOut(root, 'start: node server.js', { words: ['/a'] });
  assert.deepEqual(
    tried?.found.answers.map(({ path, shape }) => [path, shape]),
    [['/a', 'greeting']],
  );
});

test('a server that fails or refuses where it has no route is asked, at its port or another one', async () => {
  for (const [port, status] of [
    ['process.env.PORT', 500],
    ['0', 403],
  ]) {
    const root = repository({
      'server.js': `require('node:http').createServer(({ url }, response) => response.writeHead(url === '/a' ? 200 : ${status}).end('[1]')).listen(${port});`,
    });
    const [tried] = await tryOut(root, 'start: node server.js', { words: ['/a'] });
    assert.equal(tried?.found.failure, undefined, JSON.stringify(tried?.found.failure));
    assert.deepEqual(
      tried?.found.answers.map(({ path, status }) => [path, status]),
      [['/a', 200]],
    );
  }
});

test('what a framework lists is asked in the place of words, in the environment of the start', async () => {
  const server = PYTHON.replace("'/items'", "os.environ['PLACE']");
  const root = repository({ 'places.json': '[]', 'server.py': server });
  const manifest = 'runtime: python3, start: python3 server.py, env: { PLACE: /listed }';
  const listing = 'echo noise; printf "GET %s\\nGET /none/\\nPOST /items/<int:id>/\\n" $PLACE';
  const ask = async (/** @type {string | undefined} */ lines) => {
    const [tried] = await tryOut(root, manifest, { words: ['/listed', '/'], listing: lines });
    return tried?.found.answers.map(({ method, path, status }) => [method, path, status]);
  };
  assert.deepEqual(await ask(listing), [
    ['GET', '/listed', 200],
    ['POST', '/items/<int:id>/', undefined],
  ]);
  assert.deepEqual(await ask('exit 1'), [['GET', '/listed', 200]]);
});

test('one limit holds for an installation and the start after it', { skip }, async () => {
  const root = repository({ 'notes.txt': '' });
  const manifest = 'runtime: python3, install: sleep 4, start: "sleep 4; exit 7"';
  const [tried] = await tryOut(root, manifest, { seconds: 6 });
  assert.equal(tried?.found.failure?.kind, 'cancelled');
});

test('a try ends with its time', async () => {
  const root = repository({ 'server.js': 'setInterval(() => {}, 1000);' });
  const [tried] = await tryOut(root, 'start: node server.js', { seconds: 3 });
  assert.equal(tried?.found.failure?.kind, 'cancelled');
});
