/** Every load tool against a real server that notes what it was sent. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { toolVersions, startLoading } from '../../../scripts/load/load.js';
import { TOOLS as KNOWN } from '../../../scripts/load/tools.js';
import { readProcesses } from '../../../scripts/system/process/proc.js';
import { LOAD } from '../../load/target.js';
import { PLANTED, planted } from '../../planted.js';

/**
 * These take minutes to build: they are tested where they are, and k6, which needs no compiler of its own, in
 * the whole of the tests.
 */
const OPTIONAL = ['k6'];
const isHere = (/** @type {string} */ id) => spawnSync(id, ['--version']).error === undefined;
const TOOLS = KNOWN.filter(
  ({ id }) => !OPTIONAL.includes(id) || (id === 'k6' && process.env.PERF_TEST_ALL) || isHere(id),
);

const never = new AbortController().signal;

/**
 * What a server was asked last.
 * @typedef {{ method?: string, bytes: Buffer, headers: import('node:http').IncomingHttpHeaders }} Asked
 */

/** @param {(asked: Asked) => void} note */
const notingServer = (note) =>
  createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    note({ method: request.method, bytes: Buffer.concat(chunks), headers: request.headers });
    response.setHeader('content-length', 2);
    // Tests of what is sent need no full load.
    setTimeout(() => response.end('ok'), 5);
  });

/** Its address. @type {(listening: import('node:http').Server, host?: string) => Promise<string>} */
async function listen(listening, host = '127.0.0.1') {
  await new Promise((resolve) => listening.listen(0, host, () => resolve(undefined)));
  return `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (listening.address()).port}`;
}

/** @param {import('node:http').Server} listening */
function close(listening) {
  listening.close();
  listening.closeAllConnections();
}

/** @type {Asked} */
let last = { bytes: Buffer.alloc(0), headers: {} };
const server = notingServer((asked) => (last = asked));
const loading = startLoading();
let url = '';
before(async () => {
  url = await listen(server);
});
after(async () => {
  await loading.stop();
  close(server);
});

/** What a path may look like to a parser that takes it for an address. */
const LURES = [
  '/',
  '//127.0.0.2/x',
  '/@127.0.0.2/',
  '/?u=http://127.0.0.2/',
  '/http://127.0.0.2:1/',
  '/%2f%2f127.0.0.2',
  '/a;b=c',
  '/..//..//x',
  '/%0d%0aHost:%20127.0.0.2',
  '/:80',
  '/#x',
  '/a%20b',
];

describe('where a load tool goes', { concurrency: true }, () => {
  for (const { id: tool } of TOOLS)
    test(`${tool} goes nowhere but to the server, wherever that sends it`, async () => {
      /** @type {string[]} */
      const strayed = [];
      /** @type {(string | undefined)[]} */
      const hosts = [];
      const elsewhere = createServer((request, response) => {
        strayed.push(String(request.url));
        response.end('no');
      });
      const redirecting = createServer((request, response) => {
        hosts.push(request.headers.host);
        const code = 301 + (hosts.length % 2) * 6;
        const { port } = /** @type {import('node:net').AddressInfo} */ (elsewhere.address());
        // On every address of the loopback, by each of the ways to redirect.
        const location = `http://127.0.0.2:${port}${request.url}`;
        response.writeHead(code, { location, refresh: `0; url=${location}`, 'content-length': 0 });
        // The tool must follow no redirect, however many it gets: a slow server leaves the processor to other
        // tests.
        setTimeout(() => response.end(), 20);
      });
      await listen(elsewhere, '0.0.0.0');
      const redirects = await listen(redirecting, '0.0.0.0');
      try {
        for (const path of LURES) {
          const asked = {
            load: { ...LOAD, tool },
            request: { method: 'GET', path, headers: {} },
            signal: never,
          };
          await loading.load({ ...asked, url: redirects, seconds: 1 }).catch(() => {});
        }
        assert.ok(hosts.length > 0);
        assert.deepEqual([...new Set(hosts)], [new URL(redirects).host]);
        assert.deepEqual(strayed, []);
      } finally {
        for (const each of [elsewhere, redirecting]) close(each);
      }
    });
});

