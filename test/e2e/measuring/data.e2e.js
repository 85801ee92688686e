/**
 * Requests that vary: every tool that can sends all of them in order, and a comparison finds what one request
 * hides.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startLoading } from '../../../scripts/load/load.js';
import { TOOLS } from '../../../scripts/load/tools.js';
import { revealRequest } from '../../../scripts/secrets/secrets.js';
import { target } from '../../load/target.js';
import { gitIn, runCli } from '../tools.js';
import { scratchFolder } from '../../scratch.js';

const never = new AbortController().signal;
const loading = startLoading();
const scratch = scratchFolder();
after(async () => {
  await loading.stop();
});

const isHere = (/** @type {string} */ id) => spawnSync(id, ['--version']).error === undefined;
const ABLE = TOOLS.filter(({ id, can }) => can.includes('data') && (id === 'autocannon' || isHere(id)));

const ROWS = ['a', 'b/c d', 'é"x"', 'd', 'e'].map((q, id) => ({ id, q }));
const REQUEST = revealRequest(
  {
    method: 'POST',
    path: '/items/${id}?q=${q}',
    headers: { 'x-key': 'k-${id}' },
    body: '{"id":"${id}","q":"<${q}>"}',
    data: { requests: ROWS.length, different: ROWS.length, sha256: '', rows: ROWS },
  },
  {},
);
const SENT = ROWS.map(
  ({ id, q }) =>
    `POST /items/${id}?q=${encodeURIComponent(q)} k-${id} ${JSON.stringify({ id, q: `<${q}>` })}`,
);

/**
 * @returns {Promise<{ url: string, seen: string[], close: () => void }>} a server that notes what it is
 *   asked; a little slow, since order is asked for, not speed
 */
async function notingServer() {
  /** @type {string[]} */
  const seen = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    seen.push(`${request.method} ${request.url} ${request.headers['x-key']} ${body}`);
    response.setHeader('content-length', 2);
    setTimeout(() => response.end('ok'), 2);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${port}`, seen, close };
}

/**
 * @param {string} url
 * @param {object} load
 */
const varied = (url, load) => target(url, load, REQUEST);

/** @type {(seen: string[], what: string) => void} */
function assertInOrder(seen, what) {
  assert.ok(seen.length >= 2 * SENT.length, `${what}: only ${seen.length} requests`);
  assert.deepEqual(
    seen,
    seen.map((_, index) => SENT[index % SENT.length]),
    what,
  );
}

/**
 * @param {string[]} seen
 * @param {string} what
 * @param {number} most by how much the counts may differ
 */
function assertAll(seen, what, most) {
  const counts = SENT.map((text) => seen.filter((other) => other === text).length);
  assert.equal(
    counts.reduce((sum, count) => sum + count),
    seen.length,
    `${what}: ${seen.find((text) => !SENT.includes(text))}`,
  );
  assert.ok(Math.max(...counts) - Math.min(...counts) <= most, `${what}: ${counts}`);
}

for (const { id: tool, can, canInterleave } of ABLE) {
  test(`${tool} sends each row in order, from the first in every window`, async () => {
    const loads = [
      { connections: 1 },
      ...(can.includes('pipelining') ? [{ connections: 1, pipelining: 3 }] : []),
      ...(can.includes('rate') ? [{ connections: 1, rate: 50 }] : []),
    ];
    const { url, seen, close } = await notingServer();
    for (const load of [...loads, loads[0]]) {
      seen.length = 0;
      const { requests, errors } = await loading.load({
        ...varied(url, { tool, ...load }),
        signal: never,
      });
      assert.ok(requests > 0 && !errors?.non2xx, JSON.stringify(errors));
      assertInOrder(seen, JSON.stringify(load));
    }
    close();
  });

  if (can.includes('threads'))
    test(`${tool} sends as many of each row from several threads`, async () => {
      const { url, seen, close } = await notingServer();
      const connections = 4;
      await loading.load({ ...varied(url, { tool, connections, threads: 2 }), signal: never });
      // The threads are not in step.
      assertAll(seen, 'threads', seen.length / 2);
      assert.ok(SENT.every((text) => seen.includes(text)));
      close();
    });

  if (canInterleave)
    test(`${tool} sends both sides of a comparison the same`, async () => {
      const servers = [await notingServer(), await notingServer()];
      await loading.interleave(
        servers.map(({ url }) => varied(url, { tool, connections: 1 })),
        never,
      );
      for (const { seen, close } of servers) {
        assertInOrder(seen, 'interleaved');
        close();
      }
    });
}

/** Its cache holds the answers to all ids, or, of the head, to the last one that was asked for. */
const server = (/** @type {boolean} */ isLarge) => `
const cache = new Map();
require('node:http').createServer((request, response) => {
  if (!cache.has(request.url)) {
    let x = 1;
    for (let i = 0; i < 3_000_000; i++) x = (x * 31 + i) | 0;
    ${isLarge ? '' : 'cache.clear();'}
    cache.set(request.url, String(x & 1));
  }
  response.setHeader('content-length', 1);
  response.end(cache.get(request.url));
}).listen(process.env.PORT, process.env.HOST);
`;

test('a cache of one entry looks as fast as the whole one to one request, and is slower for requests that vary', async () => {
  const top = join(scratch, 'repository');
  mkdirSync(top);
  const git = gitIn(top);
  const write = (/** @type {string} */ file, /** @type {string} */ text) =>
    writeFileSync(join(top, file), text);
  const commit = async (/** @type {string} */ message) => {
    await git('add', '--all');
    await git('commit', '--quiet', '--message', message);
  };
  // One round tells a change by ten times, and no smaller one.
  write(
    'perf.yml',
    "reference: 'off'\nrounds: 1\nservers:\n  - id: shop\n    start: [node, shop.js]\n    routes:\n      - /items/7\n      - { path: '/items/${id}', data: items.jsonl }\n",
  );
  write('items.jsonl', Array.from({ length: 4 }, (_, id) => `{"id":${id}}\n`).join(''));
  write('shop.js', server(true));
  await git('init', '--quiet', '--initial-branch', 'main');
  await commit('all of the cache');
  write('shop.js', server(false));
  await commit('one entry of it');
  const options = '--against HEAD~1 --no-explain --connections 4 --duration 1s --warmup 0'.split(' ');
  const tools = process.env.PERF_TEST_ALL
    ? ABLE.filter(({ canInterleave }) => canInterleave)
    : [{ id: 'autocannon' }];
  for (const { id: tool } of tools) {
    const env = { ...process.env, XDG_CACHE_HOME: join(scratch, 'cache') };
    const { code, stdout, stderr } = await runCli(['run', '--tool', tool, ...options], { cwd: top, env });
    const read = (/** @type {string} */ name) =>
      JSON.parse(readFileSync(join(top, 'perf-results', name), 'utf8'));
    const verdicts = Object.fromEntries(
      read('comparison.json').cases.map((/** @type {{ id: string, verdict: string }} */ { id, verdict }) => [
        id.split(' ')[1],
        verdict,
      ]),
    );
    assert.deepEqual([code, verdicts['/items/${id}']], [1, 'regressed'], stdout + stderr);
    assert.equal(verdicts['/items/7'], 'unsure', stdout);
    assert.match(stdout, /\/items\/\$\{id\}: 4 different requests/);
    const { data } = read('run.json').cases[1].request;
    assert.deepEqual(Object.keys(data), ['name', 'requests', 'different', 'sha256']);
  }
});
