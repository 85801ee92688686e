/**
 * What counts as an answer, with every load tool: no body, no length, a closed connection, an expected
 * status.
 */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startLoading, versionOf } from '../../scripts/load/load.js';
import { TOOLS } from '../../scripts/load/tools.js';
import { target } from '../load/target.js';
import { cli, folder } from './command-line.js';

const { signal } = new AbortController();
const loading = startLoading();
after(() => loading.stop());

/** Its address. @type {(server: import('node:net').Server) => Promise<string>} */
async function listen(server) {
  /** @type {Set<import('node:net').Socket>} */
  const connections = new Set();
  server.on('connection', (connection) => connections.add(connection)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => {
    for (const connection of connections) connection.destroy();
    server.close();
  });
  return `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}`;
}

/**
 * 5 ms an answer: what counts as one needs no full load.
 * @param {import('node:http').RequestListener} answer
 */
const serve = (answer) =>
  listen(createServer((request, response) => void setTimeout(answer, 5, request, response)));

/** @param {string} answer to every request, as it is sent; then the connection ends */
const close = (answer) =>
  listen(
    createTcpServer((connection) =>
      connection.on('error', () => {}).on('data', () => connection.end(answer)),
    ),
  );

const BODY = 'x'.repeat(1000);
const installed = await Promise.all(TOOLS.map(async (tool) => ({ tool, version: await versionOf(tool) })));

for (const { tool, version } of installed) {
  const skip = version === undefined && `${tool.id} is not installed`;
  /**
   * @param {string} url
   * @param {object} [request]
   * @param {object} [changes] of the load
   */
  const load = (url, request, changes) => {
    const asked = target(url, { tool: tool.id, connections: 8, ...changes }, request);
    // Locust's users take their time to begin.
    return loading.load({ ...asked, seconds: tool.id === 'locust' ? 2 : 1, signal });
  };
  /**
   * @param {import('../../scripts/types.js').LoadedWindow} window
   * @param {number} [least]
   */
  const requireClean = ({ requests, errors }, least = 50) => {
    assert.ok(requests > least, `${requests} requests`);
    for (const [kind, count] of Object.entries(errors ?? {})) assert.equal(count, 0, kind);
  };

  if (tool.can.includes('bodiless'))
    test(`${tool.id}: an answer to HEAD has a length and no body`, { skip }, async () => {
      let asked = 0;
      const url = await serve(({ method }, response) => {
        if (method === 'HEAD') asked++;
        response.setHeader('content-length', BODY.length).end();
      });
      const { requests, ...window } = await load(url, { method: 'HEAD' });
      requireClean({ requests, ...window });
      assert.ok(asked >= requests);
    });

  if (tool.can.includes('anyStatus'))
    test(`${tool.id}: an expected status is no error, and any other status is one`, { skip }, async () => {
      for (const status of [404, 302, ...(tool.can.includes('bodiless') ? [304] : [])]) {
        // An answer with 304 may have the length that one with 200 would have.
        const length = status === 304 ? { 'content-length': 1000 } : {};
        const url = await serve((_request, response) =>
          response.writeHead(status, { location: '/', ...length }).end(status === 304 ? undefined : 'text'),
        );
        requireClean(await load(url, { expectedStatus: status }));
      }
      const ok = await serve((_request, response) => response.end('ok'));
      const { requests, errors = {} } = await load(ok, { expectedStatus: 404 });
      assert.equal((errors.non2xx ?? 0) + (errors.failed ?? 0), requests);
    });

  test(`${tool.id}: an answer that says so ends its connection`, { skip }, async () => {
    const server = createServer((_request, response) => setTimeout(() => response.end(BODY), 5));
    // Node announces the end, does not close, and answers further requests with 503.
    server.maxRequestsPerSocket = 10;
    const url = await listen(server);
    for (const pipelining of tool.can.includes('pipelining') && tool.id === 'autocannon' ? [1, 4] : [1])
      requireClean(await load(url, {}, { pipelining }), 100);
  });
}