for (const { id: tool } of TOOLS) {
  test(`${tool} sends method, headers and body, and counts what was answered`, async () => {
    const request = {
      method: 'POST',
      path: '/orders',
      headers: { 'content-type': 'application/json', 'x-token': 'a=b:c' },
      body: '{"a":1}',
    };
    const window = await loading.load({ load: { ...LOAD, tool }, request, url, seconds: 1, signal: never });
    assert.ok(window.requests > 0);
    for (const [kind, number] of Object.entries(window.errors ?? {})) assert.equal(number, 0, kind);
    const count = window.latencies?.counts.reduce((sum, each) => sum + each, 0);
    assert.equal(count, ['ab', 'k6'].includes(tool) ? undefined : window.requests);
    assert.deepEqual(
      [last.method, last.headers['x-token'], String(last.bytes)],
      ['POST', 'a=b:c', '{"a":1}'],
    );
  });

  test(`${tool} without keep-alive says so`, async () => {
    const request = { method: 'GET', path: '/', headers: {} };
    const window = await loading.load({
      load: { ...LOAD, tool, keepAlive: false },
      request,
      url,
      seconds: 1,
      signal: never,
    });
    assert.ok(window.requests > 0);
    assert.match(String(last.headers.connection ?? 'close'), /close/i);
  });
}

/** What shells, option parsers, YAML readers and tools take for something else. */
const ODD = [
  '-i/etc/hostname',
  '007',
  'a=[1,2]',
  '@/etc/hostname',
  '</etc/hostname',
  '$(id)',
  '`id`',
  '${HOME}',
  '%s%n%00',
  `"'\\`,
  '[<id>]',
  '--',
  '-H',
  'é → ü',
  '{"a": "b"}',
  'a; b, c',
  '*',
  '~',
  '\t',
  '!!',
  'null',
  ' ',
];
/** Every character of a byte, NUL and line ends too. */
const ALL = String.fromCharCode(...Array(256).keys());

describe('odd bodies and headers', { concurrency: true }, () => {
  for (const { id: tool } of TOOLS)
    test(`${tool} sends odd bodies and headers byte for byte, with any method`, async (context) => {
      const odd = ODD.map((value) => value.trim()).filter(Boolean);
      const headers = Object.fromEntries(odd.map((value, place) => [`x-odd-${place}`, value]));
      const request = { method: 'POST', path: '/', headers: { ...headers, 'Content-Type': 'x/odd' } };
      const load = { ...LOAD, tool, connections: 1 };
      /** @type {Asked | undefined} */
      let asked;
      const noting = notingServer((received) => (asked = received));
      const url = await listen(noting);
      context.after(() => close(noting));
      /** @type {[method: string, body: string | Buffer][]} */
      const sent = [
        ['POST', ALL],
        ['PUT', ODD.join('\n')],
        ['PATCH', '007'],
        ['DELETE', '-i/etc/hostname'],
        ['POST', Buffer.from([...Array(256).keys()])],
        ['PUT', Buffer.from([0xff, 0x00, 0xc3])],
      ];
      for (const [method, body] of sent) {
        const window = await loading.load({
          load,
          request: { ...request, method, body },
          url,
          // Its virtual users take their time to begin.
          seconds: tool === 'locust' ? 3 : 1,
          signal: never,
        });
        assert.ok(window.requests > 0);
        assert.equal(asked?.method, method);
        assert.deepEqual(asked?.bytes, Buffer.from(body), String(body).slice(0, 20));
        assert.equal(asked?.headers?.['content-type'], 'x/odd');
        for (const [name, value] of Object.entries(headers))
          assert.equal(Buffer.from(String(asked?.headers?.[name]), 'latin1').toString(), value, name);
      }
    });
});

test('autocannon sends bytes from its threads too, pipelined', async () => {
  const body = Buffer.from([...Array(256).keys()]);
  const request = { method: 'POST', path: '/', headers: {}, body };
  for (const changes of [{ threads: 2 }, { pipelining: 3 }, { threads: 2, pipelining: 3 }]) {
    const load = { ...LOAD, ...changes };
    const window = await loading.load({ load, request, url, seconds: 1, signal: never });
    assert.ok(window.requests > 0 && window.errors?.non2xx === 0);
    assert.deepEqual(last.bytes, body);
  }
});

const HOLDING = TOOLS.filter(({ can }) => can.includes('rate'));
for (const { id: tool } of HOLDING)
  test(`${tool} sends as many requests as it is asked for, evenly, and no more`, async () => {
    const seen = /** @type {number[]} */ ([]);
    const note = () => void seen.push(performance.now());
    server.on('request', note);
    const request = { method: 'GET', path: '/', headers: {} };
    const load = { ...LOAD, tool, connections: 10, rate: 100 };
    const { requests, latencyMs } = await loading.load({ load, request, url, seconds: 3, signal: never });
    server.off('request', note);
    // No timing: a busy machine sends fewer, and nothing makes it send half as many again.
    assert.ok(requests > 0 && requests <= 450, `${requests} requests in 3 s`);
    assert.ok(Number(latencyMs?.p99) >= Number(latencyMs?.p50));
    // A burst at the start of each second would leave nine tenths of it empty.
    const tenths = new Set(seen.map((at) => Math.floor(at / 100)));
    assert.ok(tenths.size > 10, `requests in ${tenths.size} tenths of a second`);
  });

for (const { id: tool } of HOLDING)
  test(`${tool}: what waits for its turn is late, and its latency says so`, async () => {
    // One at a time takes 50 ms, and 100 a second are due: the last of a second waits for several.
    let free = Promise.resolve();
    const slow = createServer((_request, response) => {
      free = free.then(() => new Promise((resolve) => setTimeout(resolve, 50)));
      void free.then(() => response.end('ok'));
    });
    await new Promise((resolve) => slow.listen(0, '127.0.0.1', () => resolve(undefined)));
    const { port } = /** @type {import('node:net').AddressInfo} */ (slow.address());
    try {
      const load = { ...LOAD, tool, connections: 2, rate: 100 };
      const request = { method: 'GET', path: '/', headers: {} };
      const target = { load, request, url: `http://127.0.0.1:${port}`, seconds: 2, signal: never };
      const { requests, latencyMs } = await loading.load(target);
      assert.ok(requests < 60, `${requests} requests`);
      // A closed loop of two connections would tell 100 ms. k6 drops what it cannot send, and says so by
      // sending less.
      if (tool !== 'k6') assert.ok(Number(latencyMs?.max) > 500, JSON.stringify(latencyMs));
    } finally {
      slow.closeAllConnections();
      slow.close();
    }
  });

test('no load tool sees a secret of the environment', async () => {
  Object.assign(process.env, planted());
  const own = startLoading();
  const request = { method: 'GET', path: '/', headers: {} };
  try {
    for (const { id: tool } of TOOLS) {
      const running = own.load({ load: { ...LOAD, tool }, request, url, seconds: 1, signal: never });
      await Promise.race([running, once(server, 'request')]);
      const environs = descendants(process.pid).map(environOf);
      await running;
      assert.ok(environs.some((environ) => environ.includes('PATH=')));
      const found = Object.entries(planted()).filter(([, value]) => environs.join().includes(value));
      assert.deepEqual([tool, found], [tool, []]);
    }
  } finally {
    for (const name of PLANTED) delete process.env[name];
    await own.stop();
  }
});

/**
 * @param {number} pid
 * @returns {string} empty where it has ended since it was listed
 */
function environOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8');
  } catch {
    return '';
  }
}

/** @type {(parent: number) => number[]} */
function descendants(parent) {
  const children = [...readProcesses().values()].filter(({ ppid }) => ppid === parent);
  return children.flatMap(({ pid }) => [pid, ...descendants(pid)]);
}

test('ab sends as many requests as it is asked for, unless the time is over before', async () => {
  const run = (/** @type {number} */ requests, /** @type {number} */ seconds) => {
    const request = { method: 'GET', path: '/', headers: {} };
    return loading.load({ load: { ...LOAD, tool: 'ab' }, request, url, seconds, requests, signal: never });
  };
  assert.equal((await run(500, 30)).requests, 500);
  assert.ok((await run(10_000_000, 1)).requests < 10_000_000);
});

test('every installed tool has a version', async () => {
  const versions = await toolVersions(TOOLS);
  assert.deepEqual(Object.keys(versions).slice(0, 3), ['autocannon', 'wrk', 'ab']);
  for (const version of Object.values(versions)) assert.match(version, /^\d+\.\d+/);
});

test('autocannon is kept between windows, started anew where it died, and gone when it is stopped', async () => {
  const own = startLoading();
  const request = { method: 'GET', path: '/', headers: {} };
  const run = (signal = never) => own.load({ load: LOAD, request, url, seconds: 1, signal });
  const isRunning = (/** @type {number} */ pid) => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  assert.deepEqual(own.groups(), []);
  await run();
  const [first = 0] = own.groups();
  await run();
  assert.deepEqual(own.groups(), [first]);
  const crashed = assert.rejects(run(), { kind: 'load-tool-crashed', message: /ended with SIGKILL/ });
  process.kill(first, 'SIGKILL');
  await crashed;
  assert.ok((await run()).requests > 0);
  const controller = new AbortController();
  const cancelled = assert.rejects(run(controller.signal), { kind: 'cancelled' });
  controller.abort();
  await cancelled;
  assert.deepEqual(own.groups(), []);
  await run();
  const [last = 0] = own.groups();
  await own.stop();
  assert.deepEqual([first, last].filter(isRunning), []);
});