for (const [title, answer] of [
  ['HTTP/1.0', `HTTP/1.0 200 OK\r\ncontent-type: text/plain\r\n\r\n${BODY}`],
  ['HTTP/1.1', `HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n${BODY}`],
])
  test(`autocannon: the end of its connection is the end of an answer without a length, in ${title}`, async () => {
    const url = await close(answer ?? '');
    const asked = target(url, { connections: 8 });
    const [alone, interleaved] = [
      await loading.load({ ...asked, signal }),
      (await loading.interleave([asked, asked], signal))[0],
    ];
    for (const window of [alone, interleaved]) {
      assert.ok(window && window.requests > 50, JSON.stringify(window));
      assert.deepEqual(window.errors, { timeouts: 0, connect: 0, non2xx: 0 });
      assert.ok(Number(window.bytes) >= window.requests * (answer ?? '').length);
    }
  });

test('autocannon: an interim answer is none', async () => {
  let asked = 0;
  const url = await serve((_request, response) => {
    asked++;
    response.writeEarlyHints({ link: '</style.css>; rel=preload' }, () => response.end('ok'));
  });
  const { requests, errors } = await loading.load({ ...target(url), signal });
  assert.ok(requests > 50 && asked >= requests);
  assert.deepEqual(errors, { timeouts: 0, connect: 0, non2xx: 0 });
});

test('autocannon: half an answer is a reset, and not the beginning of the next', async () => {
  const url = await close('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nhalf');
  const { requests, errors } = await loading.load({ ...target(url), signal });
  assert.equal(requests, 0);
  assert.ok(Number(errors?.resets) > 50, JSON.stringify(errors));
});

const isPhpHere = spawnSync('php', ['--version']).error === undefined;

for (const tool of ['autocannon', 'wrk'])
  test(
    `${tool}: a page of php -S is measured, and the report says that each request opens a connection`,
    {
      skip: !isPhpHere && 'php is not installed',
    },
    async () => {
      const home = join(folder, 'page');
      mkdirSync(home, { recursive: true });
      writeFileSync(join(home, 'index.php'), '<?php echo str_repeat("x", 1000);');
      const file = join(folder, `${tool}.yml`);
      writeFileSync(
        file,
        'servers:\n  - { id: page, runtime: php, folder: ./page, start: "php -S $HOST:$PORT", routes: [/] }\n',
      );
      const load = `--tool ${tool} --connections 8 --duration 1s --warmup 0 --rounds 1`.split(' ');
      const { code, stderr } = await cli('run', '--config', file, '--reference', 'off', ...load);
      assert.equal(code, 0, stderr);
      const results = join(folder, 'perf-results');
      const [{ summary, trials }] = JSON.parse(readFileSync(join(results, 'run.json'), 'utf8')).cases;
      assert.ok(summary.requests > 100);
      assert.deepEqual([summary.errors.resets ?? 0, summary.errors.non2xx], [0, 0]);
      assert.equal(trials[0].answers[0].closes, 'undelimited');
      const report = readFileSync(join(results, 'report.md'), 'utf8');
      assert.match(report, /closes the connection after each answer, so every request opens one/);
      assert.equal(/wrk opens a second one/.test(report), tool === 'wrk');
    },
  );

test('an expected status outside 2xx is no error in the report', async () => {
  const file = join(folder, 'gone.yml');
  const start = `node -e "require('http').createServer((q, r) => r.writeHead(404).end()).listen(process.env.PORT)"`;
  writeFileSync(
    file,
    `servers:\n  - id: gone\n    folder: .\n    start: ${JSON.stringify(start)}\n    routes: [{ path: /, expect: { status: 404 } }]\nlimits: { errors: 0% }\n`,
  );
  const load = ['--connections', '8', '--rate', '100', '--duration', '1s', '--warmup', '0', '--rounds', '2'];
  const { code, stdout, stderr } = await cli('run', '--config', file, '--reference', 'off', ...load);
  assert.equal(code, 0, stdout + stderr);
  assert.doesNotMatch(stdout, /wrong answer/);
});
